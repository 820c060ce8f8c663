/** Errors of file operations, worded so that the model can act on them. */
import { codeOf, ModelError, messageOf } from '../../base/errors.js';

export type FileProblem =
  | 'missing'
  | 'directory'
  /** FIFO, device, socket: reading could block or never end. */
  | 'special'
  | 'too_large'
  | 'binary'
  | 'denied'
  | 'no_space'
  /** Another program changed the file between reading and writing. */
  | 'changed'
  /** `authorize` refused the path. */
  | 'refused'
  /** The text has characters that the file's encoding lacks. */
  | 'unencodable'
  | 'io';

export class FileError extends ModelError {
  override readonly name = 'FileError';
  constructor(
    readonly problem: FileProblem,
    message: string,
    cause?: unknown,
  ) {
    super(message, { code: problem, cause });
  }
}

export function toFileError(error: unknown, path: string): FileError {
  if (error instanceof FileError) return error;
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new FileError('missing', `File not found: ${path}`, error);
    case 'EISDIR':
      return new FileError('directory', `Path is a directory, not a file: ${path}`, error);
    case 'EACCES':
    case 'EPERM':
      return new FileError('denied', `Permission denied: ${path}`, error);
    case 'EROFS':
      return new FileError('denied', `Permission denied: ${path} is on a read-only file system.`, error);
    case 'ENOSPC':
    case 'EDQUOT':
      return new FileError('no_space', `No space left on device: ${path}`, error);
    case 'ENAMETOOLONG':
      return new FileError('io', `The name is too long for the file system: ${path.slice(0, 120)}...`, error);
    case 'ELOOP':
      return new FileError('io', `Symbolic links form a loop: ${path}`, error);
    case 'EAGAIN':
      return new FileError('special', `Not a regular file: reading ${path} would wait for data.`, error);
    default:
      return new FileError('io', `${path}: ${messageOf(error)}`, error);
  }
}
