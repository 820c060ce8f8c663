/** The files of the user's machine as tools see them. An editor may put its own implementation in place. */
import { replaceFile, type WriteOptions } from './atomic-write.js';
import { FileError } from './file-error.js';
import {
  type FileFacts,
  type FileVersion,
  inspectFile,
  type ReadOptions,
  readFileBytes,
} from './safe-read.js';
import { decodeText, encodeText, type TextFormat, UTF8 } from './text-encoding.js';

export interface TextFile {
  /** Without the byte order mark; line ends as they are in the file. */
  text: string;
  format: TextFormat;
  /** Absent when the text comes from an editor's buffer. */
  version?: FileVersion;
}

/** All methods throw `FileError`. Links are followed; only regular files are read and replaced. */
export interface FileSystemService {
  /** Looks without opening. */
  inspect(path: string, options?: ReadOptions): FileFacts;
  readBytes(path: string, options?: ReadOptions): Buffer;
  readTextFile(path: string, options?: ReadOptions): Promise<TextFile>;
  /** All or nothing. Missing parent directories are created. */
  writeTextFile(path: string, text: string, format?: TextFormat, options?: WriteOptions): Promise<void>;
}

/** Synchronous underneath: for the sizes allowed here that is faster than the thread pool. */
export class StandardFileSystemService implements FileSystemService {
  inspect(path: string, options?: ReadOptions): FileFacts {
    return inspectFile(path, options);
  }

  readBytes(path: string, options?: ReadOptions): Buffer {
    return readFileBytes(path, options).bytes;
  }

  async readTextFile(path: string, options?: ReadOptions): Promise<TextFile> {
    const { bytes, version } = readFileBytes(path, options);
    const decoded = await decodeText(bytes);
    if (!decoded) throw new FileError('binary', `Binary file: ${path}`);
    return { ...decoded, version };
  }

  async writeTextFile(
    path: string,
    text: string,
    format: TextFormat = UTF8,
    options?: WriteOptions,
  ): Promise<void> {
    const bytes = await encodeText(text, format);
    replaceFile(path, bytes, options);
  }
}

export type { FileFacts, FileVersion, ReadOptions, TextFormat, WriteOptions };
