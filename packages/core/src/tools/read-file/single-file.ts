/** Reads one file for tools written against the library. */
import { messageOf } from '../../base/errors.js';
import { FileError } from '../../platform/files/file-error.js';
import type { FileSystemService } from '../../platform/files/file-system.js';
import type { PartUnion } from '../../protocol/messages.js';
import { makeRelative } from '../../workspace/tool-path.js';
import { describeFileFailure } from '../file-failure.js';
import { ToolErrorType } from '../tool-error.js';
import { readContent } from './read-content.js';

export interface ProcessedFileReadResult {
  llmContent: PartUnion;
  returnDisplay: string;
  error?: string;
  errorType?: ToolErrorType;
  isTruncated?: boolean;
  /** First and last line in `llmContent`, from 1. */
  linesShown?: [number, number];
  originalLineCount?: number;
}

/**
 * The caller checks access. Failures are part of the result.
 * @param offset lines to skip
 * @param limit how many lines; absent: as many as one call may show
 */
export async function processSingleFileContent(
  filePath: string,
  rootDirectory: string,
  fileSystem: FileSystemService,
  offset = 0,
  limit?: number,
): Promise<ProcessedFileReadResult> {
  const shown = makeRelative(filePath, rootDirectory);
  const range = { start: offset + 1, ...(limit !== undefined && { end: offset + limit }) };
  try {
    const content = await readContent(fileSystem, filePath, range, {});
    if (content.kind === 'media') {
      return { llmContent: content.part, returnDisplay: `Read ${content.type} file: ${shown}` };
    }
    const { text, start, end, total, shortened } = content.lines;
    const isTruncated = start > 1 || end < total || shortened;
    return {
      llmContent: text,
      returnDisplay: isTruncated ? `Read lines ${start}-${end} of ${total} from ${shown}` : '',
      isTruncated,
      linesShown: [start, end],
      originalLineCount: total,
    };
  } catch (error) {
    return failed(error, filePath);
  }
}

function failed(error: unknown, path: string): ProcessedFileReadResult {
  const isBinary = error instanceof FileError && error.problem === 'binary';
  const { message, type } = isBinary
    ? { message: messageOf(error), type: ToolErrorType.READ_CONTENT_FAILURE }
    : describeFileFailure(error, path, ToolErrorType.READ_CONTENT_FAILURE);
  return { llmContent: message, returnDisplay: message, error: message, errorType: type };
}
