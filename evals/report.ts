/** The table on the terminal, and the same numbers as JSON. */
import { type Numbers, numbersOf, type Spread, type TaskResult, totalOf } from './summary.js';

const HEAD = ['task', 'kind', 'passed', 'turns', 'tokens', 'cost', 'seconds'];

/** One line per task, the total of a round below; a mean is followed by minimum and maximum where they differ. */
export function table(results: readonly TaskResult[]): string {
  const lines = results.map((result) => {
    const { passed, failed, errors, ...usage } = numbersOf(result);
    return [result.task.name, result.task.kind, share({ passed, failed, errors }), ...cells(usage)];
  });
  const { passed, failed, errors, passRate, ...usage } = totalOf(results);
  lines.push([
    'total of a round',
    `${results.length} ${results.length === 1 ? 'task' : 'tasks'}`,
    share({ passed, failed, errors }),
    ...cells(usage),
  ]);
  const widths = HEAD.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)),
  );
  const rule = widths.map((width) => '-'.repeat(width));
  const body = [HEAD, rule, ...lines.slice(0, -1), rule, ...lines.slice(-1)].map((line) =>
    draw(line, widths),
  );
  return `${body.join('\n')}\n\nPass rate: ${rate(passRate)}`;
}

/** Why runs failed: one line per complaint, with the runs that it concerns. */
export function complaints(results: readonly TaskResult[]): string {
  return results
    .flatMap(({ task, runs }) => [...byComplaint(runs)].map((line) => describe(task.name, line)))
    .join('\n');
}

function byComplaint(runs: TaskResult['runs']): Map<string, number[]> {
  const rounds = new Map<string, number[]>();
  for (const [round, run] of runs.entries()) {
    for (const complaint of run?.complaints ?? [])
      rounds.set(complaint, [...(rounds.get(complaint) ?? []), round + 1]);
  }
  return rounds;
}

function describe(name: string, [complaint, rounds]: [string, number[]]): string {
  return `${name}, ${rounds.length > 1 ? 'runs' : 'run'} ${rounds.join(', ')}: ${complaint}`;
}

export interface Evaluation {
  model: string;
  startedAt: string;
  results: readonly TaskResult[];
}

export function toJson({ model, startedAt, results }: Evaluation): string {
  const tasks = results.map((result) => ({
    name: result.task.name,
    kind: result.task.kind,
    about: result.task.about,
    ...numbersOf(result),
    runs: result.runs.map((run) => {
      if (!run) return null;
      const { checks: _, ...rest } = run;
      return rest;
    }),
  }));
  return `${JSON.stringify({ model, startedAt, total: totalOf(results), tasks }, null, 2)}\n`;
}

function share({ passed, failed, errors }: Pick<Numbers, 'passed' | 'failed' | 'errors'>): string {
  return `${passed}/${passed + failed}${errors > 0 ? ` (${errors} not judged)` : ''}`;
}

function rate(passRate: Spread | undefined): string {
  if (!passRate) return 'no run was judged';
  const { mean, min, max } = passRate;
  return min === max ? percent(mean) : `${percent(mean)} (${percent(min)}–${percent(max)} by round)`;
}

type Usage = Record<'turns' | 'tokens' | 'cost' | 'seconds', Spread | undefined>;

function cells({ turns, tokens, cost, seconds }: Usage): string[] {
  const cell = (value: Spread | undefined, write: (value: number) => string) =>
    value ? shown(value, write) : '?';
  return [cell(turns, short), cell(tokens, inThousands), cell(cost, dollars), cell(seconds, short)];
}

function shown({ mean, min, max }: Spread, write: (value: number) => string): string {
  return write(min) === write(max) ? write(mean) : `${write(mean)} (${write(min)}–${write(max)})`;
}

function short(value: number): string {
  return Number(value.toFixed(1)).toString();
}

function inThousands(value: number): string {
  return value < 1000 ? value.toFixed(0) : `${(value / 1000).toFixed(1)}k`;
}

function dollars(value: number): string {
  return value === 0 ? '$0' : `$${value.toFixed(value < 1 ? 4 : 2)}`;
}

function percent(value: number): string {
  return `${(value * 100).toFixed(0)} %`;
}

function draw(line: readonly string[], widths: readonly number[]): string {
  const isText = (column: number) => column < 2;
  return line
    .map((cell, column) =>
      isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    .join('  ');
}
