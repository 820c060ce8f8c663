/** `read_file`: one file, or a range of its lines. */
import type { MessageBus } from '../../bus/message-bus.js';
import { FileError } from '../../platform/files/file-error.js';
import { realPathOf } from '../../platform/files/real-path.js';
import type { PolicyUpdateOptions } from '../../protocol/confirmation.js';
import { READ_FILE } from '../../protocol/tool-names.js';
import type { FileHost } from '../../workspace/host.js';
import { relativeToRoot, shortenPath } from '../../workspace/tool-path.js';
import { describeTool } from '../describe-tool.js';
import { fileFailure } from '../file-failure.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { MAX_LINE_LENGTH } from '../long-lines.js';
import {
  acceptSynonyms,
  accessProblem,
  type PathCheckHost,
  pathOf,
  pathProblem,
  pathRule,
} from '../path-param.js';
import { ToolErrorType } from '../tool-error.js';
import { BaseDeclarativeTool, Kind, type ToolLocation, type ToolResult, toolFailure } from '../tools.js';
import { type FileContent, readContent } from './read-content.js';
import prose from './read-file.md';
import type { SelectedLines } from './select-lines.js';

export interface ReadFileToolParams {
  file_path: string;
  /** 1-based. */
  start_line?: number;
  /** Inclusive. */
  end_line?: number;
  /** Older form: lines to skip. */
  offset?: number;
  /** Older form: how many lines. */
  limit?: number;
}

export type ReadFileHost = PathCheckHost &
  Pick<FileHost, 'getFileSystemService' | 'getFileService' | 'getFileFilteringOptions'>;

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: {
    file_path: { type: 'string' },
    start_line: { type: 'integer', minimum: 1 },
    end_line: { type: 'integer', minimum: 1 },
  },
  required: ['file_path'],
});

export class ReadFileTool extends BaseDeclarativeTool<ReadFileToolParams, ToolResult> {
  static readonly Name = READ_FILE;

  constructor(
    private readonly host: ReadFileHost,
    messageBus: MessageBus,
  ) {
    super(ReadFileTool.Name, 'ReadFile', description, Kind.Read, schema, messageBus);
  }

  protected override normalizeParams(params: ReadFileToolParams): ReadFileToolParams {
    return lineRangeOf(acceptSynonyms(params, { absolute_path: 'file_path', path: 'file_path' }));
  }

  protected override validateToolParamValues(params: ReadFileToolParams): string | null {
    const { offset, limit, start_line = 1, end_line } = params;
    // Valid values have been converted to a line range by now.
    if (offset !== undefined) return 'Offset must be a non-negative number';
    if (limit !== undefined) return 'Limit must be a positive number';
    if (end_line !== undefined && start_line > end_line)
      return 'start_line must not be greater than end_line';
    return (
      pathProblem(this.host, 'file_path', params.file_path, 'read') ?? this.ignoreProblem(params.file_path)
    );
  }

  protected createInvocation(...call: InvocationArguments<ReadFileToolParams>) {
    return new ReadFileInvocation(this.host, ...call);
  }

  /** A link must not show a file that is ignored. */
  private ignoreProblem(rawPath: string): string | null {
    const path = pathOf(this.host, rawPath);
    const options = this.host.getFileFilteringOptions();
    const files = this.host.getFileService();
    const ignored = [...new Set([path, realPathOf(path)])].some((candidate) =>
      files.shouldIgnoreFile(candidate, options),
    );
    return ignored ? `File path '${path}' is ignored by configured ignore patterns.` : null;
  }
}

class ReadFileInvocation extends HostedInvocation<ReadFileHost, ReadFileToolParams> {
  private readonly path = pathOf(this.host, this.params.file_path);

  getDescription(): string {
    const { start_line, end_line } = this.params;
    const path = shortenPath(relativeToRoot(this.host, this.path));
    if (start_line === undefined && end_line === undefined) return path;
    return `${path} (lines ${start_line ?? 1}-${end_line ?? 'end'})`;
  }

  override toolLocations(): ToolLocation[] {
    return [{ path: this.path, line: this.params.start_line }];
  }

  protected override getPolicyUpdateOptions(): PolicyUpdateOptions {
    return pathRule(this.path);
  }

  protected async run(): Promise<ToolResult> {
    const shown = relativeToRoot(this.host, this.path);
    const range = { start: this.params.start_line, end: this.params.end_line };
    try {
      const content = await readContent(this.host.getFileSystemService(), this.path, range, {
        authorize: (realPath) => accessProblem(this.host, realPath, 'read'),
      });
      return resultOf(content, shown);
    } catch (error) {
      if (error instanceof FileError && error.problem === 'binary') {
        const message = `Cannot display content of binary file: ${shown}`;
        return toolFailure(message, ToolErrorType.READ_CONTENT_FAILURE);
      }
      return fileFailure(error, this.path, ToolErrorType.READ_CONTENT_FAILURE);
    }
  }
}

function resultOf(content: FileContent, shown: string): ToolResult {
  if (content.kind === 'media') {
    return { llmContent: content.part, returnDisplay: `Read ${content.type} file: ${shown}` };
  }
  const { lines, isSvg } = content;
  const { start, end, total, text, shortened } = lines;
  if (start > Math.max(total, 1)) {
    const message = `start_line ${start} is past the end of ${shown}, which has ${total} lines.`;
    return toolFailure(message, ToolErrorType.INVALID_TOOL_PARAMS);
  }
  const isPart = start > 1 || end < total;
  if (!isPart && !shortened) {
    return { llmContent: text, returnDisplay: isSvg ? `Read SVG as text: ${shown}` : '' };
  }
  const display = `Read lines ${start}-${end} of ${total} from ${shown}`;
  return {
    llmContent: `${truncationHeader(lines)}\n${text}`,
    returnDisplay: shortened ? `${display} (some lines were shortened)` : display,
  };
}

/** Tells the model what it does not see and how to see it. */
function truncationHeader({ start, end, total, shortened }: SelectedLines): string {
  const actions: string[] = [];
  if (end < total) actions.push(`To read more, call read_file with start_line: ${end + 1}.`);
  else if (start > 1) actions.push('This is the end of the file; earlier lines need a smaller start_line.');
  if (shortened) {
    actions.push(`Lines over ${MAX_LINE_LENGTH} characters were cut; search them with grep_search.`);
  }
  return [
    'IMPORTANT: The file content has been truncated.',
    `Status: Showing lines ${start}-${end} of ${total} total lines.`,
    `Action: ${actions.join(' ')}`,
    '',
    '--- FILE CONTENT (truncated) ---',
  ].join('\n');
}

/** Converts `offset` and `limit` to a line range; invalid values stay for the validation to report. */
function lineRangeOf(params: ReadFileToolParams): ReadFileToolParams {
  const { offset, limit, ...rest } = params;
  if (offset === undefined && limit === undefined) return params;
  if (rest.start_line !== undefined || rest.end_line !== undefined) return rest;
  if (offset !== undefined && !(Number.isInteger(offset) && offset >= 0)) return params;
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) return { ...rest, limit };
  const skipped = offset ?? 0;
  return { ...rest, start_line: skipped + 1, ...(limit === undefined ? {} : { end_line: skipped + limit }) };
}
