/** `save_memory`: saves one fact for later sessions, as a line in a context file. */
import type { MessageBus } from '../../bus/message-bus.js';
import type {
  ToolCallConfirmationDetails,
  ToolEditConfirmationDetails,
} from '../../protocol/confirmation.js';
import type { FileHost, WorkspaceHost } from '../../workspace/host.js';
import { relativeToRoot, shortenPath } from '../../workspace/tool-path.js';
import { describeTool } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import {
  BaseDeclarativeTool,
  type ExecuteOptions,
  Kind,
  type ModifiableInvocation,
  type ToolLocation,
  type ToolResult,
} from '../tools.js';
import type { SaveMemoryParams } from './params.js';
import prose from './save-memory.md';

export type { SaveMemoryParams };

/** `MemoryContextManager` satisfies it. */
export interface FactFiles {
  fileFor(scope: 'global' | 'project'): string;
  readsProject(): boolean;
}

export type SaveMemoryHost = Pick<WorkspaceHost, 'getTargetDir' | 'getEnvironment' | 'validatePathAccess'> &
  Pick<FileHost, 'getFileSystemService'> & { getMemory(): FactFiles };

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: {
    fact: { type: 'string' },
    scope: { type: 'string', enum: ['global', 'project'] },
  },
  required: ['fact'],
});

export class MemoryTool extends BaseDeclarativeTool<SaveMemoryParams, ToolResult> {
  static readonly Name = 'save_memory';

  constructor(
    private readonly host: SaveMemoryHost,
    messageBus: MessageBus,
  ) {
    super(MemoryTool.Name, 'SaveMemory', description, Kind.Think, schema, messageBus);
  }

  protected override validateToolParamValues({ fact, scope }: SaveMemoryParams): string | null {
    if (fact.trim() === '') return 'params.fact must be non-empty';
    if (scope === 'project' && !this.host.getMemory().readsProject()) {
      return 'The folder is not trusted, so its context file is not read: use the scope "global".';
    }
    return null;
  }

  protected createInvocation(...call: InvocationArguments<SaveMemoryParams>) {
    return new SaveMemoryInvocation(this.host, ...call);
  }
}

class SaveMemoryInvocation
  extends HostedInvocation<SaveMemoryHost, SaveMemoryParams>
  implements ModifiableInvocation
{
  private readonly path = this.host.getMemory().fileFor(this.params.scope ?? 'global');
  /** The content that the user was shown as current. */
  private shownOriginal: string | null | undefined;

  getDescription(): string {
    return `Remember in ${shortenPath(relativeToRoot(this.host, this.path))}: ${this.params.fact}`;
  }

  override toolLocations(): ToolLocation[] {
    return [{ path: this.path }];
  }

  argsForContent(content: string, _details: ToolEditConfirmationDetails): Record<string, unknown> {
    return { ...this.params, modified_content: content };
  }

  protected override async getConfirmationDetails(): Promise<ToolCallConfirmationDetails | false> {
    const { proposeFact } = await import('./perform-save.js');
    const details = await proposeFact(this.host, this.path, this.params, (outcome) =>
      this.publishPolicyUpdate(outcome),
    );
    if (details) this.shownOriginal = details.originalContent;
    return details;
  }

  protected async run({ abortSignal }: ExecuteOptions): Promise<ToolResult> {
    abortSignal.throwIfAborted();
    const { performSave } = await import('./perform-save.js');
    return performSave(this.host, this.path, this.params, this.shownOriginal);
  }
}
