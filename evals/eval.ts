/** `npm run eval -- --model X`: runs the tasks with a model and prints how it did. */
import { writeFileSync } from 'node:fs';
import { programEnvironment } from './environment.js';
import { loadTasks, type NamedTask } from './load-tasks.js';
import { BadOptionError, type EvalOptions, readOptions, USAGE } from './options.js';
import { complaints, table, toJson } from './report.js';
import type { Outcome } from './run-task.js';
import { runAll } from './schedule.js';

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof BadOptionError) return refuse(`${error.message}\n\n${USAGE}`);
  throw error;
});

async function main(args: string[]): Promise<number> {
  const options = readOptions(args);
  const all = (await loadTasks()).sort(byKind);
  if (options.list) {
    for (const { name, kind, about } of all) console.log(`${name.padEnd(26)}${kind.padEnd(14)}${about}`);
    return 0;
  }
  if (!options.model) throw new BadOptionError('--model is missing.');
  return evaluate(options.model, chosen(all, options.tasks), options);
}

async function evaluate(model: string, tasks: NamedTask[], options: EvalOptions): Promise<number> {
  const { runs, parallel, maxCost, maxSeconds, defaults, keep, json } = options;
  const interruption = new AbortController();
  process.once('SIGINT', () => interruption.abort());
  const startedAt = new Date().toISOString();
  const env = programEnvironment(process.env);
  const setup = { model, env, defaults, maxSeconds, keep, signal: interruption.signal };
  const { results, stopped } = await runAll({ tasks, runs, parallel, maxCost, setup, onRun: printRun });
  if (results.some((result) => result.runs.length > 0)) {
    console.log(`\n${complaints(results)}\n\n${model}\n\n${table(results)}`);
    if (json) writeFileSync(json, toJson({ model, startedAt, results }));
  }
  return stopped === undefined ? 0 : refuse(`Stopped: ${stopped}`);
}

function chosen(all: NamedTask[], names: string[] | undefined): NamedTask[] {
  const unknown = names?.filter((name) => !all.some((task) => task.name === name)) ?? [];
  if (unknown.length > 0) throw new BadOptionError(`There is no task ${unknown.join(', ')}: see --list.`);
  return names ? all.filter(({ name }) => names.includes(name)) : all;
}

function printRun(task: NamedTask, round: number, { status, seconds, folder }: Outcome): void {
  const where = folder ? `  ${folder}` : '';
  console.error(
    `${status.padEnd(7)}${task.name.padEnd(26)}run ${round + 1}  ${seconds.toFixed(1)} s${where}`,
  );
}

function refuse(message: string): number {
  console.error(message);
  return 1;
}

function byKind(one: NamedTask, other: NamedTask): number {
  return one.kind.localeCompare(other.kind) || one.name.localeCompare(other.name);
}
