/** One signed record of the integrity store. */
import { isObject } from '../../base/objects.js';
import type { ExtensionInstallMetadata } from '../types.js';
import { canonicalJson } from './canonical-json.js';

export interface IntegrityEntry {
  /** Of the install metadata. */
  hash: string;
  signature: string;
}

export function readEntry(value: unknown): IntegrityEntry | undefined {
  const { hash, signature } = isObject(value) ? value : {};
  return typeof hash === 'string' && typeof signature === 'string' ? { hash, signature } : undefined;
}

export async function signed(metadata: ExtensionInstallMetadata, key: string): Promise<IntegrityEntry> {
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256').update(canonicalJson(metadata)).digest('hex');
  return { hash, signature: await hmac(hash, key) };
}

export async function hmac(text: string, key: string): Promise<string> {
  const { createHmac } = await import('node:crypto');
  return createHmac('sha256', key).update(text).digest('hex');
}
