/** Writes a file from inside the sandbox, where the kernel enforces which paths are writable. */
import { accessSync, constants, existsSync, lstatSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { findBuiltFile } from '../../built-file.js';
import type { WriteOptions } from '../../files/atomic-write.js';
import { FileError } from '../../files/file-error.js';
import { realPathOf } from '../../files/real-path.js';
import { runProcess } from '../../process/process-runner.js';
import type { ToolSandbox } from '../tool-sandbox.js';
import { SandboxError } from '../types.js';
import type { WriteAnswer, WriteOrder } from './order.js';

const TIMEOUT_MS = 60_000;

/** @param cwd a directory that exists inside. @throws FileError */
export async function containedWrite(
  sandbox: ToolSandbox,
  cwd: string,
  { path, bytes, options }: { path: string; bytes: Buffer; options: WriteOptions },
): Promise<void> {
  const realPath = realPathOf(path);
  const refusal = options.authorize?.(realPath);
  if (refusal) throw new FileError('refused', refusal);
  const answer = await runHelper(sandbox, cwd, { path, realPath, expect: options.expect }, bytes);
  if (!answer.ok) {
    const { problem, message } = answer;
    throw problem === 'denied' && isWritable(realPath) ? outside(path) : new FileError(problem, message);
  }
  // In a directory that exists only inside, the file is gone now.
  if (lstatSync(realPath, { throwIfNoEntry: false })?.size !== bytes.length) throw outside(path);
}

async function runHelper(
  sandbox: ToolSandbox,
  cwd: string,
  order: WriteOrder,
  bytes: Buffer,
): Promise<WriteAnswer> {
  const { args, programs } = helper();
  const invocation = { command: process.execPath, args, cwd, env: {} };
  const needs = { programs: [process.execPath, ...programs], writes: order.realPath };
  const wrapped = await sandbox.wrapHelper(invocation, needs).catch((error: unknown) => {
    throw error instanceof SandboxError ? new FileError('denied', error.message, error) : error;
  });
  try {
    const input = Buffer.concat([Buffer.from(`${JSON.stringify(order)}\n`), bytes]);
    const { stdout, stderr, endedBy } = await runProcess(wrapped.command, wrapped.args, {
      cwd,
      env: wrapped.env,
      input,
      timeoutMs: TIMEOUT_MS,
    });
    if (stdout.startsWith('{')) return JSON.parse(stdout) as WriteAnswer;
    const why = endedBy ?? /^\S*(?:Error|bwrap)\b.*$/m.exec(stderr)?.[0] ?? stderr.trim().slice(0, 200);
    throw new FileError('io', `${order.path} was not written: the sandbox did not answer (${why}).`);
  } finally {
    await wrapped.cleanup();
  }
}

/** The build makes the helper a file of its own; from source, tsx compiles it. */
function helper(): { args: string[]; programs: string[] } {
  const built = findBuiltFile('contained-write.cjs');
  if (built) return { args: [built], programs: [built] };
  const words = [
    createRequire(import.meta.url).resolve('tsx/cjs'),
    new URL('./helper.ts', import.meta.url).pathname,
  ];
  return {
    args: ['-e', words.map((file) => `require(${JSON.stringify(file)})`).join(';')],
    programs: [new URL('../../../../../..', import.meta.url).pathname],
  };
}

/** Whether we could write here: then the sandbox has refused it. */
function isWritable(path: string): boolean {
  const existing = existsSync(path) ? path : dirname(path);
  if (!existsSync(existing)) return existing !== path && isWritable(existing);
  try {
    accessSync(existing, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function outside(path: string): FileError {
  return new FileError(
    'denied',
    `The sandbox does not allow writing ${path}. The user can add it to tools.sandboxAllowedPaths.`,
  );
}
