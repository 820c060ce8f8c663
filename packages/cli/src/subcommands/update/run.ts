/** `gemini update [--check]`: installs a newer version with the package manager that installed this one. */
import { spawn } from 'node:child_process';
import { homeOf, LoadedSettings } from '@gemini-cli/core';
import { type Look, type LookRequest, lookForUpdate } from '../../update/look.js';
import type { Subcommand, SubcommandIo } from '../subcommand.js';

export interface UpdateContext extends Omit<LookRequest, 'signal'> {
  /** Runs a command with our streams. @returns its exit code */
  run(command: readonly string[]): Promise<number>;
}

const run: Subcommand = (args, io) => {
  const { env } = io;
  const { proxy } = LoadedSettings.read({ cwd: homeOf(env), env, tolerant: true }).merged.general ?? {};
  const context = { env, proxy, version: __VERSION__, script: process.argv[1], run: runInherited };
  return updateCommand(args, io, context);
};

export default run;

export async function updateCommand(
  args: readonly string[],
  io: SubcommandIo,
  context: UpdateContext,
): Promise<number> {
  const wrong = args.find((arg) => arg !== '--check');
  if (wrong !== undefined) {
    io.stderr(`gemini update: unknown argument "${wrong}". Choose from --check.`);
    return 1;
  }
  const look = await lookForUpdate({ ...context, signal: new AbortController().signal });
  if (look.state === 'newer') return install(look, args.includes('--check'), io, context);
  if (look.state === 'current') {
    io.stdout(`gemini ${context.version} is the newest version.\n`);
    return 0;
  }
  io.stderr(reasonFor(look));
  return 1;
}

async function install(
  { version, command }: Extract<Look, { state: 'newer' }>,
  isCheck: boolean,
  io: SubcommandIo,
  { version: current, run }: UpdateContext,
): Promise<number> {
  io.stdout(`Version ${version} is available; this is ${current}.\n`);
  const line = command?.join(' ');
  if (isCheck) {
    if (line) io.stdout(`gemini update installs it with: ${line}\n`);
    return 0;
  }
  if (!command) {
    io.stderr('This copy cannot be updated: install the new version as you installed this one.');
    return 1;
  }
  io.stdout(`Installing it with: ${line}\n`);
  const exitCode = await run(command);
  if (exitCode === 0) {
    io.stdout(`gemini ${version} is installed; running sessions use it after a restart.\n`);
    return 0;
  }
  io.stderr(`The command ended with exit code ${exitCode}. Try it yourself: ${line}`);
  return 1;
}

function reasonFor(look: Exclude<Look, { state: 'newer' | 'current' }>): string {
  switch (look.state) {
    case 'checkout':
      return 'This copy runs from its sources. Update it with: git pull && npm install && npm run build';
    case 'unpublished':
      return 'This copy was installed from a file. Install a newer one with: npm install -g <tarball>';
    case 'unknown':
      return `The registry has no answer about this package: ${look.registry}`;
  }
}

function runInherited([file = '', ...args]: readonly string[]): Promise<number> {
  // On Windows package managers are batch files.
  const child = spawn(file, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  return new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('close', (code) => resolve(code ?? 1));
  });
}
