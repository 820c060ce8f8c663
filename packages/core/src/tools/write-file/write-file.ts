/** `write_file`: creates a file or replaces its whole content. */
import { statSync } from 'node:fs';
import type { MessageBus } from '../../bus/message-bus.js';
import type {
  PolicyUpdateOptions,
  ToolCallConfirmationDetails,
  ToolConfirmationOutcome,
  ToolConfirmationPayload,
} from '../../protocol/confirmation.js';
import { WRITE_FILE } from '../../protocol/tool-names.js';
import type { FileHost, WorkspaceHost } from '../../workspace/host.js';
import { relativeToRoot, shortenPath } from '../../workspace/tool-path.js';
import { findOmissions, omissionProblem } from '../omission.js';
import { acceptSynonyms, exactPathRule, pathOf, pathProblem } from '../path-param.js';
import {
  BaseDeclarativeTool,
  BaseToolInvocation,
  type ExecuteOptions,
  Kind,
  type ToolInvocation,
  type ToolLocation,
  type ToolResult,
} from '../tools.js';
import type { WriteFileToolParams } from './params.js';

export type WriteFileHost = Pick<WorkspaceHost, 'getTargetDir' | 'validatePathAccess'> &
  Pick<FileHost, 'getFileSystemService'>;

export type { WriteFileToolParams };

export class WriteFileTool extends BaseDeclarativeTool<WriteFileToolParams, ToolResult> {
  static readonly Name = WRITE_FILE;

  constructor(
    private readonly host: WriteFileHost,
    messageBus: MessageBus,
  ) {
    super(
      WriteFileTool.Name,
      'WriteFile',
      'Creates a file, or replaces all of an existing one; missing folders are made. Prefer replace for small changes.',
      Kind.Edit,
      {
        type: 'object',
        properties: {
          file_path: { type: 'string', description: 'File to write.' },
          content: { type: 'string', description: 'Complete content, without placeholders.' },
        },
        required: ['file_path', 'content'],
      },
      messageBus,
    );
  }

  protected override normalizeParams(params: WriteFileToolParams): WriteFileToolParams {
    return acceptSynonyms(params, 'file_path', ['absolute_path', 'path']);
  }

  protected override validateToolParamValues(params: WriteFileToolParams): string | null {
    const problem = pathProblem(this.host, 'file_path', params.file_path, 'write');
    if (problem) return problem;
    const path = pathOf(this.host, params.file_path);
    if (isDirectory(path)) return `Path is a directory, not a file: ${path}`;
    const placeholder = findOmissions(params.content)[0];
    return placeholder ? omissionProblem('content', placeholder) : null;
  }

  protected createInvocation(
    params: WriteFileToolParams,
    messageBus: MessageBus,
    toolName?: string,
    toolDisplayName?: string,
  ): ToolInvocation<WriteFileToolParams, ToolResult> {
    return new WriteFileInvocation(this.host, params, messageBus, toolName, toolDisplayName);
  }
}

class WriteFileInvocation extends BaseToolInvocation<WriteFileToolParams, ToolResult> {
  private readonly path: string;
  /** The content of the file that the user saw when asked (null: no file). */
  private shownOriginal: string | null | undefined;
  private userContent: string | undefined;

  constructor(
    private readonly host: WriteFileHost,
    params: WriteFileToolParams,
    messageBus: MessageBus,
    toolName?: string,
    toolDisplayName?: string,
  ) {
    super(params, messageBus, toolName, toolDisplayName);
    this.path = pathOf(host, params.file_path);
  }

  getDescription(): string {
    return `Writing to ${shortenPath(relativeToRoot(this.host, this.path))}`;
  }

  override toolLocations(): ToolLocation[] {
    return [{ path: this.path }];
  }

  protected override getPolicyUpdateOptions(): PolicyUpdateOptions {
    return exactPathRule('file_path', this.params.file_path);
  }

  protected override async getConfirmationDetails(): Promise<ToolCallConfirmationDetails | false> {
    const { proposeWrite } = await import('./perform-write.js');
    const details = await proposeWrite(this.host, this.path, this.params, this.confirmed);
    if (!details) return false;
    this.shownOriginal = details.originalContent;
    return details;
  }

  protected async run({ abortSignal }: ExecuteOptions): Promise<ToolResult> {
    const { performWrite } = await import('./perform-write.js');
    abortSignal.throwIfAborted();
    return performWrite(this.host, this.path, this.params, {
      shownOriginal: this.shownOriginal,
      userContent: this.userContent,
    });
  }

  private readonly confirmed = async (
    outcome: ToolConfirmationOutcome,
    payload?: ToolConfirmationPayload,
  ): Promise<void> => {
    this.userContent = payload?.newContent;
    await this.publishPolicyUpdate(outcome);
  };
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Missing, or not to be looked at: the write itself says what is wrong.
    return false;
  }
}
