/**
 * The bus of a sub-agent: the same policy, user and queue of questions, but every message carries the
 * sub-agent's name, and it can neither force a decision nor answer a question.
 */
import { type BusMessage, MessageBusType } from '../protocol/confirmation.js';
import type { FunctionCall } from '../protocol/messages.js';
import {
  type ConfirmOptions,
  type ConfirmRequest,
  type DecideOptions,
  type DecisionSource,
  MessageBus,
  type Verdict,
} from './message-bus.js';

export interface DerivedBusOptions {
  /** Decides instead of the user's policy: for agents whose tools are confined by their host. */
  decisions?: DecisionSource;
}

/** @param name of the sub-agent; under another sub-agent it becomes `parent/child` */
export function deriveBus(
  parent: MessageBus,
  name: string,
  { decisions }: DerivedBusOptions = {},
): MessageBus {
  return parent instanceof SubagentBus
    ? new SubagentBus(parent.root, `${parent.path}/${name}`, decisions)
    : new SubagentBus(parent, name, decisions);
}

class SubagentBus extends MessageBus {
  constructor(
    readonly root: MessageBus,
    readonly path: string,
    private readonly decisions: DecisionSource | undefined,
  ) {
    super({ check: (call, context) => root.decide(call, { ...context, abortSignal: NEVER }) });
  }

  override subscribe: MessageBus['subscribe'] = (type, listener) => this.root.subscribe(type, listener);

  override unsubscribe: MessageBus['unsubscribe'] = (type, listener) => this.root.unsubscribe(type, listener);

  override publish(message: BusMessage): void {
    const isAnswer =
      message.type === MessageBusType.TOOL_CONFIRMATION_RESPONSE ||
      message.type === MessageBusType.ASK_USER_RESPONSE;
    if (message.type === MessageBusType.TOOL_CONFIRMATION_REQUEST) {
      const { forcedDecision: _f, serverName: _s, toolAnnotations: _a, details: _d, ...rest } = message;
      this.root.publish({ ...rest, subagent: this.path });
    } else if (!isAnswer) this.root.publish(message);
  }

  /** Server and annotations come from the registered tool, not from a message. */
  override decide(call: FunctionCall, { forcedDecision: _, ...options }: DecideOptions): Promise<Verdict> {
    const { abortSignal, ...context } = options;
    if (this.decisions && !abortSignal.aborted)
      return this.decisions.check(call, { ...context, subagent: this.path });
    return this.root.decide(call, { ...options, subagent: this.path });
  }

  override confirm(request: ConfirmRequest, options?: ConfirmOptions): ReturnType<MessageBus['confirm']> {
    return this.root.confirm({ ...request, subagent: this.path }, options);
  }

  override get hasAnswerer(): boolean {
    return this.root.hasAnswerer;
  }
}

const NEVER = new AbortController().signal;
