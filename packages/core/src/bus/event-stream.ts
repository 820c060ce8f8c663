/**
 * The one stream between the engine and its front ends: events out, answers in. Everything on it is plain data. A front
 * end makes it before the engine starts, so that it also gets questions of the start.
 */
import { createLog } from '../platform/log.js';
import { type AgentEvent, type AgentEventBody, type AgentRef, MAIN_AGENT } from '../protocol/agent-events.js';
import type { Answers, Question, QuestionKind } from '../protocol/questions.js';
import { type AskOptions, type OpenQuestion, Questions, type QuestionView, type Reply } from './questions.js';

export type EventListener = (event: AgentEvent) => void;

export interface SubscribeOptions {
  /** The subscriber answers questions with `answer()`. Without such a subscriber, questions end at once. */
  answers?: boolean;
  /** False: the subscriber gets no `content` events, of which there are thousands. */
  content?: boolean;
}

const log = createLog('events');

export class EventStream implements QuestionView {
  private readonly subscriptions = new Set<Subscription>();
  /** The subscriptions that want `content`, too. */
  private readonly readers = new Set<Subscription>();
  /** The question that is shown and not settled yet. */
  private shown: string | undefined;
  /** Shared with the message bus, where programs can answer, too. */
  readonly questions = new Questions();

  constructor() {
    this.questions.addView(this);
  }

  /** Every event of every agent; an open question comes at once. @returns a function that unsubscribes */
  subscribe(listener: EventListener, { answers = false, content = true }: SubscribeOptions = {}): () => void {
    const subscription = { listener, answers };
    this.subscriptions.add(subscription);
    if (content) this.readers.add(subscription);
    const { open } = this.questions;
    if (open && answers) listener(questionEvent(open));
    return () => {
      this.readers.delete(subscription);
      if (this.subscriptions.delete(subscription) && answers) this.questions.giveUp();
    };
  }

  /** @returns the event as front ends get it */
  emit(body: AgentEventBody, agent: AgentRef = MAIN_AGENT): AgentEvent {
    const event: AgentEvent = { ...body, agent };
    this.forward(event);
    return event;
  }

  /** Emits an event that already names its agent. @param except this listener has the event already */
  forward(event: AgentEvent, except?: EventListener): void {
    for (const { listener } of event.type === 'content' ? this.readers : this.subscriptions) {
      if (listener === except) continue;
      try {
        listener(event);
      } catch (error) {
        log.error(`A listener failed at ${event.type}.`, error);
      }
    }
  }

  /** Shows a message to the user at once. */
  notice(message: string, { isKept = false, isOver = false } = {}): void {
    this.emit({ type: 'notice', message, ...(isKept && { isKept }), ...(isOver && { isOver }) });
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

  /** Removes a question without an answer: the engine continues as if it could not be answered. */
  dismiss(id: string): boolean {
    return this.questions.dismiss(id);
  }

  canAnswer(): boolean {
    for (const { answers } of this.subscriptions) if (answers) return true;
    return false;
  }

  show(open: OpenQuestion): void {
    this.shown = open.id;
    this.forward(questionEvent(open));
  }

  /** A question that was never shown ends without an event. */
  settled({ id, agent }: OpenQuestion, { status }: Reply): void {
    if (this.shown !== id) return;
    this.shown = undefined;
    this.emit({ type: 'question_settled', id, status }, agent);
  }
}

interface Subscription {
  readonly listener: EventListener;
  readonly answers: boolean;
}

function questionEvent({ id, question, agent }: OpenQuestion): AgentEvent {
  return { type: 'question', id, question, agent };
}
