/**
 * The one stream between the engine and its front ends: events out, answers in. Everything on it is plain data. A front
 * end makes it before the engine starts, so that questions of the start reach it too.
 */
import { createLog } from '../platform/log.js';
import { type AgentEvent, type AgentEventBody, type AgentRef, MAIN_AGENT } from '../protocol/agent-events.js';
import type { Answers, Question, QuestionKind } from '../protocol/questions.js';
import { type AskOptions, type OpenQuestion, Questions, type QuestionView, type Reply } from './questions.js';

export type EventListener = (event: AgentEvent) => void;

export interface SubscribeOptions {
  /** The subscriber answers questions with `answer()`. Without such a one, questions end at once. */
  answers?: boolean;
}

const log = createLog('events');

export class EventStream implements QuestionView {
  private readonly listeners = new Set<EventListener>();
  private readonly answerers = new Set<EventListener>();
  /** Shared with the message bus, on which programs of the seeds' kind answer. */
  readonly questions = new Questions();

  constructor() {
    this.questions.addView(this);
  }

  /** Every event of every agent, when it happens. @returns unsubscribes */
  subscribe(listener: EventListener, { answers = false }: SubscribeOptions = {}): () => void {
    this.listeners.add(listener);
    if (answers) this.answerers.add(listener);
    return () => {
      this.listeners.delete(listener);
      if (this.answerers.delete(listener)) this.questions.giveUp();
    };
  }

  /** @returns the event as front ends get it */
  emit(body: AgentEventBody, agent: AgentRef = MAIN_AGENT): AgentEvent {
    const event: AgentEvent = { ...body, agent };
    for (const listener of this.listeners) {
      try {
        listener(event);
      } catch (error) {
        log.error(`A listener failed at ${event.type}.`, error);
      }
    }
    return event;
  }

  /** Something the user should know, at once. */
  notice(message: string): void {
    this.emit({ type: 'notice', message });
  }

  ask<K extends QuestionKind>(
    question: Extract<Question, { kind: K }>,
    options?: AskOptions<K>,
  ): Promise<Reply<K>> {
    return this.questions.ask(question, options);
  }

  /** Answers a `question` event by its id. False: it is not open any more, or the value does not fit it. */
  answer(id: string, value: Answers[QuestionKind]): boolean {
    return this.questions.answer(id, value);
  }

  /** Takes a question off the screen without an answer: the engine goes on as if it could not be answered. */
  dismiss(id: string): boolean {
    return this.questions.dismiss(id);
  }

  canAnswer(): boolean {
    return this.answerers.size > 0;
  }

  show({ id, question, agent }: OpenQuestion): void {
    this.emit({ type: 'question', id, question }, agent);
  }

  settled({ id, agent }: OpenQuestion, { status }: Reply): void {
    this.emit({ type: 'question_settled', id, status }, agent);
  }
}
