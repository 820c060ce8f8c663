/** `write_file`: creates a file or replaces its whole content. */
import type { MessageBus } from '../../bus/message-bus.js';
import { isDirectory } from '../../platform/files/try-read.js';
import type { ToolEditConfirmationDetails } from '../../protocol/confirmation.js';
import { WRITE_FILE } from '../../protocol/tool-names.js';
import type { FileHost, WorkspaceHost } from '../../workspace/host.js';
import { relativeToRoot, shortenPath } from '../../workspace/tool-path.js';
import { describeTool } from '../describe-tool.js';
import type { Approval } from '../file-change.js';
import { FileChangeInvocation } from '../file-change-invocation.js';
import type { InvocationArguments } from '../hosted-invocation.js';
import { findOmissions, omissionProblem } from '../omission.js';
import { acceptSynonyms, pathOf, pathProblem } from '../path-param.js';
import { BaseDeclarativeTool, Kind, type ToolResult } from '../tools.js';
import type { WriteFileToolParams } from './params.js';
import prose from './write-file.md';

export type WriteFileHost = Pick<WorkspaceHost, 'getTargetDir' | 'getEnvironment' | 'validatePathAccess'> &
  Pick<FileHost, 'getFileSystemService'>;

export type { WriteFileToolParams };

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: { file_path: { type: 'string' }, content: { type: 'string' } },
  required: ['file_path', 'content'],
});

export class WriteFileTool extends BaseDeclarativeTool<WriteFileToolParams, ToolResult> {
  static readonly Name = WRITE_FILE;

  constructor(
    private readonly host: WriteFileHost,
    messageBus: MessageBus,
  ) {
    super(WriteFileTool.Name, 'WriteFile', description, Kind.Edit, schema, messageBus);
  }

  protected override normalizeParams(params: WriteFileToolParams): WriteFileToolParams {
    return acceptSynonyms(params, { absolute_path: 'file_path', path: 'file_path' });
  }

  protected override validateToolParamValues(params: WriteFileToolParams): string | null {
    const problem = pathProblem(this.host, 'file_path', params.file_path, 'write');
    if (problem) return problem;
    const path = pathOf(this.host, params.file_path);
    if (isDirectory(path)) return `Path is a directory, not a file: ${path}`;
    const placeholder = findOmissions(params.content)[0];
    return placeholder ? omissionProblem('content', placeholder) : null;
  }

  protected createInvocation(...call: InvocationArguments<WriteFileToolParams>) {
    return new WriteFileInvocation(this.host, ...call);
  }
}

class WriteFileInvocation extends FileChangeInvocation<WriteFileHost, WriteFileToolParams> {
  getDescription(): string {
    return `Writing to ${shortenPath(relativeToRoot(this.host, this.path))}`;
  }

  protected paramsFor(content: string): Partial<WriteFileToolParams> {
    return { content };
  }

  protected async propose(onConfirm: ToolEditConfirmationDetails['onConfirm']) {
    const { proposeWrite } = await import('./perform-write.js');
    return (await proposeWrite(this.host, this.path, this.params, onConfirm)) ?? false;
  }

  protected async perform(approval: Approval): Promise<ToolResult> {
    const { performWrite } = await import('./perform-write.js');
    return performWrite(this.host, this.path, this.params, approval);
  }
}
