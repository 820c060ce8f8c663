/** Sends input to a background command and collects what it prints in answer. */
import { InputWatch } from './input-watch.js';
import type { ShellExecution } from './shell-execution.js';

export interface InputAnswer {
  output: string;
  /** The command waits for more input, still runs, or has ended. */
  state: 'waiting' | 'running' | 'exited';
}

export interface AnswerOptions {
  signal: AbortSignal;
  /** Longest wait in total, and without output (`quietMs`). */
  limitMs: number;
  quietMs: number;
  afterMs: number;
}

/** Undefined when the command takes no input. */
export async function sendInputTo(
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
