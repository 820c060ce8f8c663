/** One run of one task: the built program in a throw-away copy of the fixture, then the judge. */
import { BUNDLE } from '../packages/test-utils/src/bundle.js';
import {
  type RunningProcess,
  type RunResult,
  runProcess,
  type StreamEvent,
} from '../packages/test-utils/src/running-cli.js';
import { type Check, Judge } from './judge.js';
import type { NamedTask } from './load-tasks.js';
import { readTranscript, type Transcript } from './transcript.js';
import { Workspace } from './workspace.js';

export interface RunSetup {
  model: string;
  /** Keys and addresses; never a home. */
  env: Record<string, string>;
  /** Settings that those of the task override, e.g. providers and prices. */
  defaults?: object;
  /** Limit of one run. */
  maxSeconds: number;
  /** Ends the run at once; its outcome is an error. */
  signal?: AbortSignal;
  /** Keep the folder, to look at it. */
  keep?: boolean;
}

export interface Outcome {
  /** `error`: the run says nothing about the model, e.g. because its server could not be reached. */
  status: 'passed' | 'failed' | 'error';
  /** Checks that failed, or the error, one line each. */
  complaints: string[];
  turns: number;
  tokens: number;
  cost: number | undefined;
  seconds: number;
  exitCode: number | null;
  checks: Check[];
  /** Where it ran, if that was kept. */
  folder: string | undefined;
}

/** Exit codes after which no other task would fare better: credentials, sandbox, configuration, trust. */
const HOPELESS: ReadonlySet<number | null> = new Set([41, 44, 52, 55]);

/** The model's own failures: it has used up a limit, or answered nothing that can be used. */
const FAULTS_OF_MODEL: ReadonlySet<string> = new Set([
  'FatalTurnLimitedError',
  'FatalBudgetError',
  'INVALID_STREAM',
]);

/** The program ends by itself at the limit. If it has not by then, the evaluation fails: that is a bug. */
const GRACE_SECONDS = 60;

/** No task needs more; a model that calls tools for ever fails. */
const MAX_TOOL_CALLS = 50;

export class CannotRunError extends Error {
  override readonly name = 'CannotRunError';
}

export async function runTask(task: NamedTask, setup: RunSetup): Promise<Outcome> {
  const workspace = await Workspace.make(task, setup.defaults);
  const process = start(task, setup, workspace);
  const kill = () => process.killGroup();
  setup.signal?.addEventListener('abort', kill);
  try {
    const run = await process.done;
    const transcript = readTranscript(eventsOf(run));
    if (HOPELESS.has(run.exitCode)) throw new CannotRunError(transcript.error?.message ?? run.stderr);
    return await judged(task, run, transcript, workspace, setup.keep);
  } finally {
    setup.signal?.removeEventListener('abort', kill);
    kill();
    if (!setup.keep) workspace.remove();
  }
}

/** None when the program was ended before it could write its result, perhaps within a line. */
function eventsOf(run: RunResult): StreamEvent[] {
  return run.signal !== null || run.stdout === '' ? [] : run.events();
}

function start(task: NamedTask, setup: RunSetup, workspace: Workspace): RunningProcess {
  const args = [
    ...['--prompt', task.prompt, '--model', setup.model, '--output-format', 'stream-json'],
    ...['--approval-mode', task.mode ?? 'auto_edit'],
    ...['--max-time', String(setup.maxSeconds), '--max-tool-calls', String(MAX_TOOL_CALLS)],
  ];
  return runProcess(process.execPath, [BUNDLE, ...args], {
    cwd: workspace.directory,
    env: { ...setup.env, ...workspace.env },
    timeoutMs: (setup.maxSeconds + GRACE_SECONDS) * 1000,
  });
}

async function judged(
  task: NamedTask,
  run: RunResult,
  transcript: Transcript,
  workspace: Workspace,
  keep = false,
): Promise<Outcome> {
  const { error, turns, tokens, cost } = transcript;
  const judge = new Judge(transcript, workspace);
  const isJudged = !error || FAULTS_OF_MODEL.has(error.type);
  if (isJudged) await task.judge(judge);
  const complaints = [
    ...(error ? [error.message] : []),
    ...judge.checks.flatMap(({ title, complaint }) => (complaint ? [`${title}: ${complaint}`] : [])),
  ];
  return {
    status: !isJudged ? 'error' : complaints.length > 0 ? 'failed' : 'passed',
    complaints,
    turns,
    tokens,
    cost,
    seconds: run.durationMs / 1000,
    exitCode: run.exitCode,
    checks: judge.checks,
    folder: keep ? workspace.root : undefined,
  };
}
