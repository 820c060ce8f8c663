/**
 * Records a session from the stream of events. The engine's history has the messages (thought signatures included); the
 * events tell when to read it and add what it does not hold: thoughts, tokens, displays.
 */
import { type AgentEventBody, shortensHistory } from '../../protocol/agent-events.js';
import { type Message, type TokenUsage, textOf } from '../../protocol/messages.js';
import type { MessageRecord, RecordedThought } from '../../protocol/session-record.js';
import type { CompletedToolCall } from '../../protocol/tool-calls.js';
import type { RecordIds } from '../reading/convert.js';
import { toRecords } from '../to-records.js';
import type { ChatRecordingService, ToolCallUpdate } from './chat-recording-service.js';

export interface RecorderOptions {
  service: ChatRecordingService;
  /** The engine's current history; empty before it is ready. */
  history: () => readonly Message[];
  now: () => number;
  newId: () => string;
  /** Whose model calls are recorded with their tokens; others are utility calls. Default: `main`. */
  role?: string;
}

export class SessionRecorder {
  /** The history as far as it is recorded. */
  private known: Message[] = [];
  private readonly ids: WeakMap<Message, string> = new WeakMap();
  /** A recorded prompt that is not in the history yet. */
  private pendingPrompt: { id: string; parts: Message['parts'] } | undefined;
  private thoughts: RecordedThought[] = [];
  private usage: { model: string; tokens: TokenUsage } | undefined;
  /** Calls that wait for the user; on disk they are marked as not run. */
  private readonly waiting = new Set<string>();
  /** Calls of the current answer, with details that the history does not hold. */
  private readonly calls = new Map<string, ToolCallUpdate>();
  /** Calls that have ended and are not on disk yet. */
  private readonly finished = new Map<string, ToolCallUpdate>();
  private writing: NodeJS.Immediate | undefined;

  constructor(private readonly options: RecorderOptions) {}

  observe(event: AgentEventBody): void {
    this.guarded(() => this.take(event));
  }

  /** Never throws: a listener must not break the conversation. */
  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.options.service.stop(error);
    }
  }

  private take(event: AgentEventBody): void {
    switch (event.type) {
      case 'turn_started':
        this.sync();
        // Without updates a call is proposed again.
        if (event.parts.length > 0) this.beginTurn([...event.parts], event.typed);
        break;
      case 'model_turn_started':
        this.thoughts = [];
        this.usage = undefined;
        break;
      case 'thought':
        this.thoughts.push({
          subject: event.subject,
          description: event.description,
          timestamp: this.time(),
        });
        break;
      case 'retry':
        if (event.discardsOutput) this.thoughts = [];
        break;
      case 'usage':
        if (event.role !== (this.options.role ?? MAIN)) break;
        this.usage = { model: event.model, tokens: event.usage };
        this.sync();
        break;
      case 'chat_compressed':
        if (shortensHistory(event.status)) this.replace();
        break;
      case 'tool_status':
        this.onStatus(event);
        break;
      case 'tool_finished':
        this.onFinished(event.call);
        break;
      case 'warning':
        this.options.service.recordNote('warning', event.message);
        break;
      case 'error':
        this.options.service.recordNote('error', event.error.message);
        break;
      case 'turn_finished':
        this.endTurn();
    }
  }

  /** For a resumed conversation: the current history is on disk already. */
  adopt(history: readonly Message[], ids: RecordIds): void {
    this.known = [...history];
    this.recognise(ids);
  }

  /** Writes the whole history to disk, also one that a caller has set. */
  catchUp(): void {
    this.guarded(() => this.sync());
  }

  /** Announces messages read from the file that will be in the history again. */
  recognise(ids: RecordIds): void {
    for (const [message, id] of ids) this.ids.set(message, id);
  }

  /** The record id of a message, to rewind to. */
  idOf(message: Message): string | undefined {
    return this.ids.get(message);
  }

  /** Call before the history is cut at that message. False when it is not recorded. */
  rewindTo(message: Message): boolean {
    const id = this.ids.get(message);
    const index = this.known.indexOf(message);
    if (id === undefined || index < 0 || message.origin === 'tool_response') return false;
    this.known.length = index;
    this.options.service.rewindTo(id);
    return true;
  }

  /** `typed`: what the user typed, before files or commands were expanded. */
  private beginTurn(parts: Message['parts'], typed = ''): void {
    this.thoughts = [];
    this.usage = undefined;
    const shown = typed.trim() === '' || typed === textOf(parts) ? {} : { displayContent: typed };
    this.pendingPrompt = { id: this.options.service.recordUser(parts, shown), parts };
  }

  private endTurn(): void {
    this.sync();
    if (this.pendingPrompt) this.options.service.markNotSent(this.pendingPrompt.id);
    this.pendingPrompt = undefined;
    this.waiting.clear();
    this.options.service.endTurn();
  }

  /** Records the messages added to the history since the last call. */
  private sync(): void {
    this.writeFinished();
    const history = this.options.history();
    if (!this.align(history)) {
      this.replace();
      return;
    }
    for (let index = this.known.length; index < history.length; index++) {
      const message = history[index] as Message;
      this.known.push(message);
      this.add(message);
    }
  }

  /** Adapts to a history that lost its end or has new objects. False when it is another conversation. */
  private align(history: readonly Message[]): boolean {
    if (history.length < this.known.length) {
      const lost = this.known.splice(history.length);
      // Only a prompt is ever removed: its request failed.
      const prompt = lost.length === 1 ? lost[0] : undefined;
      const id = prompt?.origin === 'prompt' ? this.ids.get(prompt) : undefined;
      if (id === undefined) return false;
      this.options.service.markNotSent(id);
    }
    for (let index = 0; index < this.known.length; index++) {
      const [before, now] = [this.known[index] as Message, history[index] as Message];
      if (before === now) continue;
      // Outputs moved to files and shortened answers stay whole on disk. Between the same prompts nothing else
      // changes, and rewriting the history each time would make the file huge.
      if (!isCondensed(before, now)) return false;
      const id = this.ids.get(before);
      if (id !== undefined) this.ids.set(now, id);
      this.known[index] = now;
    }
    return true;
  }

  private add(message: Message): void {
    const { service } = this.options;
    const { role, origin, parts } = message;
    if (role === 'model') {
      this.calls.clear();
      const { model, tokens } = this.usage ?? {};
      const named = origin === 'model' ? {} : { origin };
      this.ids.set(
        message,
        service.recordAnswer({ parts, thoughts: this.thoughts, model, tokens, ...named }),
      );
      this.thoughts = [];
      this.usage = undefined;
    } else if (origin === 'prompt' && this.pendingPrompt) {
      this.ids.set(message, this.pendingPrompt.id);
      this.pendingPrompt = undefined;
    } else if (origin === 'tool_response') {
      // Normally recorded already; calls without events (after a loop was stopped) get their result here.
      const missing = responsesWithout(parts, this.calls);
      if (missing.length > 0) service.recordToolCalls(missing);
    } else {
      this.ids.set(message, service.recordUser(parts, origin === 'prompt' ? {} : { origin }));
    }
  }

  /** Records the whole history anew: it was compressed, or a caller has set another one. */
  private replace(): void {
    this.writeFinished();
    const history = this.options.history();
    this.known = [...history];
    const timestamp = this.time();
    const records = toRecords(history, {
      timestamp,
      newId: this.options.newId,
      known: (message) => {
        const id = this.ids.get(message as Message) ?? this.options.newId();
        this.ids.set(message as Message, id);
        return { id, timestamp } as MessageRecord;
      },
    });
    const last = records.at(-1);
    // Results that the model receives only with the next request.
    for (const call of last?.toolCalls ?? []) Object.assign(call, this.calls.get(call.id));
    if (this.pendingPrompt) {
      const { id, parts } = this.pendingPrompt;
      records.push({ id, timestamp, type: 'user', content: parts });
    }
    this.options.service.replaceHistory(records);
  }

  private onStatus({
    callId,
    status,
    description,
    displayName,
  }: Extract<AgentEventBody, { type: 'tool_status' }>): void {
    this.update({
      id: callId,
      status,
      ...(description !== undefined && { description }),
      ...(displayName !== undefined && { displayName }),
    });
    const isWaiting = status === 'awaiting_approval';
    // Other steps take no time; the request itself is recorded already.
    if (isWaiting === this.waiting.has(callId)) return;
    if (isWaiting) this.waiting.add(callId);
    else this.waiting.delete(callId);
    this.options.service.recordToolCalls([this.calls.get(callId) as ToolCallUpdate]);
  }

  private onFinished(finished: CompletedToolCall): void {
    const { request, status, response, displayName, description, isMarkdown } = finished;
    this.waiting.delete(request.callId);
    const call = this.update({
      id: request.callId,
      status,
      result: response.responseParts,
      ...(response.resultDisplay !== undefined && { resultDisplay: response.resultDisplay }),
      ...(displayName !== undefined && { displayName }),
      ...(description !== undefined && { description }),
      ...(isMarkdown && { renderOutputAsMarkdown: true }),
      ...agentOf(response.data),
    });
    this.finished.set(call.id, call);
    // Results that arrive together are written together, after the next request was sent.
    this.writing ??= setImmediate(() => this.guarded(() => this.writeFinished()));
  }

  private writeFinished(): void {
    clearImmediate(this.writing);
    this.writing = undefined;
    if (this.finished.size === 0) return;
    const calls = [...this.finished.values()];
    this.finished.clear();
    this.options.service.recordToolCalls(calls);
  }

  private update(update: ToolCallUpdate): ToolCallUpdate {
    const call = { ...this.calls.get(update.id), ...update };
    this.calls.set(update.id, call);
    return call;
  }

  private time(): string {
    return new Date(this.options.now()).toISOString();
  }
}

/** Whether a message is a shortened form of another; a regenerated answer is not. */
function isCondensed(before: Message, now: Message): boolean {
  if (before.origin !== now.origin) return false;
  if (now.origin === 'tool_response') return true;
  return now.origin === 'model' && JSON.stringify(now.parts).length < JSON.stringify(before.parts).length;
}

const MAIN = 'main';

/** The transcript of the sub-agent that a call has run. */
function agentOf(data: CompletedToolCall['response']['data']): { agentId?: string } {
  const agentId = data?.['agentId'];
  return typeof agentId === 'string' ? { agentId } : {};
}

function responsesWithout(
  parts: Message['parts'],
  told: ReadonlyMap<string, ToolCallUpdate>,
): ToolCallUpdate[] {
  return parts.flatMap((part): ToolCallUpdate[] => {
    const { functionResponse } = part;
    const id = functionResponse?.id;
    if (!functionResponse || id === undefined || told.get(id)?.result) return [];
    return [{ id, result: [part], status: 'error' in functionResponse.response ? 'error' : 'success' }];
  });
}
