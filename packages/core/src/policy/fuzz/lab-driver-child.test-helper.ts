/** Runs inside a container: starts each command as the shell tool does, but without its sandbox. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { shellInvocation } from '../../platform/shell/shell-command.js';
import { shellEnvironment } from '../../platform/shell/shell-environment.js';
import { type DriverJob, type DriverOrder, drive } from './driver-lab.test-helper.js';

const COMMAND_MS = 2000;
const MAX_OUTPUT = 400_000;

function run({ root, variables }: DriverOrder, { command, directory }: DriverJob): Promise<string> {
  const settings = { pager: 'cat', environmentRedaction: { enabled: false, allowed: [], blocked: [] } };
  const env = shellEnvironment({ parent: variables, settings, isTrustedFolder: true });
  const shell = shellInvocation(command, { method: 'pipes', variables: env });
  if (!shell) throw new Error('There is no shell.');
  const child = spawn(shell.file, shell.args, {
    cwd: join(root, directory),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    if (output.length < MAX_OUTPUT) output += chunk.toString('latin1');
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const timer = setTimeout(endAll, COMMAND_MS);
  return new Promise((resolve) => {
    // `close` waits for all processes that hold the output, background jobs included.
    child.on('close', () => {
      clearTimeout(timer);
      endAll();
      shell.takeBackgroundPids();
      resolve(output);
    });
    child.on('error', () => resolve(output));
  });
}

/** Kills all other processes; safe, because the container has its own process namespace. */
function endAll(): void {
  try {
    process.kill(-1, 'SIGKILL');
  } catch {
    // Nothing was left.
  }
}

if (process.argv[2]) await drive(async (order) => (job) => run(order, job));
