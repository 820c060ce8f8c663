/** Reads one context file: a regular text file of limited size in an allowed place. */
import { FileError, toFileError } from '../platform/files/file-error.js';
import { type FileVersion, readFileBytes } from '../platform/files/safe-read.js';
import { decodeText } from '../platform/files/text-encoding.js';

/** A larger file is a mistake and would fill the model's context window. */
const MAX_CONTEXT_BYTES = 256 * 1024;

export interface ContextText {
  realPath: string;
  version: FileVersion;
  text: string;
  bytes: number;
}

/** @throws FileError */
export async function readContextText(
  path: string,
  authorize: (realPath: string) => string | null,
): Promise<ContextText> {
  try {
    const { realPath, version, bytes } = readFileBytes(path, { limit: MAX_CONTEXT_BYTES, authorize });
    const decoded = await decodeText(bytes);
    if (!decoded) throw new FileError('binary', `${path} is not text.`);
    return { realPath, version, text: decoded.text.replaceAll('\r\n', '\n'), bytes: bytes.length };
  } catch (error) {
    const failure = toFileError(error, path);
    if (failure.problem !== 'too_large') throw failure;
    throw new FileError(
      'too_large',
      `${path} is larger than ${MAX_CONTEXT_BYTES / 1024} KB, the most a context file may have.`,
    );
  }
}
