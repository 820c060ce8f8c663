/**
 * What is known of the open request of a task: from earlier turns of it (kept with the task) and from this turn (kept by
 * the service). A new engine that gets the same prompt takes its model answers, calls and approvals from here, until
 * it has caught up.
 */
import type { CallJournal, CompletedToolCall, ToolCallRequest } from '@gemini-cli/core';
import type { TurnJournal } from '../../contract.js';

/** `earlier`: repeats an earlier turn; `again`: repeats this turn; `live`: does what was never done. */
export type Phase = 'earlier' | 'again' | 'live';

export class RequestJournal implements CallJournal {
  private turn: TurnJournal | undefined;
  /** Entries of this turn: of an earlier process, and those written here. */
  private now = new Map<string, unknown>();
  private current: Phase;

  /** @param earlier entries of earlier turns of this request; those of ended turns are added */
  constructor(private readonly earlier: Map<string, unknown>) {
    this.current = earlier.size > 0 ? 'earlier' : 'live';
  }

  get phase(): Phase {
    return this.current;
  }

  /** All entries of the request so far, plain data. */
  get entries(): Record<string, unknown> {
    return Object.fromEntries([...this.earlier, ...this.now]);
  }

  /** From now on entries belong to this turn. */
  beginTurn(turn: TurnJournal): void {
    this.turn = turn;
    this.now = new Map(turn.entries);
    if (this.earlier.size === 0 && turn.entries.size > 0) this.current = 'again';
  }

  endTurn(): void {
    for (const [key, value] of this.now) this.earlier.set(key, value);
    this.now.clear();
    this.turn = undefined;
  }

  /** Everything that earlier turns did has been repeated. */
  endEarlier(): void {
    if (this.current === 'earlier') this.current = this.now.size > 0 ? 'again' : 'live';
  }

  /** The entry of a step that is about to run; undefined: it was never done. */
  find(key: string): unknown {
    if (this.earlier.has(key)) return this.earlier.get(key);
    this.endEarlier();
    const found = this.now.get(key);
    if (found === undefined) this.current = 'live';
    return found;
  }

  /** Kept before anything that is written after it. Where that fails the turn ends, so the caller need not wait. */
  writeLater(key: string, value: unknown): void {
    if (!this.turn?.writeSoon) {
      this.write(key, value).catch(() => undefined);
      return;
    }
    this.now.set(key, value);
    this.turn.writeSoon(key, value);
  }

  private async write(key: string, value: unknown): Promise<void> {
    if (!this.turn) throw new Error('No turn runs that could keep this.');
    this.now.set(key, value);
    await this.turn.write(key, value);
  }

  recall(request: ToolCallRequest): CompletedToolCall | undefined {
    const end = this.peek(endOf(request.callId));
    if (end !== undefined) return end as CompletedToolCall;
    return this.peek(beginOf(request.callId)) === undefined ? undefined : interrupted(request);
  }

  /** True: an earlier process may have been lost before it reported the end of the call. */
  isUnreported(callId: string): boolean {
    return !this.earlier.has(endOf(callId)) && this.peek(beginOf(callId)) !== undefined;
  }

  async around(
    { callId, name }: ToolCallRequest,
    run: () => Promise<CompletedToolCall | undefined>,
  ): Promise<void> {
    this.endEarlier();
    this.current = 'live';
    // The only entry to wait for: what is not kept must not run.
    await this.write(beginOf(callId), { name });
    const call = await run();
    if (call) this.writeLater(endOf(callId), call);
  }

  private peek(key: string): unknown {
    return this.earlier.get(key) ?? this.now.get(key);
  }
}

function beginOf(callId: string): string {
  return `call:${callId}:begin`;
}

function endOf(callId: string): string {
  return `call:${callId}:end`;
}

const INTERRUPTED =
  'The call was interrupted, and its outcome is unknown: it may have run fully, in part, or not at all. ' +
  'Check what it has done before you repeat it.';

/** The process that ran it is gone. */
function interrupted(request: ToolCallRequest): CompletedToolCall {
  const { callId: id, name } = request;
  return {
    request,
    status: 'error',
    response: {
      callId: id,
      responseParts: [{ functionResponse: { id, name, response: { error: INTERRUPTED } } }],
      resultDisplay: INTERRUPTED,
      error: { message: INTERRUPTED, type: 'interrupted' },
    },
    durationMs: 0,
    decision: 'auto_accept',
  };
}
