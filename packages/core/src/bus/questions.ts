/**
 * Asks the user: every view (the event stream of a front end, the message bus) shows the same question, and the
 * first valid answer counts. Late, second and invented answers do nothing.
 */
import { createLog } from '../platform/log.js';
import { randomUuid } from '../platform/random.js';
import { type AgentRef, MAIN_AGENT } from '../protocol/agent-events.js';
import type { Answers, Question, QuestionKind } from '../protocol/questions.js';
import { isAnswerTo } from './is-answer.js';
import { QuestionLine } from './question-line.js';

export interface OpenQuestion {
  readonly id: string;
  readonly agent: AgentRef;
  readonly question: Question;
}

/** How a question ended; `unanswerable`: no front end can answer this kind. */
export type Reply<K extends QuestionKind = QuestionKind> =
  | { status: 'answered'; answer: Answers[K] }
  | { status: 'withdrawn' }
  | { status: 'unanswerable' };

/** A place where questions are shown. */
export interface QuestionView {
  canAnswer(kind: QuestionKind): boolean;
  show(open: OpenQuestion): void;
  settled(open: OpenQuestion, reply: Reply): void;
}

export interface AskOptions<K extends QuestionKind> {
  /** Aborting withdraws the question. */
  signal?: AbortSignal;
  agent?: AgentRef;
  /** Set where the caller has an id already. */
  id?: string;
  /** May answer first, e.g. an editor that shows the diff. A function is called when the question is shown. */
  elsewhere?: Promise<Answers[K]> | (() => Promise<Answers[K]>);
}

interface Entry extends OpenQuestion {
  resolve(reply: Reply): void;
  /** Called when it is shown. */
  shown(): void;
}

const log = createLog('questions');

export class Questions {
  private readonly views = new Set<QuestionView>();
  private readonly line = new QuestionLine<Entry>((entry) => this.show(entry));

  /** @returns a function that removes the view */
  addView(view: QuestionView): () => void {
    this.views.add(view);
    return () => {
      this.views.delete(view);
      this.giveUp();
    };
  }

  canAnswer(kind: QuestionKind): boolean {
    for (const view of this.views) if (view.canAnswer(kind)) return true;
    return false;
  }

  /** No timeout: a user needs time to answer. */
  ask<K extends QuestionKind>(
    question: Extract<Question, { kind: K }>,
    { signal, agent = MAIN_AGENT, id = randomUuid(), elsewhere }: AskOptions<K> = {},
  ): Promise<Reply<K>> {
    return new Promise((resolve) => {
      const listenTo = (other: Promise<Answers[K]>) =>
        void other.then(
          (answer) => this.settle(id, { status: 'answered', answer }),
          (error) => log.warn('The other place that could answer failed.', error),
        );
      const onAbort = () => this.settle(id, { status: 'withdrawn' });
      const entry: Entry = {
        id,
        agent,
        question,
        shown: () => {
          if (typeof elsewhere === 'function') listenTo(elsewhere());
        },
        resolve: (reply) => {
          signal?.removeEventListener('abort', onAbort);
          // `answer` has checked that the value fits the question.
          resolve(reply as Reply<K>);
        },
      };
      if (elsewhere && typeof elsewhere !== 'function') listenTo(elsewhere);
      if (signal?.aborted) return this.end(entry, { status: 'withdrawn' });
      if (!this.canAnswer(question.kind)) return this.end(entry, { status: 'unanswerable' });
      signal?.addEventListener('abort', onAbort, { once: true });
      this.line.add(entry);
    });
  }

  isOpen(id: string): boolean {
    return this.line.get(id) !== undefined;
  }

  /** False: the question is not open, or the value does not answer it. */
  answer(id: string, value: unknown): boolean {
    const entry = this.line.get(id);
    if (!entry || !isAnswerTo(entry.question, value)) {
      log.warn('An answer to no open question was ignored.', { id });
      return false;
    }
    return this.settle(id, { status: 'answered', answer: value });
  }

  /** The front end declines to answer: the question counts as withdrawn. */
  dismiss(id: string): boolean {
    return this.settle(id, { status: 'withdrawn' });
  }

  /** Call it when a view may have lost the ability to answer. */
  giveUp(): void {
    for (const { id, question } of this.line.all()) {
      if (!this.canAnswer(question.kind)) this.settle(id, { status: 'unanswerable' });
    }
  }

  /** The open question, for a view that is added later. */
  get open(): OpenQuestion | undefined {
    return this.line.open;
  }

  private settle(id: string, reply: Reply): boolean {
    const entry = this.line.get(id);
    return entry !== undefined && this.line.settle(id, () => this.end(entry, reply));
  }

  private end(entry: Entry, reply: Reply): void {
    this.inEachView((view) => view.settled(entry, reply));
    entry.resolve(reply);
  }

  private show(entry: Entry): void {
    this.inEachView((view) => view.show(entry));
    // A front end may have answered at once.
    if (this.isOpen(entry.id)) entry.shown();
  }

  /** A failing view is logged; the others continue. */
  private inEachView(work: (view: QuestionView) => void): void {
    for (const view of [...this.views]) {
      try {
        work(view);
      } catch (error) {
        log.error('A view of questions failed.', error);
      }
    }
  }
}
