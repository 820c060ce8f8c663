/**
 * The message bus: tools and programs publish requests and subscribe to answers. Policy decides first; questions for
 * the user wait in the same queue as all others.
 */
import { plainData } from '../base/plain-data.js';
import { createLog } from '../platform/log.js';
import {
  type AskUserRequest,
  type BusMessage,
  type Containment,
  MessageBusType,
  PolicyDecision,
  type ToolConfirmationRequest,
  type ToolConfirmationResponse,
} from '../protocol/confirmation.js';
import type { FunctionCall } from '../protocol/messages.js';
import type { QuestionKind } from '../protocol/questions.js';
import { answerIn, confirmationQuestion, requestFor, responseFor } from './bus-messages.js';
import { type AskOptions, type OpenQuestion, Questions, type QuestionView, type Reply } from './questions.js';
import { raceVerdict } from './race-verdict.js';

type Listener<T extends MessageBusType> = (message: Extract<BusMessage, { type: T }>) => void;

export interface DecisionContext {
  serverName?: string;
  /** The server's own name for the tool. */
  serverToolName?: string;
  /** The server is the calling agent's own, not one of the session. */
  isAgentServer?: boolean;
  toolAnnotations?: Record<string, unknown>;
  subagent?: string;
  /** Ends with the request that the call belongs to. */
  signal?: AbortSignal;
}

/** The port through which the bus asks policy. */
export interface DecisionSource {
  check(call: FunctionCall, context: DecisionContext): Promise<Verdict>;
}

export interface Verdict {
  decision: PolicyDecision;
  /** The reason, in words for the model. */
  reason?: string;
  /** Shown to the user with the question. */
  notice?: string;
  /** Allowed only in this sandbox; set where no rule or answer of the user allows the call. */
  containment?: Containment;
}

export interface DecideOptions extends DecisionContext {
  abortSignal: AbortSignal;
  forcedDecision?: PolicyDecision;
}

/** What to ask about one call. */
export type ConfirmRequest = Omit<ToolConfirmationRequest, 'type' | 'correlationId' | 'forcedDecision'>;
export type ConfirmOptions = Omit<AskOptions<'tool_confirmation'>, 'id'>;

const log = createLog('bus');

export class MessageBus implements QuestionView {
  private readonly listeners = new Map<MessageBusType, Set<(message: BusMessage) => void>>();
  /** Requests that policy is still deciding: they cannot be answered yet. */
  private readonly judging = new Set<string>();
  /** No more questions are shown or answered here. */
  readonly close: () => void;

  constructor(
    private readonly policy: DecisionSource,
    private readonly questions = new Questions(),
  ) {
    this.close = questions.addView(this);
  }

  subscribe<T extends MessageBusType>(type: T, listener: Listener<T>): () => void {
    const set = this.listeners.get(type) ?? new Set();
    this.listeners.set(type, set);
    set.add(listener as (message: BusMessage) => void);
    return () => this.unsubscribe(type, listener);
  }

  unsubscribe<T extends MessageBusType>(type: T, listener: Listener<T>): void {
    this.listeners.get(type)?.delete(listener as (message: BusMessage) => void);
    if (!this.hasListener(type)) this.questions.giveUp();
  }

  /**
   * Policy decides confirmation requests before a user sees them; then they wait for their turn. An answer
   * counts only for an open question: late, second and invented ones do nothing.
   */
  publish(message: BusMessage): void {
    switch (message.type) {
      case MessageBusType.TOOL_CONFIRMATION_REQUEST:
        this.requireNew(message.correlationId);
        this.judging.add(message.correlationId);
        void this.judge(message);
        break;
      case MessageBusType.ASK_USER_REQUEST:
        this.requireNew(message.correlationId);
        this.askUser(message);
        break;
      case MessageBusType.TOOL_CONFIRMATION_RESPONSE:
      case MessageBusType.ASK_USER_RESPONSE: {
        const { correlationId } = message;
        const answer = answerIn(message);
        if (answer) this.questions.answer(correlationId, answer);
        else this.questions.dismiss(correlationId);
        break;
      }
      default:
        this.emit(message);
    }
  }

  /** Asks policy alone. A timeout counts as "ask", an abort as "deny". */
  async decide(call: FunctionCall, options: DecideOptions): Promise<Verdict> {
    const { abortSignal, forcedDecision, ...context } = options;
    if (abortSignal.aborted) return { decision: PolicyDecision.DENY, reason: 'The request was cancelled.' };
    if (forcedDecision) return { decision: forcedDecision };
    const verdict = await raceVerdict(
      this.policy.check(call, { ...context, signal: abortSignal }),
      abortSignal,
    );
    if (verdict.decision === PolicyDecision.DENY) this.reject(call, verdict.reason);
    return verdict;
  }

  /** Shows `details` to the user and waits for the answer. */
  confirm(request: ConfirmRequest, options: ConfirmOptions = {}): Promise<Reply<'tool_confirmation'>> {
    return this.questions.ask(confirmationQuestion(request), options);
  }

  /** True while a front end can answer confirmations. */
  get hasAnswerer(): boolean {
    return this.questions.canAnswer('tool_confirmation');
  }

  canAnswer(kind: QuestionKind): boolean {
    const type = REQUEST_TYPES[kind];
    return type !== undefined && this.hasListener(type);
  }

  show(open: OpenQuestion): void {
    const request = requestFor(open);
    if (request) this.emit(request);
  }

  settled(open: OpenQuestion, reply: Reply): void {
    const response = responseFor(open, reply);
    if (response) this.emit(response);
  }

  private hasListener(type: MessageBusType): boolean {
    return (this.listeners.get(type)?.size ?? 0) > 0;
  }

  private async judge(request: ToolConfirmationRequest): Promise<void> {
    const { toolCall, serverName, toolAnnotations, subagent, forcedDecision, correlationId } = request;
    const abortSignal = new AbortController().signal;
    const options = { abortSignal, serverName, toolAnnotations, subagent, forcedDecision };
    const decision = await this.decide(toolCall, options).then(
      (verdict) => verdict.decision,
      (error) => {
        log.error('Policy failed; the call is refused.', error);
        return PolicyDecision.DENY;
      },
    );
    if (decision === PolicyDecision.ASK_USER) {
      const { publishedQuestion } = await import('./published-question.js');
      this.judging.delete(correlationId);
      void this.questions.ask(publishedQuestion(request), { id: correlationId });
      return;
    }
    this.judging.delete(correlationId);
    const response: ToolConfirmationResponse = {
      type: MessageBusType.TOOL_CONFIRMATION_RESPONSE,
      correlationId,
      confirmed: decision === PolicyDecision.ALLOW,
    };
    this.emit(response);
  }

  private askUser({ correlationId, questions }: AskUserRequest): void {
    const question = { kind: 'ask_user' as const, questions: plainData(questions) };
    void this.questions.ask(question, { id: correlationId });
  }

  private requireNew(correlationId: string): void {
    if (!correlationId) throw new Error('A confirmation request needs a correlationId.');
    if (this.judging.has(correlationId) || this.questions.isOpen(correlationId)) {
      throw new Error(`The correlationId "${correlationId}" is in use.`);
    }
  }

  private reject(toolCall: FunctionCall, reason?: string): void {
    this.emit({ type: MessageBusType.TOOL_POLICY_REJECTION, toolCall, reason });
  }

  /** A failing listener is logged; the others and the publisher continue. */
  private emit(message: BusMessage): void {
    for (const listener of [...(this.listeners.get(message.type) ?? [])]) {
      try {
        listener(message);
      } catch (error) {
        log.error(`A listener of ${message.type} failed.`, error);
      }
    }
  }
}

/** The kinds of question that the bus has a message for. */
const REQUEST_TYPES: Readonly<Partial<Record<QuestionKind, MessageBusType>>> = {
  tool_confirmation: MessageBusType.TOOL_CONFIRMATION_REQUEST,
  ask_user: MessageBusType.ASK_USER_REQUEST,
};
