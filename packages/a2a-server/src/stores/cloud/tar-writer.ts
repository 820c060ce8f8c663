/** Writes tar archives: files, folders and links of a workspace. Devices, sockets and pipes are left out. */
import type { Stats } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

export interface TarLimits {
  bytes: number;
  entries: number;
}

export interface PackedFolder {
  tar: Buffer;
  /** The archive would have been larger than the limits. */
  isCut: boolean;
}

const BLOCK = 512;

export function tarOfFile(name: string, bytes: Buffer): Buffer {
  return Buffer.concat([...entry(name, '0', 0o600, bytes), Buffer.alloc(2 * BLOCK)]);
}

/** Changes when a file of the folder does: names, sizes and times. */
export async function stateOfFolder(folder: string, limits: TarLimits): Promise<string> {
  const lines: string[] = [];
  for await (const { name, stats } of walk(folder)) {
    lines.push(`${name} ${stats.size} ${stats.mtimeMs} ${stats.mode}`);
    if (lines.length > limits.entries) break;
  }
  return lines.sort().join('\n');
}

export async function tarOfFolder(folder: string, limits: TarLimits): Promise<PackedFolder> {
  const pieces: Buffer[] = [];
  let size = 0;
  let entries = 0;
  for await (const { name, path, stats } of walk(folder)) {
    if (++entries > limits.entries || size + stats.size > limits.bytes)
      return { tar: Buffer.alloc(0), isCut: true };
    const blocks = await blocksOf(name, path, stats);
    for (const block of blocks) size += block.length;
    pieces.push(...blocks);
  }
  return { tar: Buffer.concat([...pieces, Buffer.alloc(2 * BLOCK)]), isCut: false };
}

interface Found {
  name: string;
  path: string;
  stats: Stats;
}

async function* walk(folder: string, prefix = ''): AsyncGenerator<Found> {
  for (const { name: base } of await readdir(folder, { withFileTypes: true })) {
    const [path, name] = [join(folder, base), `${prefix}${base}`];
    const stats = await lstat(path);
    yield { name, path, stats };
    if (stats.isDirectory()) yield* walk(path, `${name}/`);
  }
}

async function blocksOf(name: string, path: string, stats: Stats): Promise<Buffer[]> {
  if (stats.isDirectory()) return entry(`${name}/`, '5', stats.mode);
  if (stats.isSymbolicLink()) return entry(name, '2', stats.mode, undefined, await readlink(path));
  return stats.isFile() ? entry(name, '0', stats.mode, await readFile(path)) : [];
}

function entry(
  name: string,
  type: string,
  mode: number,
  bytes: Buffer = Buffer.alloc(0),
  link = '',
): Buffer[] {
  const long = { ...(tooLong(name) && { path: name }), ...(tooLong(link) && { linkpath: link }) };
  const extra = Object.entries(long).map(([key, value]) => paxRecord(key, value));
  const pax = extra.length > 0 ? blocks('PaxHeader', 'x', 0o644, Buffer.concat(extra), '') : [];
  return [...pax, ...blocks(name, type, mode, bytes, link)];
}

function blocks(name: string, type: string, mode: number, bytes: Buffer, link: string): Buffer[] {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  header.write(name.slice(0, 100), 0);
  header.write(octal(mode & 0o777, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(bytes.length, 12), 124);
  header.write(octal(0, 12), 136);
  header.write(type, 156);
  header.write(link.slice(0, 100), 157);
  header.write('ustar\u000000', 257);
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return [header, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
}

function tooLong(text: string): boolean {
  return Buffer.byteLength(text) > 100 || /[^\x20-\x7e]/.test(text);
}

function paxRecord(key: string, value: string): Buffer {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest);
  // The length counts its own digits.
  length += String(length + String(length).length).length;
  return Buffer.from(`${length}${rest}`);
}
