/** Lists nested repositories (gitlinks) in a git index: git reads them with their own settings. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MAX_BYTES = 64 * 1024 * 1024;
/** Offsets in an index entry: after times, device, owner and size come the hash and two bytes of flags. */
const HASH_AT = 40;
const MODE_AT = 24;
const GITLINK = 0o160000;
const EXTENDED = 0x4000;

/**
 * Paths from the top of the repository. Undefined: the index cannot be parsed with certainty.
 * @param hashBytes 20, or 32 with SHA-256
 */
export function nestedRepositoriesIn(gitDir: string, hashBytes: number): string[] | undefined {
  try {
    // A split index is not supported.
    if (readdirSync(gitDir).some((name) => name.startsWith('sharedindex.'))) return undefined;
    const indexFile = join(gitDir, 'index');
    const stats = statSync(indexFile, { throwIfNoEntry: false });
    if (!stats) return [];
    if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
    const index = readFileSync(indexFile);
    // The mode of a gitlink; most indexes do not contain these four bytes, so no parsing is needed.
    return index.includes(Buffer.from([0, 0, 0xe0, 0])) ? gitlinksOf(index, hashBytes) : [];
  } catch {
    return undefined;
  }
}

function gitlinksOf(index: Buffer, hashBytes: number): string[] | undefined {
  const version = index.readUInt32BE(4);
  if (index.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return undefined;
  const found: string[] = [];
  let before: Buffer = Buffer.alloc(0);
  let at = 12;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const start = at;
    const flags = index.readUInt16BE(start + HASH_AT + hashBytes);
    at = start + HASH_AT + hashBytes + 2 + (flags & EXTENDED ? 2 : 0);
    let kept = 0;
    if (version === 4) [kept, at] = keptOf(index, at, before.length);
    const end = index.indexOf(0, at);
    if (end < 0 || kept < 0) return undefined;
    const name =
      version === 4
        ? Buffer.concat([before.subarray(0, kept), index.subarray(at, end)])
        : index.subarray(at, end);
    before = name;
    if (index.readUInt32BE(start + MODE_AT) === GITLINK) found.push(name.toString('utf8'));
    // Entries before version 4 are padded to eight bytes, with at least one zero.
    at = version === 4 ? end + 1 : start + Math.ceil((end - start + 1) / 8) * 8;
  }
  return found;
}

/** How much of the previous name is kept, and where the rest of this name begins. */
function keptOf(index: Buffer, start: number, length: number): [kept: number, at: number] {
  let at = start;
  let byte = index.readUInt8(at++);
  let dropped = byte & 127;
  while (byte & 128) {
    byte = index.readUInt8(at++);
    dropped = ((dropped + 1) << 7) | (byte & 127);
  }
  return [length - dropped, at];
}
