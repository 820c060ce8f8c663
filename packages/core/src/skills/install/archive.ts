/** Extracts a `.skill` archive (zip) into an empty folder. Archives are hostile until shown otherwise. */
import { createWriteStream, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Entry, ZipFile } from 'yauzl';
import { messageOf } from '../../base/errors.js';
import { SkillInstallError } from './error.js';

export interface ArchiveLimits {
  /** Of the file itself. */
  archiveBytes: number;
  /** Of all files together, extracted. */
  totalBytes: number;
  entries: number;
  /** Extracted size by archive size, once it is over `ratioFromBytes`. */
  ratio: number;
  ratioFromBytes: number;
}

const MB = 1024 * 1024;
/** Of most file systems. */
const MAX_NAME_BYTES = 255;

export const ARCHIVE_LIMITS: ArchiveLimits = {
  archiveBytes: 50 * MB,
  totalBytes: 100 * MB,
  entries: 5_000,
  ratio: 100,
  ratioFromBytes: 5 * MB,
};

/** @throws SkillInstallError; what was extracted before may be left in `into` */
export async function extractArchive(file: string, into: string, limits = ARCHIVE_LIMITS): Promise<void> {
  const { size } = statSync(file);
  if (size > limits.archiveBytes)
    throw new SkillInstallError(`${file} is larger than ${limits.archiveBytes / MB} MB.`);
  const zip = await open(file);
  const seen = new Set<string>();
  const extracted = { bytes: 0 };
  try {
    if (zip.entryCount > limits.entries)
      throw new SkillInstallError(`${file} has more than ${limits.entries} entries.`);
    for (let entry = await next(zip); entry; entry = await next(zip)) {
      const path = checkedPath(entry, seen, file);
      if (seen.size > limits.entries)
        throw new SkillInstallError(`${file} has more than ${limits.entries} entries.`);
      if (entry.fileName.endsWith('/')) {
        mkdirSync(join(into, path), { recursive: true });
        continue;
      }
      await extract(zip, entry, join(into, path), () => bound(extracted, { limits, size, file }));
    }
  } catch (error) {
    if (error instanceof SkillInstallError) throw error;
    throw new SkillInstallError(`${file} cannot be extracted: ${messageOf(error)}`, { cause: error });
  } finally {
    zip.close();
  }
}

/** A relative path below the folder. */
function checkedPath(
  { fileName, externalFileAttributes, generalPurposeBitFlag }: Entry,
  seen: Set<string>,
  file: string,
) {
  const shown = fileName.length > 80 ? `${fileName.slice(0, 80)}…` : fileName;
  const refuse = (why: string) => new SkillInstallError(`${file} is refused: "${shown}" ${why}.`);
  const parts = fileName.replace(/\/$/, '').split('/');
  if (/[\0-\x1f\x7f\\:]/.test(fileName) || fileName.startsWith('/'))
    throw refuse('is not a plain relative path');
  if (parts.some((part) => part === '..' || part === '.' || part === ''))
    throw refuse('would leave the folder of the skill');
  if (parts.some((part) => Buffer.byteLength(part) > MAX_NAME_BYTES)) throw refuse('has too long a name');
  // The upper half is the Unix mode; a type other than file or folder is a link, device or pipe.
  const type = (externalFileAttributes >>> 16) & 0o170000;
  if (type !== 0 && type !== 0o100000 && type !== 0o040000) throw refuse('is a link or special file');
  if ((generalPurposeBitFlag & 1) !== 0) throw refuse('is encrypted');
  const key = parts.join('/').normalize('NFC').toLowerCase();
  if (seen.has(key)) throw refuse('is there twice');
  seen.add(key);
  return parts.join('/');
}

/** Counts what is really extracted: sizes in the archive may lie. */
function bound(
  extracted: { bytes: number },
  { limits, size, file }: { limits: ArchiveLimits; size: number; file: string },
): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      extracted.bytes += chunk.length;
      const { bytes } = extracted;
      if (bytes > limits.totalBytes)
        done(
          new SkillInstallError(`${file} is refused: it extracts to more than ${limits.totalBytes / MB} MB.`),
        );
      else if (bytes > limits.ratioFromBytes && bytes > size * limits.ratio)
        done(
          new SkillInstallError(
            `${file} is refused: it extracts to more than ${limits.ratio} times its size.`,
          ),
        );
      else done(null, chunk);
    },
  });
}

async function extract(zip: ZipFile, entry: Entry, target: string, limiter: () => Transform): Promise<void> {
  mkdirSync(dirname(target), { recursive: true });
  const isProgram = ((entry.externalFileAttributes >>> 16) & 0o100) !== 0;
  await pipeline(
    await openEntry(zip, entry),
    limiter(),
    createWriteStream(target, { flags: 'wx', mode: isProgram ? 0o755 : 0o644 }),
  );
}

async function open(file: string): Promise<ZipFile> {
  const { default: yauzl } = await import('yauzl');
  return new Promise((resolve, reject) => {
    yauzl.open(file, { lazyEntries: true, autoClose: false, validateEntrySizes: true }, (error, zip) => {
      if (error)
        reject(
          new SkillInstallError(`${file} is not a skill archive: ${messageOf(error)}`, { cause: error }),
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
