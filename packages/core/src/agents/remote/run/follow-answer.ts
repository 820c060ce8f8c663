/** Sends one message and follows the answer to its end: streamed, or asked for until the task is done. */
import type { Clock } from '../../../platform/clock.js';
import { createLog } from '../../../platform/log.js';
import type { RemoteLimits } from '../limits.js';
import { RemoteAgentError } from '../remote-agent-error.js';
import type { AgentConnection, OutgoingMessage } from '../transport/connection.js';
import type { Answer } from './answer.js';

export interface FollowParts {
  connection: AgentConnection;
  limits: RemoteLimits;
  clock: Clock;
  signal: AbortSignal;
  onProgress: () => void;
}

const log = createLog('remote-agents');
const FIRST_POLL_MS = 1_000;
const LAST_POLL_MS = 10_000;

/** Fills the answer. @throws what the server or a limit ended it with; the answer holds what came before */
export async function followAnswer(
  message: OutgoingMessage,
  answer: Answer,
  parts: FollowParts,
): Promise<void> {
  const watch = new Watch(parts);
  try {
    await readStream(message, answer, parts, watch);
    if (!answer.isComplete && !answer.isMessage && answer.taskId) {
      await pollTask(answer.taskId, answer, parts, watch);
    }
    if (parts.connection.losesAppend && answer.hasUpdatedArtifacts) await readArtifacts(answer, parts, watch);
  } finally {
    watch.end();
  }
}

async function readStream(
  message: OutgoingMessage,
  answer: Answer,
  { connection, limits, onProgress }: FollowParts,
  watch: Watch,
): Promise<void> {
  const stream = connection.send(message, watch.signal)[Symbol.asyncIterator]();
  try {
    for (let parts = 0; !answer.isComplete; parts++) {
      const next = await watch.during(stream.next(), answer.isMessage ? limits.afterMessageMs : undefined);
      if (!next || next.done) return;
      watch.news();
      answer.add(next.value);
      onProgress();
      if (answer.isCut || parts === limits.answerParts) throw tooLong();
    }
  } finally {
    // Not awaited: a stream that hangs hangs here, too.
    stream.return?.(undefined).catch(() => {});
  }
}

/** The agent does not stream, or its stream broke off while the task continues. */
async function pollTask(
  taskId: string,
  answer: Answer,
  { connection, clock, onProgress }: FollowParts,
  watch: Watch,
): Promise<void> {
  for (let pause = FIRST_POLL_MS; !answer.isComplete; pause = Math.min(pause * 2, LAST_POLL_MS)) {
    await watch.during(clock.sleep(pause, watch.signal));
    const before = answer.text();
    const task = await watch.during(connection.getTask(taskId, watch.signal));
    if (task) answer.addTask(task);
    if (answer.isCut) throw tooLong();
    if (answer.text() === before) continue;
    watch.news();
    onProgress();
  }
}

/** The task has the artifacts as they should be. A server may have forgotten it: then the additions stay. */
async function readArtifacts(answer: Answer, { connection }: FollowParts, watch: Watch): Promise<void> {
  if (!answer.taskId) return;
  try {
    const task = await watch.during(connection.getTask(answer.taskId, watch.signal));
    if (task) answer.addTask(task);
  } catch (error) {
    watch.signal.throwIfAborted();
    log.warn('artifacts not read again', error);
  }
}

/** Ends the wait for an agent that is silent, or takes too long altogether. */
class Watch {
  private readonly controller = new AbortController();
  private readonly total: NodeJS.Timeout;
  private readonly stop: () => void;
  private lastNews: number;

  constructor(private readonly parts: Pick<FollowParts, 'limits' | 'signal' | 'clock'>) {
    const { limits, signal, clock } = parts;
    this.lastNews = clock.now();
    this.stop = () => this.controller.abort(signal.reason);
    if (signal.aborted) this.stop();
    signal.addEventListener('abort', this.stop, { once: true });
    const late = () => this.controller.abort(tooLate('The agent was not done within', limits.totalMs));
    this.total = setTimeout(late, limits.totalMs);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  news(): void {
    this.lastNews = this.parts.clock.now();
  }

  /**
   * @param graceMs the work may be given up after this time
   * @returns undefined: it was
   * @throws when a limit is reached or the caller aborts, even if the work never ends
   */
  async during<T>(work: Promise<T>, graceMs?: number): Promise<T | undefined> {
    const { limits, clock } = this.parts;
    let timer: NodeJS.Timeout | undefined;
    let onAbort = () => {};
    const ended = new Promise<undefined>((resolve, reject) => {
      onAbort = () => reject(this.signal.reason);
      if (this.signal.aborted) onAbort();
      this.signal.addEventListener('abort', onAbort, { once: true });
      const left = limits.silenceMs - (clock.now() - this.lastNews);
      const silent = () => this.controller.abort(tooLate('The agent sent nothing for', limits.silenceMs));
      timer = graceMs === undefined ? setTimeout(silent, left) : setTimeout(resolve, graceMs, undefined);
    });
    // It may fail after the race is over.
    work.catch(() => {});
    try {
      return await Promise.race([work, ended]);
    } finally {
      clearTimeout(timer);
      this.signal.removeEventListener('abort', onAbort);
    }
  }

  end(): void {
    clearTimeout(this.total);
    this.parts.signal.removeEventListener('abort', this.stop);
    this.controller.abort();
  }
}

function tooLong(): RemoteAgentError {
  return new RemoteAgentError('limit', 'The answer is too long; the rest was not read.');
}

function tooLate(what: string, ms: number): RemoteAgentError {
  const time = ms >= 60_000 ? `${Math.round(ms / 60_000)} min` : `${ms / 1000} s`;
  return new RemoteAgentError('limit', `${what} ${time}.`);
}
