/**
 * Extracts a tar archive, compressed or not, into an empty folder. Our own reader: a library would write files itself,
 * by rules that are not ours; of the format we need only a header of 512 bytes and two ways to write long names.
 */
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { messageOf } from '../../base/errors.js';
import { ArchiveError, Extraction, type ExtractOptions } from './extraction.js';
import { paxRecords, readHeader, type TarHeader, textOf } from './tar-header.js';

const BLOCK = 512;
/** Names and pax records; far larger than any file system allows. */
const MAX_EXTRA_BYTES = 64 * 1024;

/** @throws ArchiveError; what was extracted before may be left in `into` */
export async function extractTar(file: string, into: string, options: ExtractOptions): Promise<void> {
  const extraction = new Extraction(file, into, statSync(file).size, options);
  const bytes = new ByteReader(await contentOf(file));
  try {
    await extractAll(bytes, extraction, options.what);
    extraction.finish();
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError(`${file} cannot be extracted: ${messageOf(error)}`, { cause: error });
  } finally {
    bytes.close();
  }
}

/** What entries before a file say about it. */
interface Extra {
  path?: string;
  linkpath?: string;
}

async function extractAll(bytes: ByteReader, extraction: Extraction, what: string): Promise<void> {
  let extra: Extra = {};
  let count = 0;
  for (;;) {
    const block = await bytes.read(BLOCK);
    if (block.length === 0 && count > 0) return; // without the final blocks, which some programs leave out
    const header = block.length === BLOCK ? readHeader(block) : 'damaged';
    if (header === 'end' && count > 0) return;
    if (header === 'end' || header === 'damaged')
      throw new ArchiveError(
        `${extraction.file} cannot be read as an archive of the ${what}, or is damaged.`,
      );
    extraction.requireEntries(++count);
    if (isExtra(header)) {
      extra = { ...extra, ...(await readExtra(bytes, header, extraction)) };
      continue;
    }
    await extractEntry(bytes, header, extra, extraction);
    extra = {};
  }
}

function isExtra({ type }: TarHeader): boolean {
  return ['x', 'g', 'L', 'K'].includes(type);
}

async function readExtra(bytes: ByteReader, header: TarHeader, extraction: Extraction): Promise<Extra> {
  if (header.size > MAX_EXTRA_BYTES) throw extraction.refusal(header.name, 'has too long a name');
  const content = await bytes.readExactly(header.size);
  await bytes.skip(padding(header.size));
  if (header.type === 'L') return { path: textOf(content) };
  if (header.type === 'K') return { linkpath: textOf(content) };
  // Records for all files, which GitHub writes, hold only a comment that we need.
  if (header.type === 'g') return {};
  const records = paxRecords(content);
  // A size there would differ from the header's, which the next file is found by.
  if (records.has('size')) throw extraction.refusal(header.name, 'is larger than 8 GB');
  const [path, linkpath] = [records.get('path'), records.get('linkpath')];
  return { ...(path !== undefined && { path }), ...(linkpath !== undefined && { linkpath }) };
}

async function extractEntry(
  bytes: ByteReader,
  header: TarHeader,
  extra: Extra,
  extraction: Extraction,
): Promise<void> {
  const name = extra.path ?? header.name;
  const target = extra.linkpath ?? header.link;
  const isFile = header.type === '0' || header.type === '7';
  if (!isFile && header.size > MAX_EXTRA_BYTES) throw extraction.refusal(name, 'has a size but no content');
  if (isFile && !name.endsWith('/')) {
    await extraction.writeFile(name, Readable.from(bytes.stream(header.size)), (header.mode & 0o100) !== 0);
    await bytes.skip(padding(header.size));
    return;
  }
  await bytes.skip(header.size + padding(header.size));
  if (isFile || header.type === '5') return extraction.folder(name);
  if (header.type === '2') return extraction.link(name, target);
  if (header.type === '1') return extraction.hardLink(name, target);
  throw extraction.refusal(name, 'is a link or special file');
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

/** By the first bytes, not by the name. */
async function contentOf(file: string): Promise<Readable> {
  const start = Buffer.alloc(2);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, start, 0, 2, 0);
  } finally {
    closeSync(descriptor);
  }
  const raw = createReadStream(file);
  if (start[0] !== 0x1f || start[1] !== 0x8b) return raw;
  const { createGunzip } = await import('node:zlib');
  const unpacked = createGunzip();
  raw.on('error', (error) => unpacked.destroy(error));
  unpacked.on('close', () => raw.destroy());
  return raw.pipe(unpacked);
}

/** Reads a stream in pieces of wanted sizes, with at most a few pieces in memory. */
class ByteReader {
  private readonly pieces: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly source: Readable) {
    this.pieces = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Fewer bytes only at the end. */
  async read(size: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = size; missing > 0; ) {
      const part = await this.upTo(missing);
      if (!part) break;
      parts.push(part);
      missing -= part.length;
    }
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  }

  async readExactly(size: number): Promise<Buffer> {
    const bytes = await this.read(size);
    if (bytes.length < size) throw new Error('it ends in the middle of a file');
    return bytes;
  }

  async *stream(size: number): AsyncGenerator<Buffer> {
    for (let missing = size; missing > 0; ) {
      const part = await this.upTo(missing);
      if (!part) throw new Error('it ends in the middle of a file');
      missing -= part.length;
      yield part;
    }
  }

  async skip(size: number): Promise<void> {
    for await (const _part of this.stream(size));
  }

  close(): void {
    this.source.destroy();
  }

  private async upTo(size: number): Promise<Buffer | undefined> {
    while (this.rest.length === 0) {
      const next = await this.pieces.next();
      if (next.done) return undefined;
      this.rest = next.value;
    }
    const part = this.rest.subarray(0, size);
    this.rest = this.rest.subarray(size);
    return part;
  }
}
