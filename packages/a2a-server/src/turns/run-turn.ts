/** One turn: reads the message, feeds the engine, and reports what happens until the task waits or is over. */
import { type Part as A2APart, type Message, type StreamResponse, TaskState } from '@a2a-js/sdk';
import {
  type AgentEvent,
  type ErrorInfo,
  messageOf,
  ToolConfirmationOutcome,
  UserError,
} from '@gemini-cli/core';
import type { PendingCall, TaskRecord, Turn, TurnEnd } from '../contract.js';
import { conversationOf } from './conversation.js';
import { type EventExtras, EventFactory, textPart } from './events/event-factory.js';
import { EventMapper } from './events/event-mapper.js';
import { type CallReply, readMessage } from './messages.js';
import type { OpenQuestion, TaskEngine } from './task-engine.js';
import { TurnLostError, TurnStop } from './turn-errors.js';
import { WorkspaceError } from './workspace.js';

export interface EngineSource {
  /** The engine that has the conversation as the task keeps it; opened if there is none. */
  engineFor(record: TaskRecord): Promise<TaskEngine>;
  /** Closes the engine of a task, or this one of several. */
  drop(taskId: string, engine?: TaskEngine): Promise<void>;
}

const { TASK_STATE_WORKING, TASK_STATE_INPUT_REQUIRED, TASK_STATE_FAILED, TASK_STATE_CANCELED } = TaskState;

export async function runTurn(turn: Turn, engines: EngineSource): Promise<TurnEnd> {
  return new TurnRun(turn, engines).run();
}

class TurnRun {
  private readonly record: TaskRecord;
  private readonly factory: EventFactory;
  private readonly replies: Map<string, CallReply>;
  private engine: TaskEngine | undefined;
  private mapper: EventMapper;
  private error: ErrorInfo | undefined;
  private lost: TurnLostError | undefined;
  private costBefore: number | undefined;
  /** For the history, before those of the mapper. */
  private readonly messages: Message[] = [];

  constructor(
    private readonly turn: Turn,
    private readonly engines: EngineSource,
  ) {
    const record = structuredClone(turn.record);
    this.record = record;
    this.factory = new EventFactory({
      taskId: record.id,
      contextId: record.contextId,
      model: () => this.engine?.config.getModel() ?? record.model,
      userTier: () => this.engine?.config.getGoogleAccount()?.tier,
    });
    this.mapper = new EventMapper(this.factory, () => undefined);
    this.replies = new Map();
  }

  async run(): Promise<TurnEnd> {
    const { turn } = this;
    // Some of an answer may have been shown before; it begins again.
    const restarted = turn.emitted.length > 0 ? [textPart('Continuing after an interruption.')] : [];
    turn.emit([this.factory.status('state-change', TASK_STATE_WORKING, restarted)]);
    const prompt = this.readMessage();
    if (prompt === undefined) return this.end(TASK_STATE_INPUT_REQUIRED);
    // It was ended while it waited for its turn: no engine for that.
    if (turn.signal.aborted) return this.endStopped();
    const engine = await this.open();
    if (!engine) return this.end(TASK_STATE_INPUT_REQUIRED);
    if (engine === 'refused') return this.end(TASK_STATE_FAILED);
    engine.isRunning = true;
    const stop = () => engine.abort();
    try {
      this.feed(engine, prompt);
      turn.signal.addEventListener('abort', stop, { once: true });
      if (turn.signal.aborted) stop();
      return await this.read(engine);
    } catch (error) {
      await this.engines.drop(this.record.id, engine);
      throw error;
    } finally {
      engine.isRunning = false;
      turn.signal.removeEventListener('abort', stop);
    }
  }

  /** The prompt; empty where calls wait and are answered. Undefined: nothing to do. */
  private readMessage() {
    const { parts, replies, problems } = readMessage(this.turn.message, {
      isWaiting: this.record.pending.length > 0,
    });
    const waiting = new Set(this.record.pending.map(({ callId }) => callId));
    for (const reply of replies) {
      if (waiting.has(reply.callId)) this.replies.set(reply.callId, reply);
      else problems.push(`No tool call waits for an answer under the id ${reply.callId}.`);
    }
    for (const problem of problems) this.say(problem);
    if (waiting.size === 0) return parts.length > 0 ? parts : undefined;
    if (this.replies.size > 0) return [];
    if (parts.length === 0 || problems.length > 0) return undefined;
    // Words instead of an answer: the calls are refused, and the model is told why.
    const feedback = parts.map(({ text }) => text ?? '').join('\n');
    for (const callId of waiting)
      this.replies.set(callId, { callId, outcome: ToolConfirmationOutcome.Cancel, payload: { feedback } });
    return [];
  }

  private async open(): Promise<TaskEngine | 'refused' | undefined> {
    try {
      const engine = await this.engines.engineFor(this.record);
      this.engine = engine;
      this.record.model = engine.config.getModel();
      // Kept with the engine: calls of an earlier turn may end in this one.
      engine.mapper ??= new EventMapper(this.factory, (name) => engine.findTool(name));
      for (const message of this.mapper.history.take()) engine.mapper.history.keep(message);
      this.mapper = engine.mapper;
      return engine;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.error = { type: error.name, message: messageOf(error) };
      return error instanceof WorkspaceError ? 'refused' : undefined;
    }
  }

  private feed(engine: TaskEngine, prompt: ReturnType<typeof readMessage>['parts']): void {
    const { request } = conversationOf(this.record);
    if (!engine.journal) {
      if (request) engine.start(request.parts, request);
      else engine.start(prompt);
    }
    const { journal } = this.turn;
    engine.beginTurn({
      entries: journal.entries,
      write: (key, value) => this.write(engine, key, value),
      ...(journal.writeSoon && { writeSoon: (key, value) => journal.writeSoon?.(key, value) }),
    });
    if (engine.journal?.phase !== 'earlier') this.costBefore = engine.config.getLedger().totalCost ?? 0;
    const { question } = engine;
    if (question) this.answer(engine, question);
  }

  private async read(engine: TaskEngine): Promise<TurnEnd> {
    for (;;) {
      if (engine.question && !this.turn.signal.aborted) {
        this.turn.emit([this.mapper.confirmation(engine.question.question)]);
        return this.end(TASK_STATE_INPUT_REQUIRED);
      }
      const event = await engine.nextEvent();
      if (!event) break;
      this.handle(engine, event);
    }
    if (this.lost) throw this.lost;
    return this.turn.signal.aborted ? this.endStopped() : this.end(TASK_STATE_INPUT_REQUIRED);
  }

  /** By a cancel, by clients that have gone, or by the end of this process, which throws. */
  private endStopped(): Promise<TurnEnd> {
    const { reason } = this.turn.signal;
    if (!(reason instanceof TurnStop) || reason.kind === 'stop') throw reason;
    return this.end(reason.kind === 'cancel' ? TASK_STATE_CANCELED : TASK_STATE_INPUT_REQUIRED);
  }

  private handle(engine: TaskEngine, event: AgentEvent): void {
    if (event.type === 'question') {
      const { id, question } = event;
      if (question.kind !== 'tool_confirmation' || question.callId === undefined) {
        engine.dismiss(id);
        return;
      }
      const { callId } = question;
      engine.question = { id, question: { ...question, callId } };
      this.answer(engine, engine.question);
      return;
    }
    if (event.type === 'error') this.error = event.error;
    if (event.type === 'turn_finished') this.error = event.error ?? this.error;
    const phase = engine.journal?.phase ?? 'live';
    if (phase !== 'earlier') this.costBefore ??= engine.config.getLedger().totalCost ?? 0;
    const events = this.mapper.map(event);
    const isNew = phase === 'live' || this.isMissing(engine, event);
    if (isNew) this.turn.emit(events);
    if (phase === 'earlier') this.forget(isNew);
  }

  /** Answers what this turn's message or an earlier turn has answered; else the question stays open. */
  private answer(engine: TaskEngine, open: OpenQuestion): void {
    const { callId } = open.question;
    const recorded = engine.recordedAnswer(callId);
    if (recorded) {
      engine.answer(open, recorded, false);
      return;
    }
    engine.journal?.endEarlier();
    const reply = this.replies.get(callId);
    if (!reply) return;
    this.replies.delete(callId);
    const { outcome, payload } = reply;
    this.mapper.answered(callId, outcome);
    if (!engine.answer(open, { outcome, ...(payload && { payload }) }, true))
      this.say(`The answer to tool call ${callId} does not fit its question.`);
  }

  /** The end of a call that an earlier process did not report. */
  private isMissing(engine: TaskEngine, event: AgentEvent): boolean {
    if (event.type !== 'tool_finished') return false;
    const { callId } = event.call.request;
    return engine.journal?.isUnreported(callId) === true && !this.turn.emitted.some(reportsEndOf(callId));
  }

  /** Earlier turns have counted and kept it. */
  private forget(isNew: boolean): void {
    const messages = this.mapper.history.take();
    if (isNew) this.messages.push(...messages);
    this.mapper.takeUsage();
  }

  private async write(engine: TaskEngine, key: string, value: unknown): Promise<void> {
    try {
      await this.turn.journal.write(key, value);
    } catch (error) {
      this.lost =
        error instanceof TurnLostError ? error : new TurnLostError(messageOf(error), { cause: error });
      engine.abort();
      throw this.lost;
    }
  }

  private say(text: string): void {
    const parts: A2APart[] = [textPart(text)];
    this.turn.emit([this.factory.status('text-content', TASK_STATE_WORKING, parts)]);
    this.mapper.history.add('text-content', textPart(text));
  }

  private async end(state: TaskState): Promise<TurnEnd> {
    const { record, engine, mapper, error } = this;
    if (engine) this.keep(record, engine);
    if (state === TASK_STATE_CANCELED || state === TASK_STATE_FAILED) {
      record.pending = [];
      await this.engines.drop(record.id);
    }
    record.task.history = [...record.task.history, ...this.messages, ...mapper.history.take()];
    const usageMetadata = mapper.takeUsage();
    const extras: EventExtras = {
      ...(error && { error: error.message }),
      ...(usageMetadata && { usageMetadata }),
    };
    const last = this.factory.status('state-change', state, error ? [textPart(error.message)] : [], extras);
    record.task.status = statusOf(last);
    record.updatedAt = this.factory.timestamp();
    this.turn.emit([last]);
    return { record };
  }

  private pendingCall(question: OpenQuestion['question']): PendingCall {
    const { callId, toolName: name } = question;
    return { callId, name, call: structuredClone(this.mapper.waitingCall(question)) };
  }

  private keep(record: TaskRecord, engine: TaskEngine): void {
    const { question } = engine;
    record.conversation = engine.endTurn();
    record.model = engine.config.getModel();
    record.pending = question ? [this.pendingCall(question.question)] : [];
    const spent = engine.config.getLedger().totalCost;
    if (spent !== undefined) record.cost = (record.cost ?? 0) + spent - (this.costBefore ?? spent);
  }
}

function reportsEndOf(callId: string) {
  return ({ payload }: StreamResponse): boolean => {
    if (payload?.$case !== 'statusUpdate') return false;
    const content = payload.value.status?.message?.parts[0]?.content;
    const data = content?.$case === 'data' ? content.value : undefined;
    return data?.request?.callId === callId && ENDS.has(data?.status);
  };
}

const ENDS: ReadonlySet<unknown> = new Set(['success', 'error', 'cancelled']);

function statusOf({ payload }: StreamResponse) {
  return payload?.$case === 'statusUpdate' ? payload.value.status : undefined;
}
