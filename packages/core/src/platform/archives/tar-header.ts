/** The header of a tar entry, and the records with which newer programs write what does not fit into it. */

export interface TarHeader {
  name: string;
  size: number;
  mode: number;
  /** `0` file, `1` second name of a file, `2` link, `5` folder; others in `tar.ts`. */
  type: string;
  link: string;
}

/** @returns `end` for a block of zeros */
export function readHeader(block: Buffer): TarHeader | 'end' | 'damaged' {
  if (block.every((byte) => byte === 0)) return 'end';
  const checksum = octal(block, 148, 8);
  const size = octal(block, 124, 12);
  const mode = octal(block, 100, 8);
  if (checksum === undefined || size === undefined || checksum !== sumOf(block)) return 'damaged';
  const isUstar = block.toString('latin1', 257, 262) === 'ustar';
  // GNU uses the place of the prefix for times.
  const prefix = isUstar && block[262] === 0 ? textOf(block.subarray(345, 500)) : '';
  const name = textOf(block.subarray(0, 100));
  const type = String.fromCharCode(block[156] || 0x30);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    // Folders and links have no content, whatever the header says; some programs write a size all the same.
    size: type === '5' || type === '2' || type === '1' ? 0 : size,
    mode: mode ?? 0o644,
    type,
    link: textOf(block.subarray(157, 257)),
  };
}

/** `<length> <key>=<value>\n`, repeated. */
export function paxRecords(content: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = space < 0 ? Number.NaN : Number(content.toString('latin1', at, space));
    if (!Number.isInteger(length) || length <= space - at || at + length > content.length) break;
    const record = content.toString('utf8', space + 1, at + length - 1);
    const equals = record.indexOf('=');
    if (equals > 0) records.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  return records;
}

/** Up to the first NUL. */
export function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
}

/** Undefined for what is not a number, and for the binary form of sizes over 8 GB. */
function octal(block: Buffer, start: number, length: number): number | undefined {
  const text = block
    .toString('latin1', start, start + length)
    .replace(/\0.*$/s, '')
    .trim();
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : text === '' ? 0 : undefined;
}

/** The checksum field itself counts as blanks. */
function sumOf(block: Buffer): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < block.length; at++) if (at < 148 || at >= 156) sum += block[at] as number;
  return sum;
}
