/** Failed file operations as tool results. */
import { codeOf } from '../base/errors.js';
import { FileError, type FileProblem, toFileError } from '../platform/files/file-error.js';
import { ToolErrorType } from './tool-error.js';
import { type ToolResult, toolFailure } from './tools.js';

/** @param other the error type for problems without one of their own */
export function fileFailure(error: unknown, path: string, other: ToolErrorType): ToolResult {
  const { message, type } = describeFileFailure(error, path, other);
  return toolFailure(message, type);
}

export function describeFileFailure(
  error: unknown,
  path: string,
  other: ToolErrorType,
): { message: string; type: ToolErrorType } {
  // A bug in this program must not be reported as a problem of the file.
  if (!(error instanceof FileError) && codeOf(error) === undefined) throw error;
  const { problem, message } = toFileError(error, path);
  return { message, type: TYPES[problem] ?? other };
}

const TYPES: Partial<Record<FileProblem, ToolErrorType>> = {
  missing: ToolErrorType.FILE_NOT_FOUND,
  directory: ToolErrorType.TARGET_IS_DIRECTORY,
  too_large: ToolErrorType.FILE_TOO_LARGE,
  denied: ToolErrorType.PERMISSION_DENIED,
  no_space: ToolErrorType.NO_SPACE_LEFT,
  refused: ToolErrorType.PATH_NOT_IN_WORKSPACE,
};
