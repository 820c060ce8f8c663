/** Extracts a zip archive into an empty folder. */
import { statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';
import { messageOf } from '../../base/errors.js';
import { ArchiveError, Extraction, type ExtractOptions } from './extraction.js';

const FILE = 0o100000;
const FOLDER = 0o040000;
const LINK = 0o120000;
const MAX_LINK_BYTES = 4_096;

/** @throws ArchiveError; what was extracted before may be left in `into` */
export async function extractZip(file: string, into: string, options: ExtractOptions): Promise<void> {
  const extraction = new Extraction(file, into, statSync(file).size, options);
  const zip = await open(file, options.what);
  try {
    extraction.requireEntries(zip.entryCount);
    for (let entry = await next(zip); entry; entry = await next(zip)) await extract(zip, entry, extraction);
    extraction.finish();
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError(`${file} cannot be extracted: ${messageOf(error)}`, { cause: error });
  } finally {
    zip.close();
  }
}

async function extract(zip: ZipFile, entry: Entry, extraction: Extraction): Promise<void> {
  const { fileName, externalFileAttributes, generalPurposeBitFlag } = entry;
  // The upper half is the Unix mode; a type other than file, folder or link is a device or pipe.
  const mode = externalFileAttributes >>> 16;
  const type = mode & 0o170000;
  if (type !== 0 && type !== FILE && type !== FOLDER && type !== LINK)
    throw extraction.refusal(fileName, 'is a link or special file');
  if ((generalPurposeBitFlag & 1) !== 0) throw extraction.refusal(fileName, 'is encrypted');
  if (type === LINK) return extraction.link(fileName, await linkTarget(zip, entry));
  if (fileName.endsWith('/')) return extraction.folder(fileName);
  await extraction.writeFile(fileName, await openEntry(zip, entry), (mode & 0o100) !== 0);
}

async function linkTarget(zip: ZipFile, entry: Entry): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of await openEntry(zip, entry)) {
    pieces.push(piece as Buffer);
    size += (piece as Buffer).length;
    if (size > MAX_LINK_BYTES) return '';
  }
  return Buffer.concat(pieces).toString('utf8');
}

async function open(file: string, what: string): Promise<ZipFile> {
  const { default: yauzl } = await import('yauzl');
  const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true };
  return new Promise((resolve, reject) => {
    yauzl.open(file, options, (error, zip) => {
      if (error)
        reject(
          new ArchiveError(
            `${file} is not ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what} archive: ${messageOf(error)}`,
            { cause: error },
          ),
        );
      else resolve(zip);
    });
  });
}

function next(zip: ZipFile): Promise<Entry | undefined> {
  return new Promise((resolve, reject) => {
    const settle = (work: () => void) => {
      zip.off('entry', onEntry).off('end', onEnd).off('error', onError);
      work();
    };
    const onEntry = (entry: Entry) => settle(() => resolve(entry));
    const onEnd = () => settle(() => resolve(undefined));
    const onError = (error: Error) => settle(() => reject(error));
    zip.once('entry', onEntry).once('end', onEnd).once('error', onError);
    zip.readEntry();
  });
}

function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  });
}
