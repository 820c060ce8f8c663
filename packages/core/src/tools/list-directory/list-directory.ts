/** `list_directory`: the entries of one folder. */
import type { MessageBus } from '../../bus/message-bus.js';
import { realPathOf } from '../../platform/files/real-path.js';
import type { PolicyUpdateOptions } from '../../protocol/confirmation.js';
import { LIST_DIRECTORY } from '../../protocol/tool-names.js';
import type { FileHost, WorkspaceHost } from '../../workspace/host.js';
import { onOneLine, relativeToRoot, shortenPath } from '../../workspace/tool-path.js';
import { describeTool } from '../describe-tool.js';
import { FILTERING_SCHEMA, type FilteringParam, filteringOptions } from '../filtering-param.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { acceptSynonyms, pathOf, pathProblem, pathRule } from '../path-param.js';
import { ToolErrorType } from '../tool-error.js';
import { BaseDeclarativeTool, Kind, type ToolLocation, type ToolResult, toolFailure } from '../tools.js';
import prose from './list-directory.md';
import { type DirectoryEntry, type Listing, listDirectory, NotADirectoryError } from './list-entries.js';

export interface LSToolParams {
  dir_path: string;
  /** Globs on the base name. */
  ignore?: string[];
  file_filtering_options?: FilteringParam;
}

export type LSHost = Pick<WorkspaceHost, 'getTargetDir' | 'getEnvironment' | 'validatePathAccess'> &
  Pick<FileHost, 'getFileService' | 'getFileFilteringOptions'>;

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: {
    dir_path: { type: 'string' },
    ignore: { type: 'array', items: { type: 'string' } },
    file_filtering_options: FILTERING_SCHEMA,
  },
  required: ['dir_path'],
});

export class LSTool extends BaseDeclarativeTool<LSToolParams, ToolResult> {
  static readonly Name = LIST_DIRECTORY;

  constructor(
    private readonly host: LSHost,
    messageBus: MessageBus,
  ) {
    super(LSTool.Name, 'ReadFolder', description, Kind.Search, schema, messageBus);
  }

  protected override normalizeParams(params: LSToolParams): LSToolParams {
    return acceptSynonyms(params, { path: 'dir_path', directory: 'dir_path', file_path: 'dir_path' });
  }

  protected override validateToolParamValues(params: LSToolParams): string | null {
    return pathProblem(this.host, 'dir_path', params.dir_path, 'read');
  }

  protected createInvocation(...call: InvocationArguments<LSToolParams>) {
    return new LSInvocation(this.host, ...call);
  }
}

class LSInvocation extends HostedInvocation<LSHost, LSToolParams> {
  private readonly path = pathOf(this.host, this.params.dir_path);

  getDescription(): string {
    return shortenPath(relativeToRoot(this.host, this.path));
  }

  override toolLocations(): ToolLocation[] {
    return [{ path: this.path }];
  }

  protected override getPolicyUpdateOptions(): PolicyUpdateOptions {
    return pathRule(this.path);
  }

  protected async run(): Promise<ToolResult> {
    const realPath = realPathOf(this.path);
    const refusal = this.host.validatePathAccess(realPath, 'read');
    if (refusal) return toolFailure(refusal, ToolErrorType.PATH_NOT_IN_WORKSPACE);
    try {
      const listing = listDirectory(realPath, {
        files: this.host.getFileService(),
        filtering: filteringOptions(this.host, this.params.file_filtering_options),
        ignore: this.params.ignore ?? [],
      });
      return describe(this.path, listing);
    } catch (error) {
      if (error instanceof NotADirectoryError) {
        return toolFailure(error.message, ToolErrorType.PATH_IS_NOT_A_DIRECTORY);
      }
      const reason = error instanceof Error ? error.message : String(error);
      return toolFailure(`Error listing directory ${this.path}: ${reason}`, ToolErrorType.LS_EXECUTION_ERROR);
    }
  }
}

function describe(path: string, { entries, ignored }: Listing): ToolResult {
  if (entries.length === 0 && ignored === 0) {
    return { llmContent: `Directory ${path} is empty.`, returnDisplay: 'Directory is empty.' };
  }
  const lines = entries.map(lineOf);
  const note = ignored > 0 ? `(${ignored} ignored)` : '';
  const summary = `Found ${entries.length} item(s).${note && ` ${note}`}`;
  return {
    llmContent: [`Directory listing for ${path}:`, ...lines, ...(note ? ['', note] : [])].join('\n'),
    returnDisplay: { summary, files: lines },
  };
}

function lineOf({ name, isDirectory, size }: DirectoryEntry): string {
  const shown = onOneLine(name);
  return isDirectory ? `[DIR] ${shown}` : `${shown} (${size} bytes)`;
}
