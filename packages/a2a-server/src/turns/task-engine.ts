/** The engine of one task in this process, with the request that runs or waits. */
import type {
  AgentEvent,
  AnyDeclarativeTool,
  Part,
  ToolConfirmationAnswer,
  ToolConfirmationQuestion,
} from '@gemini-cli/core';
import type { TurnJournal } from '../contract.js';
import { type Conversation, type GivenAnswer, newConversation } from './conversation.js';
import type { EventMapper } from './events/event-mapper.js';
import { RequestJournal } from './journal/request-journal.js';
import { type EngineRequest, type OpenedEngine, openEngine } from './open-engine.js';

export interface OpenQuestion {
  id: string;
  question: ToolConfirmationQuestion & { callId: string };
}

interface RunningRequest {
  parts: Part[];
  history: readonly HistoryEntry[];
  journal: RequestJournal;
  events: AsyncGenerator<AgentEvent>;
  next?: Promise<IteratorResult<AgentEvent>>;
  abort: AbortController;
  answers: GivenAnswer[];
  /** Answers of earlier turns that are to be given again. */
  recorded: GivenAnswer[];
}

type HistoryEntry = Conversation['history'][number];

export class TaskEngine {
  /** Of the conversation as this engine has it. */
  revision: string | undefined;
  lastUsed = 0;
  isRunning = false;
  question: OpenQuestion | undefined;
  mapper: EventMapper | undefined;
  private request: RunningRequest | undefined;
  private readonly stopAnswering: () => void;

  private constructor(
    private readonly opened: OpenedEngine,
    private readonly holder: { journal: RequestJournal | undefined },
  ) {
    // Questions wait for this subscriber; it reads them from the events of the request.
    this.stopAnswering = opened.events.subscribe(() => undefined, { answers: true, content: false });
  }

  static async open(
    request: Omit<EngineRequest, 'journal'>,
    { history, revision }: Conversation,
  ): Promise<TaskEngine> {
    const holder: { journal: RequestJournal | undefined } = { journal: undefined };
    const opened = await openEngine({ ...request, journal: () => holder.journal });
    const engine = new TaskEngine(opened, holder);
    engine.revision = revision;
    if (history.length > 0) {
      const client = opened.config.getGeminiClient();
      await client.initialize();
      client.getChat().setHistory(history);
    }
    return engine;
  }

  get config() {
    return this.opened.config;
  }

  get journal(): RequestJournal | undefined {
    return this.request?.journal;
  }

  findTool(name: string): AnyDeclarativeTool | undefined {
    return this.config.getToolRegistry().getTool(name);
  }

  /** Sends a prompt, or an earlier one again to continue with it. */
  start(parts: Part[], earlier?: { entries: Record<string, unknown>; answers: GivenAnswer[] }): void {
    const journal = new RequestJournal(new Map(Object.entries(earlier?.entries ?? {})));
    const abort = new AbortController();
    const client = this.config.getGeminiClient();
    const history = client.isInitialized() ? [...client.getChat().getHistory()] : [];
    this.holder.journal = journal;
    this.opened.model.use(journal);
    const events = this.config.getSession().send(parts, { signal: abort.signal });
    const answers = [...(earlier?.answers ?? [])];
    this.request = { parts, history, journal, events, abort, answers, recorded: [...answers] };
  }

  beginTurn(turn: TurnJournal): void {
    this.request?.journal.beginTurn(turn);
  }

  /** The next event of the request; undefined: it is over. */
  async nextEvent(): Promise<AgentEvent | undefined> {
    const { request } = this;
    if (!request) return undefined;
    request.next ??= request.events.next();
    const result = await request.next;
    request.next = undefined;
    if (!result.done) return result.value;
    this.endRequest();
    return undefined;
  }

  /** The answer that an earlier turn gave to this question. */
  recordedAnswer(callId: string): ToolConfirmationAnswer | undefined {
    const recorded = this.request?.recorded ?? [];
    const index = recorded.findIndex((given) => given.callId === callId);
    return index === -1 ? undefined : recorded.splice(index, 1)[0]?.answer;
  }

  /** False: the question is not open any more. */
  answer({ id, question }: OpenQuestion, answer: ToolConfirmationAnswer, isNew: boolean): boolean {
    if (!this.opened.events.answer(id, answer)) return false;
    if (this.question?.id === id) this.question = undefined;
    if (isNew) this.request?.answers.push({ callId: question.callId, answer });
    return true;
  }

  /** The engine continues as if the question could not be answered. */
  dismiss(id: string): void {
    this.opened.events.dismiss(id);
  }

  abort(): void {
    this.request?.abort.abort();
  }

  /** What the task keeps after this turn. */
  endTurn(): Conversation {
    const { request } = this;
    const client = this.config.getGeminiClient();
    let kept: Conversation;
    if (request) {
      request.journal.endTurn();
      const { parts, answers, history } = request;
      kept = newConversation(history, { parts, answers: [...answers], entries: request.journal.entries });
    } else kept = newConversation(client.isInitialized() ? client.getChat().getHistory() : []);
    this.revision = kept.revision;
    return kept;
  }

  async close(): Promise<void> {
    this.abort();
    this.stopAnswering();
    await this.opened.config.shutdown().catch(() => undefined);
  }

  private endRequest(): void {
    this.request = undefined;
    this.question = undefined;
    this.holder.journal = undefined;
    this.opened.model.use(undefined);
  }
}
