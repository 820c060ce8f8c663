/** What an approval is an approval of: one tool with these very arguments. */
import { stableJson } from '../../policy/stable-json.js';
import type { AnyToolInvocation } from '../../tools/tools.js';

/** Equal for equal calls only, however their arguments are ordered. */
export function fingerprintOf(toolName: string, invocation: AnyToolInvocation): string {
  return `${JSON.stringify(toolName)} ${stableJson(invocation.params as Record<string, unknown>)}`;
}

/** SHA-256 of the fingerprint, short enough to travel with a question. */
export async function digestOf(fingerprint: string): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(fingerprint).digest('hex');
}
