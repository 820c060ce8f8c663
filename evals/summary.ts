/** Outcomes as numbers: per task, and in total over rounds. A round is each task once. */
import type { NamedTask } from './load-tasks.js';
import type { Outcome } from './run-task.js';

export interface Spread {
  mean: number;
  min: number;
  max: number;
}

export interface Numbers {
  passed: number;
  failed: number;
  /** Runs that say nothing about the model. They count neither as passed nor as failed. */
  errors: number;
  turns: Spread | undefined;
  tokens: Spread | undefined;
  /** Undefined when the price of the model is unknown. */
  cost: Spread | undefined;
  seconds: Spread | undefined;
}

export interface TaskResult {
  task: Pick<NamedTask, 'name' | 'kind' | 'about'>;
  /** By round; empty where it did not run. */
  runs: (Outcome | undefined)[];
}

export interface Total extends Numbers {
  /** Share of passed runs among the judged ones; minimum and maximum by round. */
  passRate: Spread | undefined;
}

export function numbersOf({ runs }: TaskResult): Numbers {
  const judged = runs.filter((run) => run !== undefined).filter(isJudged);
  return { ...counts(runs), ...spreads(judged) };
}

export function totalOf(results: readonly TaskResult[]): Total {
  const rounds = Array.from({ length: Math.max(0, ...results.map(({ runs }) => runs.length)) }, (_, round) =>
    results.map(({ runs }) => runs[round]),
  );
  const judged = rounds.map((runs) => runs.filter((run) => run !== undefined).filter(isJudged));
  // A round in which a task was not judged cannot be compared with the others.
  const whole = judged.filter((runs) => runs.length > 0 && runs.length === results.length);
  const numbers = counts(rounds.flat());
  const mean = numbers.passed / (numbers.passed + numbers.failed);
  const rates = spread(whole.map((runs) => counts(runs).passed / runs.length));
  return {
    ...numbers,
    ...spreads(whole.map(sum)),
    passRate: Number.isNaN(mean) ? undefined : { min: mean, max: mean, ...rates, mean },
  };
}

function counts(runs: readonly (Outcome | undefined)[]): Pick<Numbers, 'passed' | 'failed' | 'errors'> {
  const count = (status: Outcome['status']) => runs.filter((run) => run?.status === status).length;
  return { passed: count('passed'), failed: count('failed'), errors: count('error') };
}

function isJudged({ status }: Outcome): boolean {
  return status !== 'error';
}

type Usage = Pick<Outcome, 'turns' | 'tokens' | 'cost' | 'seconds'>;

function spreads(runs: readonly Usage[]): Pick<Numbers, keyof Usage> {
  const costs = runs.map(({ cost }) => cost).filter((cost) => cost !== undefined);
  return {
    turns: spread(runs.map(({ turns }) => turns)),
    tokens: spread(runs.map(({ tokens }) => tokens)),
    cost: costs.length === runs.length ? spread(costs) : undefined,
    seconds: spread(runs.map(({ seconds }) => seconds)),
  };
}

function sum(runs: readonly Usage[]): Usage {
  return runs.reduce((all, run) => ({
    turns: all.turns + run.turns,
    tokens: all.tokens + run.tokens,
    cost: all.cost === undefined || run.cost === undefined ? undefined : all.cost + run.cost,
    seconds: all.seconds + run.seconds,
  }));
}

function spread(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined;
  const mean = values.reduce((all, value) => all + value, 0) / values.length;
  return { mean, min: Math.min(...values), max: Math.max(...values) };
}
