/** Writes tar archives byte by byte, also such as no honest program writes. */
import { gzipSync } from 'node:zlib';

export interface TarEntry {
  name: string;
  data?: Buffer | string;
  mode?: number;
  /** `0` file, `1` second name, `2` link, `3` device, `5` folder, `6` pipe. */
  type?: string;
  link?: string;
  /** What the header claims, instead of the real size. */
  claimedSize?: number;
}

export function tarOf(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(entryBlocks), Buffer.alloc(1024)]);
}

export function tarGzOf(entries: readonly TarEntry[]): Buffer {
  return gzipSync(tarOf(entries));
}

function entryBlocks({
  name,
  data = '',
  mode = 0o644,
  type = '0',
  link = '',
  claimedSize,
}: TarEntry): Buffer[] {
  const bytes = Buffer.from(data);
  const long = Buffer.byteLength(name) > 100 ? paxBlocks('path', name) : [];
  const header = Buffer.alloc(512);
  header.write(name.slice(0, 100), 0);
  header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100);
  header.write(`${(claimedSize ?? bytes.length).toString(8).padStart(11, '0')}\0`, 124);
  header.write(type, 156);
  header.write(link.slice(0, 100), 157);
  header.write('ustar\u000000', 257);
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return [...long, header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
}

function paxBlocks(key: string, value: string): Buffer[] {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest);
  length += String(length + String(length).length).length;
  return entryBlocks({ name: 'PaxHeader', type: 'x', data: `${length}${rest}` });
}
