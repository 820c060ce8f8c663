/** What the user is told of hooks: their messages, and one warning per event that names those that failed. */
import type { AgentEventBody, AgentRef } from '../protocol/agent-events.js';
import { isDenial } from './decision.js';
import { hookName } from './registry.js';
import { HookEventName, type HookExecutionResult } from './types.js';

export interface HookMessageOptions {
  emit: (body: AgentEventBody, agent: AgentRef) => void;
  redact: (text: string) => string;
  /** A question will show the message of a hook that wants one. */
  canAsk: () => boolean;
}

/** Of one message; a hook may print megabytes. */
const MAX_CHARACTERS = 10_000;

/** Events whose hooks cannot refuse anything: the reason is shown instead. */
const WITHOUT_REFUSAL: ReadonlySet<HookEventName> = new Set([
  HookEventName.SessionStart,
  HookEventName.SessionEnd,
  HookEventName.PreCompress,
  HookEventName.Notification,
  HookEventName.BeforeToolSelection,
]);

export class HookMessages {
  /** Told before, by what the events belong to. */
  private readonly told = new WeakMap<object, Set<string>>();

  constructor(private readonly options: HookMessageOptions) {}

  /** @param once events of the same object tell each message only once */
  tell(event: HookEventName, results: readonly HookExecutionResult[], agent: AgentRef, once?: object): void {
    for (const result of results) {
      const message = this.messageOf(event, result);
      if (message)
        this.emit({ event, name: hookName(result.hookConfig), level: 'info', message }, agent, once);
    }
    const failed = results.filter(({ warning }) => warning !== undefined);
    const [only] = failed;
    if (!only) return;
    const names = failed.map(({ hookConfig }) => hookName(hookConfig));
    const message =
      failed.length === 1
        ? (only.warning ?? '')
        : failed.map(({ warning }, index) => `${names[index]}: ${warning}`).join('\n');
    this.emit({ event, name: names.join(', '), level: 'warning', message }, agent, once);
  }

  private messageOf(event: HookEventName, { success, output }: HookExecutionResult): string | undefined {
    if (!success || !output) return undefined;
    const { systemMessage, suppressOutput, decision, reason } = output;
    const denied = WITHOUT_REFUSAL.has(event) && isDenial(decision) ? reason : undefined;
    if (suppressOutput) return undefined;
    // The line about the stop, or the question, shows it.
    if (output.continue === false && !WITHOUT_REFUSAL.has(event)) return undefined;
    if (decision === 'ask' && event === HookEventName.BeforeTool && this.options.canAsk()) return undefined;
    return systemMessage || denied;
  }

  private emit(
    body: Omit<Extract<AgentEventBody, { type: 'hook_message' }>, 'type'>,
    agent: AgentRef,
    once?: object,
  ): void {
    if (once && !this.isNew(once, `${body.level} ${body.name} ${body.message}`)) return;
    const text = this.options.redact(body.message);
    const message = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
    this.options.emit(
      { type: 'hook_message', ...body, name: this.options.redact(body.name), message },
      agent,
    );
  }

  private isNew(once: object, key: string): boolean {
    const told = this.told.get(once) ?? new Set();
    this.told.set(once, told);
    if (told.has(key)) return false;
    told.add(key);
    return true;
  }
}
