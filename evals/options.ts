/** Options of `npm run eval`, checked before anything runs. */
import { readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';

export const USAGE = `npm run eval -- --model MODEL [options]

  --model MODEL      as for gemini: gemini-2.5-flash, openai/gpt-5, ollama/qwen3:8b, offline, …
  --task NAME,…      only these tasks
  --runs N           runs of each task (3)
  --parallel N       runs at a time (2)
  --json FILE        the results as JSON, too
  --settings FILE    settings of the program: other providers, prices, a sandbox
  --max-cost USD     stop when all runs together have cost this much
  --max-seconds N    limit of one run (300)
  --keep             keep the folders of the runs
  --list             print the tasks

Keys come from the environment. A model may run commands on this machine: see docs/evals.md.`;

export interface EvalOptions {
  model: string | undefined;
  /** Undefined: all. */
  tasks: string[] | undefined;
  runs: number;
  parallel: number;
  json: string | undefined;
  defaults: object;
  maxCost: number | undefined;
  maxSeconds: number;
  keep: boolean;
  list: boolean;
}

/** What is wrong with the options, in one line. */
export class BadOptionError extends Error {
  override readonly name = 'BadOptionError';
}

const OPTIONS = {
  model: { type: 'string' },
  task: { type: 'string', multiple: true },
  runs: { type: 'string', default: '3' },
  parallel: { type: 'string', default: '2' },
  json: { type: 'string' },
  settings: { type: 'string' },
  'max-cost': { type: 'string' },
  'max-seconds': { type: 'string', default: '300' },
  keep: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
} satisfies ParseArgsConfig['options'];

export function readOptions(args: string[]): EvalOptions {
  const values = parsed(args);
  const maxCost = values['max-cost'];
  return {
    model: values.model,
    tasks: values.task?.flatMap((names) => names.split(',')),
    runs: count('--runs', values.runs),
    parallel: count('--parallel', values.parallel),
    json: values.json,
    defaults: defaults(values.settings),
    maxCost: maxCost === undefined ? undefined : positive('--max-cost', maxCost),
    maxSeconds: count('--max-seconds', values['max-seconds']),
    keep: values.keep,
    list: values.list,
  };
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS }).values;
  } catch (error) {
    throw new BadOptionError((error as Error).message, { cause: error });
  }
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new BadOptionError(`${name} must be a number above 0, not "${text}".`);
  return value;
}

function count(name: string, text: string): number {
  const value = positive(name, text);
  if (!Number.isInteger(value)) throw new BadOptionError(`${name} must be a whole number, not "${text}".`);
  return value;
}

/** Fewer tries than usual: a server that is away should not hold up each run for minutes. */
function defaults(file: string | undefined): object {
  const own = file === undefined ? {} : readSettings(file);
  return { ...own, general: { maxAttempts: 3, ...own.general } };
}

function readSettings(file: string): { general?: object } {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { general?: object };
  } catch (error) {
    throw new BadOptionError(`--settings: ${(error as Error).message}`, { cause: error });
  }
}
