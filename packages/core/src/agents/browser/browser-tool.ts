/** A tool of the browser agent, made from an entry of the tables in `tools/`. */
import { untilAborted } from '../../base/concurrency.js';
import type { MessageBus } from '../../bus/message-bus.js';
import { PolicyDecision, type ToolCallConfirmationDetails } from '../../protocol/confirmation.js';
import type { JsonSchema } from '../../protocol/tool-declaration.js';
import { describeTool } from '../../tools/describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../../tools/hosted-invocation.js';
import { ToolCallError, ToolErrorType } from '../../tools/tool-error.js';
import {
  BaseDeclarativeTool,
  type ExecuteOptions,
  Kind,
  type ToolResult,
  toolFailure,
} from '../../tools/tools.js';
import { type BrowserSession, shortMessage } from './browser-session.js';
import type { BrowserAgentHost } from './host.js';
import { type BrowserResponse, toolResultOf } from './response.js';

/** What a tool works with. */
export interface BrowserScene {
  session: BrowserSession;
  host: BrowserAgentHost;
  /** Ends with the call. */
  signal: AbortSignal;
}

export interface BrowserToolEntry<TParams extends object = object> {
  name: string;
  displayName: string;
  /** True: it changes nothing on the page. */
  isReadOnly?: true;
  /** Works while a dialog is open. */
  worksWithDialog?: true;
  schema: JsonSchema;
  /** One line for the user. */
  describe(params: TParams, session: BrowserSession): string;
  /** True: the user is asked in every mode, and the answer counts for this call alone. */
  alwaysAsks?(params: TParams, host: BrowserAgentHost): boolean;
  run(params: TParams, scene: BrowserScene): Promise<BrowserResponse>;
}

/** Keeps the parameter type inside the entry. */
export function browserTool<TParams extends object>(entry: BrowserToolEntry<TParams>): BrowserToolEntry {
  return entry as unknown as BrowserToolEntry;
}

const MAX_DIALOG_TEXT = 2_000;

type Shared = Omit<BrowserScene, 'signal'> & { queue: CallQueue };

export class BrowserTool extends BaseDeclarativeTool<object, ToolResult> {
  constructor(
    private readonly entry: BrowserToolEntry,
    prose: string,
    private readonly shared: Shared,
    messageBus: MessageBus,
  ) {
    const { description, schema } = describeTool(prose, entry.schema);
    super(
      entry.name,
      entry.displayName,
      description,
      entry.isReadOnly ? Kind.Read : Kind.Execute,
      schema,
      messageBus,
    );
  }

  protected createInvocation(...call: InvocationArguments<object>) {
    return new BrowserInvocation({ ...this.shared, entry: this.entry }, ...call);
  }
}

class BrowserInvocation extends HostedInvocation<Shared & { entry: BrowserToolEntry }, object> {
  getDescription(): string {
    return this.host.entry.describe(this.params, this.host.session);
  }

  protected override async getMessageBusDecision(
    abortSignal: AbortSignal,
    forcedDecision?: PolicyDecision,
  ): Promise<PolicyDecision> {
    const decision = await super.getMessageBusDecision(abortSignal, forcedDecision);
    return decision === PolicyDecision.ALLOW && this.alwaysAsks ? PolicyDecision.ASK_USER : decision;
  }

  protected override async getConfirmationDetails(): Promise<ToolCallConfirmationDetails> {
    const url = this.host.session.url();
    return {
      type: 'info',
      title: `Confirm: ${this.host.entry.displayName}`,
      prompt: this.getDescription(),
      ...(url && { urls: [url] }),
      ...(this.alwaysAsks && { onlyOnce: true }),
      onConfirm: (outcome) => this.publishPolicyUpdate(outcome),
    };
  }

  protected run({ abortSignal }: ExecuteOptions): Promise<ToolResult> {
    return this.host.queue.run(() => this.call(abortSignal));
  }

  private get alwaysAsks(): boolean {
    return this.host.entry.alwaysAsks?.(this.params, this.host.host) ?? false;
  }

  private async call(signal: AbortSignal): Promise<ToolResult> {
    const { entry, session, host } = this.host;
    try {
      signal.throwIfAborted();
      session.countAction();
      if (session.dialog && !entry.worksWithDialog) return blockedByDialog(session);
      const response = await untilAborted(entry.run(this.params, { session, host, signal }), signal);
      session.requireGoing();
      return await this.render(response);
    } catch (error) {
      signal.throwIfAborted();
      // Whatever went wrong, a forbidden navigation is the reason to report.
      if (session.stopReason !== undefined) return stopped(session);
      if (error instanceof ToolCallError) return toolFailure(error.message, error.type);
      return toolFailure(shortMessage(error), ToolErrorType.EXECUTION_FAILED);
    }
  }

  private async render(response: BrowserResponse): Promise<ToolResult> {
    const { session } = this.host;
    const notes = session.notes.splice(0);
    const wantsSnapshot = response.snapshot === true && !session.dialog;
    const { pages, snapshot: _, ...rest } = response;
    return toolResultOf({
      ...rest,
      text: [response.text, ...notes].filter(Boolean).join('\n'),
      ...(session.dialog && { dialog: dialogOf(session) }),
      ...(pages && { pages: await pageList(session) }),
      ...(wantsSnapshot && { snapshot: (await session.snapshot()).text }),
    });
  }
}

/** Calls of one task, one after another: a browser has one selected page. */
export class CallQueue {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(call: () => Promise<T>): Promise<T> {
    const next = this.last.then(call, call);
    this.last = next.catch(() => undefined);
    return next;
  }
}

async function pageList(session: BrowserSession): Promise<string> {
  const lines = (await session.pages()).map((state) => {
    const mark = session.isSelected(state) ? ' [selected]' : '';
    return `${state.id}: ${state.page.url()}${mark}`;
  });
  return lines.join('\n');
}

function dialogOf(session: BrowserSession): string {
  const { dialog } = session.dialog ?? {};
  if (!dialog) return '';
  const value =
    dialog.type() === 'prompt' ? ` (default value: ${JSON.stringify(dialog.defaultValue())})` : '';
  return `${dialog.type()}: ${dialog.message().slice(0, MAX_DIALOG_TEXT)}${value}.`;
}

function blockedByDialog(session: BrowserSession): ToolResult {
  const { llmContent } = toolResultOf({ text: '', dialog: dialogOf(session) });
  return toolFailure(String(llmContent), ToolErrorType.EXECUTION_FAILED, 'A dialog is open.');
}

function stopped(session: BrowserSession): ToolResult {
  return toolFailure(`The browser task was stopped. ${session.stopReason}`, ToolErrorType.STOP_EXECUTION);
}
