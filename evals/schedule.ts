/** Runs every task in every round, a few at a time, and stops where going on makes no sense. */
import type { NamedTask } from './load-tasks.js';
import { CannotRunError, type Outcome, type RunSetup, runTask } from './run-task.js';
import type { TaskResult } from './summary.js';

export interface Schedule {
  tasks: readonly NamedTask[];
  runs: number;
  parallel: number;
  /** US dollars for all runs together. */
  maxCost: number | undefined;
  setup: RunSetup;
  onRun(task: NamedTask, round: number, outcome: Outcome): void;
}

export interface Finished {
  results: TaskResult[];
  /** Why not everything ran. */
  stopped: string | undefined;
}

/** After so many runs in a row without an answer, the others would not get one either. */
const HOPELESS_AFTER = 3;

export async function runAll(schedule: Schedule): Promise<Finished> {
  const { tasks, runs, parallel, maxCost, setup, onRun } = schedule;
  const results = tasks.map((task): TaskResult => ({ task, runs: [] }));
  const queue = Array.from({ length: runs }, (_, round) =>
    tasks.map((task, index) => ({ task, index, round })),
  ).flat();
  let stopped: string | undefined;
  let spent = 0;
  let errorsInARow = 0;

  const worker = async () => {
    for (let next = queue.shift(); next && stopped === undefined; next = queue.shift()) {
      const outcome = await runTask(next.task, setup).catch(cannotRun);
      if (typeof outcome === 'string') {
        stopped ??= outcome;
        return;
      }
      if (setup.signal?.aborted) {
        stopped ??= 'interrupted';
        return;
      }
      const result = results[next.index];
      if (result) result.runs[next.round] = outcome;
      onRun(next.task, next.round, outcome);
      spent += outcome.cost ?? 0;
      errorsInARow = outcome.status === 'error' ? errorsInARow + 1 : 0;
      if (maxCost !== undefined && spent >= maxCost) stopped = `The limit of $${maxCost} is reached.`;
      if (errorsInARow >= HOPELESS_AFTER)
        stopped = `${errorsInARow} runs in a row got no answer: ${outcome.complaints[0] ?? ''}`;
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return { results, stopped };
}

/** Its message: a missing key or a wrong configuration concerns all runs. */
function cannotRun(error: unknown): string {
  if (error instanceof CannotRunError) return error.message;
  throw error;
}
