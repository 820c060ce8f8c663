/** Runs the whole program in a running LXC container, with the workspace attached. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FatalSandboxError } from '../../../base/errors.js';
import { shellQuote } from '../../../base/shell-words.js';
import { runProcess } from '../../process/process-runner.js';
import { randomHex } from '../../random.js';
import { containerVariables } from './container-env.js';
import { definedVariables, type SandboxSession, type WholeProcessSources } from './whole-process.js';

const DEFAULT_CONTAINER = 'gemini-sandbox';

/** @throws FatalSandboxError when the container is missing or stopped, or the workspace cannot be attached */
export async function openLxc(sources: WholeProcessSources, id = randomHex(4)): Promise<SandboxSession> {
  const { env, cwd } = sources;
  const name = env['GEMINI_SANDBOX_IMAGE'] || DEFAULT_CONTAINER;
  if (!/^[a-zA-Z][a-zA-Z0-9-]*$/.test(name)) {
    throw new FatalSandboxError(`GEMINI_SANDBOX_IMAGE: "${name}" is not the name of an LXC container.`);
  }
  const lxc = (...args: string[]) => runProcess('lxc', args, { env, cwd });
  await requireRunning(name, await lxc('list', name, '--format', 'json'));
  const device = `gemini-workspace-${id}`;
  const variables = `/run/gemini-sandbox-${id}`;
  const close = async () => {
    await lxc('config', 'device', 'remove', name, device);
  };
  const attached = await lxc('config', 'device', 'add', name, device, 'disk', `source=${cwd}`, `path=${cwd}`);
  if (attached.exitCode !== 0) {
    throw new FatalSandboxError(`LXC container ${name} cannot attach ${cwd}: ${lastLine(attached.stderr)}`);
  }
  try {
    await pushVariables(sources, name, variables);
  } catch (error) {
    await close();
    throw error;
  }
  return { command: 'lxc', args: execArguments(sources, name, variables), env: definedVariables(env), close };
}

function execArguments({ cwd, args, isTerminal }: WholeProcessSources, name: string, variables: string) {
  const program = ['exec gemini', ...args.map(shellQuote)].join(' ');
  const script = `set -a; . ${variables}; rm -f ${variables}; set +a; ${program}`;
  return ['exec', name, '--cwd', cwd, isTerminal ? '-t' : '-T', '--', 'bash', '-c', script];
}

/** In a private file, because other users can see arguments. */
async function pushVariables(sources: WholeProcessSources, name: string, target: string): Promise<void> {
  const directory = mkdtempSync(join(sources.temporaryDirectory, 'gemini-sandbox-env-'));
  try {
    const file = join(directory, 'env');
    const lines = Object.entries(containerVariables(sources, name, undefined)).map(
      ([key, value]) => `${key}=${shellQuote(value)}\n`,
    );
    writeFileSync(file, lines.join(''), { mode: 0o600, flag: 'wx' });
    const args = ['file', 'push', '--mode', '0600', file, `${name}${target}`];
    const pushed = await runProcess('lxc', args, { env: sources.env });
    if (pushed.exitCode !== 0) {
      throw new FatalSandboxError(`LXC container ${name} does not accept files: ${lastLine(pushed.stderr)}`);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function requireRunning(
  name: string,
  { stdout, stderr, exitCode }: { stdout: string; stderr: string; exitCode: number | null },
) {
  if (exitCode !== 0) throw new FatalSandboxError(`lxc does not answer: ${lastLine(stderr)}`);
  const status = statusOf(name, stdout);
  if (status === 'Running') return;
  const remedy = status ? `Start it: lxc start ${name}` : `Create it: lxc launch ubuntu:24.04 ${name}`;
  throw new FatalSandboxError(`LXC container ${name} is ${status ? 'not running' : 'missing'}. ${remedy}`);
}

/** `lxc list` also returns containers whose name starts with this one. */
function statusOf(name: string, json: string): string | undefined {
  let list: unknown;
  try {
    list = JSON.parse(json);
  } catch {
    throw new FatalSandboxError('lxc list answered with something that is not JSON.');
  }
  const found: unknown = Array.isArray(list) ? list.find((item) => item?.name === name) : undefined;
  const status = typeof found === 'object' && found !== null && 'status' in found ? found.status : undefined;
  return typeof status === 'string' ? status : undefined;
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
