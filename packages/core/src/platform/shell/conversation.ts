/** One input to a command that runs in the background, and what it prints in answer. */
import { InputWatch } from './input-watch.js';
import type { ShellExecution } from './shell-execution.js';

export interface InputAnswer {
  output: string;
  /** It waits for more, it works on, or it has ended. */
  state: 'waiting' | 'running' | 'exited';
}

export interface AnswerOptions {
  signal: AbortSignal;
  /** No longer than this in all; no longer than `quietMs` without output. */
  limitMs: number;
  quietMs: number;
  afterMs: number;
}

/** Undefined when nobody can type into this command. */
export async function converse(
  execution: ShellExecution,
  data: string,
  options: AnswerOptions,
): Promise<InputAnswer | undefined> {
  const { root } = execution;
  const sink = execution.newSink();
  if (!root || !sink) return undefined;
  const { signal } = options;
  let end: (state: InputAnswer['state']) => void = () => {};
  const ended = new Promise<InputAnswer['state']>((resolve) => {
    end = resolve;
  });
  const watch = new InputWatch({
    pid: root.pid,
    afterMs: options.afterMs,
    onWaiting: () => end('waiting'),
  });
  const limit = setTimeout(() => end('running'), options.limitMs);
  const quiet = setTimeout(() => end('running'), options.quietMs);
  const stopObserving = execution.observe((chunk) => {
    sink.push(chunk);
    watch.touch(chunk);
    quiet.refresh();
  });
  const onAbort = () => end('running');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  else execution.reply(data);
  void execution.exited.then(() => end('exited'));
  const state = await ended;
  stopObserving();
  watch.stop();
  clearTimeout(limit);
  clearTimeout(quiet);
  signal.removeEventListener('abort', onAbort);
  const output = (await sink.text()).trimEnd();
  sink.release();
  return { output, state };
}
