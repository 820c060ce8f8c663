/** Decouples those who need a decision from those who can make one: policy first, then a front end. */
import {
  type BusMessage,
  MessageBusType,
  PolicyDecision,
  type ToolConfirmationRequest,
  type ToolConfirmationResponse,
} from '../protocol/confirmation.js';
import type { FunctionCall } from '../protocol/messages.js';

type Listener<T extends MessageBusType> = (message: Extract<BusMessage, { type: T }>) => void;

export interface DecisionContext {
  serverName?: string;
  toolAnnotations?: Record<string, unknown>;
  subagent?: string;
}

/** The port through which the bus asks policy. */
export interface DecisionSource {
  check(call: FunctionCall, context: DecisionContext): Promise<Verdict>;
}

export interface Verdict {
  decision: PolicyDecision;
  /** Why, in words for the model. */
  reason?: string;
}

export interface DecideOptions extends DecisionContext {
  abortSignal: AbortSignal;
  forcedDecision?: PolicyDecision;
}

const POLICY_WAIT_MS = 30_000;

export class MessageBus {
  private confirmations = 0;
  private readonly listeners = new Map<MessageBusType, Set<(message: BusMessage) => void>>();

  constructor(private readonly policy: DecisionSource) {}

  subscribe<T extends MessageBusType>(type: T, listener: Listener<T>): () => void {
    const set = this.listeners.get(type) ?? new Set();
    this.listeners.set(type, set);
    const wrapped = listener as (message: BusMessage) => void;
    set.add(wrapped);
    return () => set.delete(wrapped);
  }

  unsubscribe<T extends MessageBusType>(type: T, listener: Listener<T>): void {
    this.listeners.get(type)?.delete(listener as (message: BusMessage) => void);
  }

  /** Confirmation requests are judged by policy before anyone sees them; all else is passed on. */
  publish(message: BusMessage): void {
    if (message.type === MessageBusType.TOOL_CONFIRMATION_REQUEST) {
      if (!message.correlationId) throw new Error('A confirmation request needs a correlationId.');
      void this.judge(message);
    } else {
      this.emit(message);
    }
  }

  /** Asks policy alone. A time-out counts as "ask", an abort as "deny". */
  async decide(call: FunctionCall, options: DecideOptions): Promise<Verdict> {
    const { abortSignal, forcedDecision, ...context } = options;
    if (abortSignal.aborted) return { decision: PolicyDecision.DENY, reason: 'The request was cancelled.' };
    if (forcedDecision) return { decision: forcedDecision };
    const verdict = await raceVerdict(this.policy.check(call, context), abortSignal);
    if (verdict.decision === PolicyDecision.DENY) this.reject(call, verdict.reason);
    return verdict;
  }

  /** Shows `details` to a front end and waits for its answer. Without one: `requiresUserConfirmation`. */
  confirm(
    request: Omit<ToolConfirmationRequest, 'type' | 'correlationId'>,
    signal: AbortSignal,
  ): Promise<ToolConfirmationResponse> {
    const correlationId = `confirmation-${++this.confirmations}`;
    return new Promise((resolve) => {
      const finish = (response: ToolConfirmationResponse) => {
        unsubscribe();
        signal.removeEventListener('abort', onAbort);
        resolve(response);
      };
      const onAbort = () => finish(unconfirmed(correlationId));
      const unsubscribe = this.subscribe(MessageBusType.TOOL_CONFIRMATION_RESPONSE, (response) => {
        if (response.correlationId === correlationId) finish(response);
      });
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      this.forward({ ...request, type: MessageBusType.TOOL_CONFIRMATION_REQUEST, correlationId });
    });
  }

  /** True while some front end can answer confirmations. */
  get hasAnswerer(): boolean {
    return (this.listeners.get(MessageBusType.TOOL_CONFIRMATION_REQUEST)?.size ?? 0) > 0;
  }

  private async judge(request: ToolConfirmationRequest): Promise<void> {
    const { toolCall, serverName, toolAnnotations, subagent, forcedDecision, correlationId } = request;
    const decision =
      forcedDecision ??
      (await this.policy.check(toolCall, { serverName, toolAnnotations, subagent }).then(
        (result) => {
          if (result.decision === PolicyDecision.DENY) this.reject(toolCall, result.reason);
          return result.decision;
        },
        () => PolicyDecision.DENY,
      ));
    if (decision === PolicyDecision.ASK_USER) return this.forward(request);
    this.emit({
      type: MessageBusType.TOOL_CONFIRMATION_RESPONSE,
      correlationId,
      confirmed: decision === PolicyDecision.ALLOW,
    });
  }

  private forward(request: ToolConfirmationRequest): void {
    const unanswered = { ...unconfirmed(request.correlationId), requiresUserConfirmation: true };
    this.emit(this.hasAnswerer ? request : unanswered);
  }

  private reject(toolCall: FunctionCall, reason?: string): void {
    this.emit({ type: MessageBusType.TOOL_POLICY_REJECTION, toolCall, reason });
  }

  private emit(message: BusMessage): void {
    for (const listener of [...(this.listeners.get(message.type) ?? [])]) listener(message);
  }
}

function unconfirmed(correlationId: string): ToolConfirmationResponse {
  return { type: MessageBusType.TOOL_CONFIRMATION_RESPONSE, correlationId, confirmed: false };
}

function raceVerdict(verdict: Promise<Verdict>, signal: AbortSignal): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const done = (result: Verdict) => {
      settle();
      resolve(result);
    };
    const onAbort = () => done({ decision: PolicyDecision.DENY, reason: 'The request was cancelled.' });
    const timer = setTimeout(() => done({ decision: PolicyDecision.ASK_USER }), POLICY_WAIT_MS);
    signal.addEventListener('abort', onAbort, { once: true });
    verdict.then(done, (error) => {
      settle();
      reject(error);
    });
  });
}
