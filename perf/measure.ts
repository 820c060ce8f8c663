/** One timed run of a subject against the scripted model in this process. */
import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import type { Script } from '../packages/test-utils/src/model-script.js';
import { type RecordedRequest, startModelServer } from '../packages/test-utils/src/model-server.js';
import { cleanEnv, type Place } from './subjects.js';

export interface Task {
  args: string[];
  /** What the model answers, one entry per request; none for runs without a model. */
  replies?: Script[];
  env?: Record<string, string>;
  /** Called at every request with the pid of the running program. */
  onRequest?: (request: RecordedRequest, pid: number) => void;
}

export interface Sample {
  /** Spawn to exit, ms. */
  wall: number;
  /** Spawn to the arrival of the first request, ms. */
  firstRequest: number;
  /** From the end of each answer to the arrival of the next request, ms. */
  gaps: number[];
  /** Size of each request body. */
  bytes: number[];
  requests: RecordedRequest[];
}

export async function runOnce(command: string[], task: Task, place: Place): Promise<Sample> {
  const replies = task.replies ?? [];
  const model = await startModelServer({ keepBodies: replies.length < 100 });
  model.replies(...replies);
  try {
    const env = { ...cleanEnv(place, model.url), ...task.env };
    const [file = '', ...before] = command;
    const started = performance.now();
    const child = spawn(file, [...before, ...task.args], {
      cwd: place.workspace,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    model.onRequest = (request) => task.onRequest?.(request, child.pid ?? 0);
    let errors = '';
    child.stdout.resume();
    child.stderr.setEncoding('utf8').on('data', (data: string) => {
      errors = (errors + data).slice(-2000);
    });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
    const wall = performance.now() - started;
    if (code !== 0) throw new Error(`exit code ${code}: ${errors.trim()}`);
    if (model.requests.length !== replies.length) {
      throw new Error(`${model.requests.length} requests instead of ${replies.length}: ${errors.trim()}`);
    }
    return { wall, ...timing(model.requests, started), requests: model.requests };
  } finally {
    await model.close();
  }
}

function timing(
  requests: RecordedRequest[],
  started: number,
): Pick<Sample, 'firstRequest' | 'gaps' | 'bytes'> {
  const gaps: number[] = [];
  for (let index = 1; index < requests.length; index++) {
    const [before, after] = [requests[index - 1], requests[index]];
    if (before?.answeredAt !== undefined && after) gaps.push(after.at - before.answeredAt);
  }
  const firstRequest = requests[0] ? requests[0].at - started : Number.NaN;
  return { firstRequest, gaps, bytes: requests.map((request) => request.bytes) };
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
