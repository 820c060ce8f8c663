/**
 * The bus a sub-agent gets: the same policy, the same user, the same line of questions; but everything that
 * comes over it carries the sub-agent's name, and it can neither force a decision nor answer a question.
 */
import {
  type AskUserRequest,
  type AskUserResponse,
  type BusMessage,
  MessageBusType,
  type ToolConfirmationRequest,
  type ToolConfirmationResponse,
} from '../protocol/confirmation.js';
import type { FunctionCall } from '../protocol/messages.js';
import {
  type Answer,
  type DecideOptions,
  MessageBus,
  type RequestOptions,
  type Verdict,
} from './message-bus.js';

/** @param name of the sub-agent; below another one it becomes `parent/child` */
export function deriveBus(parent: MessageBus, name: string): MessageBus {
  return parent instanceof SubagentBus
    ? new SubagentBus(parent.root, `${parent.path}/${name}`)
    : new SubagentBus(parent, name);
}

class SubagentBus extends MessageBus {
  constructor(
    readonly root: MessageBus,
    readonly path: string,
  ) {
    super({ check: (call, context) => root.decide(call, { ...context, abortSignal: NEVER }) });
  }

  override subscribe: MessageBus['subscribe'] = (type, listener) => this.root.subscribe(type, listener);

  override unsubscribe: MessageBus['unsubscribe'] = (type, listener) => this.root.unsubscribe(type, listener);

  override publish(message: BusMessage): void {
    const isAnswer =
      message.type === MessageBusType.TOOL_CONFIRMATION_RESPONSE ||
      message.type === MessageBusType.ASK_USER_RESPONSE;
    if (message.type === MessageBusType.TOOL_CONFIRMATION_REQUEST) this.root.publish(this.stripped(message));
    else if (!isAnswer) this.root.publish(message);
  }

  /** Server and annotations come from the tool itself here, not from a message. */
  override decide(call: FunctionCall, { forcedDecision: _, ...options }: DecideOptions): Promise<Verdict> {
    return this.root.decide(call, { ...options, subagent: this.path });
  }

  override confirm(
    request: Omit<ToolConfirmationRequest, 'type' | 'correlationId'>,
    signal: AbortSignal,
    elsewhere?: Promise<Answer>,
  ): Promise<ToolConfirmationResponse> {
    return this.root.confirm({ ...request, subagent: this.path }, signal, elsewhere);
  }

  override request(
    message: Omit<ToolConfirmationRequest, 'correlationId'>,
    options?: RequestOptions,
  ): Promise<ToolConfirmationResponse>;
  override request(
    message: Omit<AskUserRequest, 'correlationId'>,
    options?: RequestOptions,
  ): Promise<AskUserResponse>;
  override request(
    message: Omit<ToolConfirmationRequest, 'correlationId'> | Omit<AskUserRequest, 'correlationId'>,
    options?: RequestOptions,
  ): Promise<ToolConfirmationResponse | AskUserResponse> {
    return message.type === MessageBusType.ASK_USER_REQUEST
      ? this.root.request(message, options)
      : this.root.request(this.stripped(message), options);
  }

  override get hasAnswerer(): boolean {
    return this.root.hasAnswerer;
  }

  private stripped<T extends Omit<ToolConfirmationRequest, 'correlationId'>>(message: T): T {
    const { forcedDecision: _f, serverName: _s, toolAnnotations: _a, details: _d, ...rest } = message;
    return { ...rest, subagent: this.path } as T;
  }
}

const NEVER = new AbortController().signal;
