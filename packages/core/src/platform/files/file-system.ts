/** File access for tools. `ConfigParameters.fileSystem` can replace it. */
import { replaceFile, type WriteOptions } from './atomic-write.js';
import { FileError } from './file-error.js';
import { type FileVersion, inspectFile, type ReadOptions, readFileBytes } from './safe-read.js';
import { decodeText, encodeText, type TextFormat, UTF8 } from './text-encoding.js';

export interface TextFile {
  /** Without the byte order mark; line ends as they are in the file. */
  text: string;
  format: TextFormat;
  /** Absent when the text comes from an editor's buffer. */
  version?: FileVersion;
}

export interface FileFacts {
  realPath: string;
  size: number;
}

/**
 * Reads and writes files by absolute path. All methods reject with a `FileError`; for a missing file with `missing`.
 * Links are followed; only regular files are read and replaced. Every method calls `authorize` with the real path
 * before it touches it. A replacement (editor buffers, a remote disk) must pass files it does not have to a
 * `StandardFileSystemService`: plans, memory and long tool outputs are outside the workspace.
 */
export interface FileSystemService {
  /** Does not open the file. */
  inspect(path: string, options?: ReadOptions): Promise<FileFacts>;
  readBytes(path: string, options?: ReadOptions): Promise<Buffer>;
  readTextFile(path: string, options?: ReadOptions): Promise<TextFile>;
  /** Atomic. Creates missing parent directories. */
  writeTextFile(path: string, text: string, format?: TextFormat, options?: WriteOptions): Promise<void>;
}

/** Uses synchronous calls: for the allowed sizes they are faster than the thread pool. */
export class StandardFileSystemService implements FileSystemService {
  async inspect(path: string, options?: ReadOptions): Promise<FileFacts> {
    const { realPath, version } = inspectFile(path, options);
    return { realPath, size: version.size };
  }

  async readBytes(path: string, options?: ReadOptions): Promise<Buffer> {
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

export type { FileVersion, ReadOptions, TextFormat, WriteOptions };
