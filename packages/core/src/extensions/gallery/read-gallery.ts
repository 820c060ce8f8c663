/** Reads the list of public extensions from an address of the web or a file. Nothing else is downloaded. */
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf, UserError } from '../../base/errors.js';
import { parseJsonc } from '../../base/jsonc.js';
import { isObject } from '../../base/objects.js';
import type { Environment } from '../../platform/environment.js';
import { readFileBytes } from '../../platform/files/safe-read.js';
import type { NameCheckOptions } from '../../platform/net/checked-lookup.js';
import { VERSION } from '../../platform/version.js';
import { type GalleryEntry, readGalleryEntry } from './entry.js';

export interface GalleryRequest extends NameCheckOptions {
  /** `experimental.extensionRegistryURI`: an address or the path of a file. */
  address: string;
  environment: Environment;
  signal: AbortSignal;
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 20 * 1024 * 1024;
const MAX_ENTRIES = 20_000;

/** @returns in the order of their rank. @throws UserError that names the address */
export async function readGallery(request: GalleryRequest): Promise<GalleryEntry[]> {
  const { address } = request;
  const text = await readText(request).catch((error: unknown) => {
    request.signal.throwIfAborted();
    throw new UserError(
      `The list of extensions at ${address} cannot be read: ${messageOf(error)} Check experimental.extensionRegistryURI.`,
      { cause: error },
    );
  });
  const list = listIn(text);
  if (!list)
    throw new UserError(`${address} is not a list of extensions. Check experimental.extensionRegistryURI.`);
  return list
    .slice(0, MAX_ENTRIES)
    .flatMap((item) => readGalleryEntry(item) ?? [])
    .sort((a, b) => a.rank - b.rank);
}

async function readText(request: GalleryRequest): Promise<string> {
  const { address, environment, signal, timeoutMs = TIMEOUT_MS } = request;
  if (!/^https?:/i.test(address)) {
    const { bytes } = readFileBytes(pathOf(address, environment), { limit: MAX_BYTES });
    return bytes.toString('utf8').replace(/^\ufeff/, '');
  }
  const { GuardedHttp } = await import('../../platform/net/guarded-http.js');
  const { resolve: resolveName, allow } = request;
  const http = new GuardedHttp({
    userAgent: `gemini-cli/${VERSION}`,
    proxies: environment,
    timeoutMs,
    maxBytes: MAX_BYTES,
    ...(resolveName && { resolve: resolveName }),
    ...(allow && { allow }),
  });
  const page = await http.get(new URL(address), signal);
  if (page.status !== 200) throw new UserError(`The server answers ${page.status} ${page.statusText}.`);
  if (page.truncated) throw new UserError(`It is larger than ${MAX_BYTES / 1024 / 1024} MB.`);
  return page.bytes.toString('utf8').replace(/^\ufeff/, '');
}

function pathOf(address: string, { home, cwd }: Environment): string {
  if (address.startsWith('file:')) return fileURLToPath(address);
  if (/^~(?=[\\/])/.test(address)) return join(home, address.slice(2));
  return isAbsolute(address) ? address : resolve(cwd, address);
}

/** A list, or an object with the list under `extensions`. */
function listIn(text: string): unknown[] | undefined {
  let value: unknown;
  try {
    value = parseJsonc(text);
  } catch {
    return undefined;
  }
  const list = isObject(value) ? value['extensions'] : value;
  return Array.isArray(list) ? list : undefined;
}
