/** The common base of `write_file` and `replace`: one file, one question to the user, one change. */
import type {
  PolicyUpdateOptions,
  ToolCallConfirmationDetails,
  ToolConfirmationOutcome,
  ToolConfirmationPayload,
  ToolEditConfirmationDetails,
} from '../protocol/confirmation.js';
import type { Approval, ChangeHost } from './file-change.js';
import { HostedInvocation } from './hosted-invocation.js';
import { pathOf, pathRule } from './path-param.js';
import type { ExecuteOptions, ModifiableInvocation, ToolLocation, ToolResult } from './tools.js';

export abstract class FileChangeInvocation<
    THost extends ChangeHost,
    TParams extends { file_path: string; ai_proposed_content?: string },
  >
  extends HostedInvocation<THost, TParams>
  implements ModifiableInvocation
{
  protected readonly path = pathOf(this.host, this.params.file_path);
  private approval: Approval = { shownOriginal: undefined, userContent: undefined };

  /** False when the change cannot be computed; execution then returns the error. */
  protected abstract propose(
    onConfirm: ToolEditConfirmationDetails['onConfirm'],
    signal: AbortSignal,
  ): Promise<ToolEditConfirmationDetails | false>;

  /** The parameters with which this tool replaces `original`, the current content, with `content`. */
  protected abstract paramsFor(content: string, original: string | null): Partial<TParams>;

  protected abstract perform(approval: Approval, signal: AbortSignal): Promise<ToolResult>;

  argsForContent(content: string, details: ToolEditConfirmationDetails): Record<string, unknown> {
    const args = {
      ...this.params,
      ...this.paramsFor(content, details.originalContent),
      modified_by_user: true,
      ai_proposed_content: this.params.ai_proposed_content ?? details.newContent,
    };
    return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
  }

  override toolLocations(): ToolLocation[] {
    return [{ path: this.path }];
  }

  protected override getPolicyUpdateOptions(): PolicyUpdateOptions {
    return pathRule(this.path);
  }

  protected override async getConfirmationDetails(
    signal: AbortSignal,
  ): Promise<ToolCallConfirmationDetails | false> {
    const details = await this.propose(this.confirmed, signal);
    if (details) this.approval.shownOriginal = details.originalContent;
    return details;
  }

  protected async run({ abortSignal }: ExecuteOptions): Promise<ToolResult> {
    abortSignal.throwIfAborted();
    return this.perform(this.approval, abortSignal);
  }

  private readonly confirmed = async (
    outcome: ToolConfirmationOutcome,
    payload?: ToolConfirmationPayload,
  ): Promise<void> => {
    this.approval.userContent = payload?.newContent;
    await this.publishPolicyUpdate(outcome);
  };
}
