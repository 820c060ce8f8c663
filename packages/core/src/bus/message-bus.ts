/** Decouples those who need a decision from those who can make one: policy first, then a front end. */
import { createLog } from '../platform/log.js';
import { randomUuid } from '../platform/random.js';
import {
  type AskUserRequest,
  type AskUserResponse,
  type BusMessage,
  MessageBusType,
  PolicyDecision,
  type ToolConfirmationRequest,
  type ToolConfirmationResponse,
} from '../protocol/confirmation.js';
import type { FunctionCall } from '../protocol/messages.js';
import { isAnswerTo, unanswerable, withdrawn } from './answers.js';
import { type Question, QuestionLine } from './question-line.js';
import { raceVerdict } from './race-verdict.js';

type Response = ToolConfirmationResponse | AskUserResponse;
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

/** An answer without its id, from somewhere else than a front end on this bus (an editor's diff, say). */
export type Answer = Omit<ToolConfirmationResponse, 'type' | 'correlationId'>;

export interface RequestOptions {
  signal?: AbortSignal;
  /** Counted from the moment the question is shown: waiting behind another one costs no time. */
  timeoutMs?: number;
}

const REQUEST_WAIT_MS = 60_000;
const { TOOL_CONFIRMATION_REQUEST, TOOL_CONFIRMATION_RESPONSE, ASK_USER_REQUEST, ASK_USER_RESPONSE } =
  MessageBusType;
const log = createLog('bus');

export class MessageBus {
  private readonly listeners = new Map<MessageBusType, Set<(message: BusMessage) => void>>();
  /** Requests that policy is judging: nobody can answer them yet. */
  private readonly judging = new Set<string>();
  private readonly questions = new QuestionLine((question) => this.emit(question));

  constructor(private readonly policy: DecisionSource) {}

  subscribe<T extends MessageBusType>(type: T, listener: Listener<T>): () => void {
    const set = this.listeners.get(type) ?? new Set();
    this.listeners.set(type, set);
    set.add(listener as (message: BusMessage) => void);
    return () => this.unsubscribe(type, listener);
  }

  unsubscribe<T extends MessageBusType>(type: T, listener: Listener<T>): void {
    this.listeners.get(type)?.delete(listener as (message: BusMessage) => void);
    if (!this.hasListener(type)) this.giveUp(type);
  }

  /**
   * Confirmation requests are judged by policy before anyone sees them, then wait for their turn. An answer
   * counts only for a question that is open: late, second and invented ones do nothing.
   */
  publish(message: BusMessage): void {
    switch (message.type) {
      case TOOL_CONFIRMATION_REQUEST:
        this.requireNew(message.correlationId);
        this.judging.add(message.correlationId);
        void this.judge(message);
        break;
      case ASK_USER_REQUEST:
        this.requireNew(message.correlationId);
        this.put(message);
        break;
      case TOOL_CONFIRMATION_RESPONSE:
      case ASK_USER_RESPONSE:
        this.answer(message);
        break;
      default:
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

  /**
   * Shows `details` to a front end and waits for its answer, as long as it takes: a user sits in front of it.
   * Without a front end: `requiresUserConfirmation`.
   * @param elsewhere may answer first
   */
  confirm(
    request: Omit<ToolConfirmationRequest, 'type' | 'correlationId'>,
    signal: AbortSignal,
    elsewhere?: Promise<Answer>,
  ): Promise<ToolConfirmationResponse> {
    const correlationId = randomUuid();
    const question: ToolConfirmationRequest = { ...request, type: TOOL_CONFIRMATION_REQUEST, correlationId };
    elsewhere?.then(
      (answer) => this.settle({ ...answer, type: TOOL_CONFIRMATION_RESPONSE, correlationId }),
      (error) => log.warn('The other place that could answer failed.', error),
    );
    return this.untilAnswered(question, TOOL_CONFIRMATION_RESPONSE, { signal }, (onShown) =>
      this.put(question, onShown),
    );
  }

  /** A request and the answer to it. Without one in time: not confirmed, or cancelled. */
  request(
    message: Omit<ToolConfirmationRequest, 'correlationId'>,
    options?: RequestOptions,
  ): Promise<ToolConfirmationResponse>;
  request(message: Omit<AskUserRequest, 'correlationId'>, options?: RequestOptions): Promise<AskUserResponse>;
  request(
    message: Omit<ToolConfirmationRequest, 'correlationId'> | Omit<AskUserRequest, 'correlationId'>,
    { signal, timeoutMs = REQUEST_WAIT_MS }: RequestOptions = {},
  ): Promise<ToolConfirmationResponse | AskUserResponse> {
    const correlationId = randomUuid();
    if (message.type === ASK_USER_REQUEST) {
      const question = { ...message, correlationId };
      return this.untilAnswered(question, ASK_USER_RESPONSE, { signal, timeoutMs }, (onShown) =>
        this.put(question, onShown),
      );
    }
    const question = { ...message, correlationId };
    return this.untilAnswered(question, TOOL_CONFIRMATION_RESPONSE, { signal, timeoutMs }, (onShown) => {
      this.judging.add(correlationId);
      void this.judge(question, { onShown, signal });
    });
  }

  /** True while some front end can answer confirmations. */
  get hasAnswerer(): boolean {
    return this.hasListener(TOOL_CONFIRMATION_REQUEST);
  }

  private hasListener(type: MessageBusType): boolean {
    return (this.listeners.get(type)?.size ?? 0) > 0;
  }

  private untilAnswered<T extends Response>(
    question: Question,
    responseType: T['type'],
    { signal, timeoutMs }: RequestOptions,
    start: (onShown: () => void) => void,
  ): Promise<T> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const onAbort = () => this.withdraw(question);
      const unsubscribe = this.subscribe<MessageBusType>(responseType, (message) => {
        // Only messages of `responseType` come here.
        const response = message as T;
        if (response.correlationId !== question.correlationId) return;
        clearTimeout(timer);
        unsubscribe();
        signal?.removeEventListener('abort', onAbort);
        resolve(response);
      });
      if (signal?.aborted) return this.emit(withdrawn(question));
      signal?.addEventListener('abort', onAbort, { once: true });
      start(() => {
        if (timeoutMs !== undefined) timer = setTimeout(onAbort, timeoutMs);
      });
    });
  }

  private async judge(
    request: ToolConfirmationRequest,
    { onShown, signal = new AbortController().signal }: { onShown?: () => void; signal?: AbortSignal } = {},
  ): Promise<void> {
    const { toolCall, serverName, toolAnnotations, subagent, forcedDecision, correlationId } = request;
    const options = { abortSignal: signal, serverName, toolAnnotations, subagent, forcedDecision };
    const decision = await this.decide(toolCall, options).then(
      (verdict) => verdict.decision,
      (error) => {
        log.error('Policy failed; the call is refused.', error);
        return PolicyDecision.DENY;
      },
    );
    // Withdrawn meanwhile: that was its answer.
    if (!this.judging.delete(correlationId)) return;
    if (decision === PolicyDecision.ASK_USER) return this.put(request, onShown);
    const confirmed = decision === PolicyDecision.ALLOW;
    this.emit({ type: TOOL_CONFIRMATION_RESPONSE, correlationId, confirmed });
  }

  private put(question: Question, onShown?: () => void): void {
    if (this.hasListener(question.type)) this.questions.add(question, onShown);
    else this.emit(unanswerable(question));
  }

  private answer(response: Response): void {
    const question = this.questions.get(response.correlationId);
    if (!question || !isAnswerTo(question, response)) {
      log.warn('An answer to no open question was ignored.', { correlationId: response.correlationId });
      return;
    }
    this.settle(response);
  }

  private settle(response: Response): void {
    this.questions.settle(response.correlationId, () => this.emit(response));
  }

  /** Also tells the front end that shows it: the answer it sees on the bus is not its own. */
  private withdraw(question: Question): void {
    const response = withdrawn(question);
    if (this.judging.delete(question.correlationId)) this.emit(response);
    else this.settle(response);
  }

  /** The last one who could answer has gone. */
  private giveUp(type: MessageBusType): void {
    for (const question of this.questions.all()) {
      if (question.type === type) this.settle(unanswerable(question));
    }
  }

  private requireNew(correlationId: string): void {
    if (!correlationId) throw new Error('A confirmation request needs a correlationId.');
    if (this.judging.has(correlationId) || this.questions.get(correlationId)) {
      throw new Error(`The correlationId "${correlationId}" is in use.`);
    }
  }

  private reject(toolCall: FunctionCall, reason?: string): void {
    this.emit({ type: MessageBusType.TOOL_POLICY_REJECTION, toolCall, reason });
  }

  /** A listener that fails is its own problem: the others and the publisher go on. */
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
