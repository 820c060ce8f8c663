/** For tests: runs processes with declared rights in the real sandbox, from a process of the fixture's user. */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { ExtensionCapabilities } from '../../../protocol/extension-capabilities.js';
import type { SandboxFixture } from '../sandboxed-run.test-helper.js';
import type { RefusedUse } from './types.js';

export interface RightsRun {
  command: string;
  args?: readonly string[];
  /** Default: the workspace. */
  cwd?: string;
  env?: Record<string, string>;
  /** What the hook or server names itself. */
  programs?: readonly string[];
  read?: readonly string[];
  write?: readonly string[];
  network?: readonly string[];
  executables?: readonly string[];
  /** `perl: null`: without an observer. `addresses`: what host names resolve to. */
  options?: { perl?: null; bwrap?: string; addresses?: readonly string[] };
}

export interface RightsAnswer {
  stdout: string;
  stderr: string;
  exitCode: number | null;
  uses: RefusedUse[];
  /** Set when the process was not started. */
  refused?: string;
}

/** The extension's folder in a fixture. */
export function extensionFolder({ base }: SandboxFixture): string {
  return join(base, 'extension');
}

async function runWithRights(fixture: SandboxFixture, run: RightsRun): Promise<RightsAnswer> {
  const { home, workspace, user } = fixture;
  const extensionPath = extensionFolder(fixture);
  fixture.write(join(extensionPath, 'gemini-extension.json'), '{"name":"tester"}');
  const capabilities: ExtensionCapabilities = {
    files: { read: run.read ?? [], write: run.write ?? [] },
    network: run.network ?? [],
    executables: run.executables ?? [],
  };
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: home };
  const job = {
    options: run.options ?? {},
    request: {
      command: run.command,
      args: run.args ?? [],
      cwd: run.cwd ?? workspace,
      env: { ...env, ...run.env },
      rights: { extension: 'tester', extensionPath, capabilities },
      programs: run.programs ?? [],
      workspace,
    },
  };
  const driver = fixture.write(join(fixture.base, 'driver.cjs'), await driverText());
  const child = spawn(process.execPath, [driver, JSON.stringify(job)], {
    cwd: fixture.base,
    env: { ...env, DRIVER_SECRET: 'secret of the driver' },
    uid: user.uid,
    gid: user.uid,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const texts = ['', '', ''];
  for (const index of [0, 1, 2])
    child.stdio[index + 1]?.on('data', (chunk: Buffer) => {
      texts[index] += chunk.toString('utf8');
    });
  // Closed when no process holds the other ends any more, inside the sandbox or outside.
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout = '', stderr = '', report = ''] = texts;
  if (exitCode === REFUSED) return { stdout, stderr, exitCode, uses: [], refused: stderr };
  const uses: RefusedUse[] = JSON.parse(report || '[]');
  return { stdout, stderr, exitCode, uses };
}

/** A script for sh, whose programs count as named by the hook. */
export function scriptWithRights(
  fixture: SandboxFixture,
  script: string,
  rest: Omit<RightsRun, 'command' | 'args'> = {},
): Promise<RightsAnswer> {
  return runWithRights(fixture, { command: 'bash', args: ['-c', script], ...rest });
}

/** A script for Node. */
export function nodeWithRights(
  fixture: SandboxFixture,
  script: string,
  rest: Omit<RightsRun, 'command' | 'args'> = {},
): Promise<RightsAnswer> {
  return runWithRights(fixture, { command: process.execPath, args: ['-e', script], ...rest });
}

const REFUSED = 44;

const DRIVER = `
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { LinuxRightsSandbox } from './linux-rights.js';
const { options: { addresses, ...options }, request } = JSON.parse(process.argv[2]);
async function run() {
  const uses = [];
  const sandbox = new LinuxRightsSandbox({
    variables: process.env,
    ...options,
    ...(addresses && { resolve: async () => addresses }),
  });
  const boxed = await sandbox.restrict({ ...request, onRefused: (use) => uses.push(use) });
  const { command, args, env } = boxed;
  const child = spawn(command, args, { cwd: request.cwd, env, stdio: ['ignore', 'inherit', 'pipe'] });
  child.stderr.on('data', (chunk) => {
    writeSync(2, chunk);
    boxed.readErrors(chunk.toString('utf8'));
  });
  boxed.watch?.(child.pid);
  const code = await new Promise((resolve) => child.once('close', (exitCode, signal) => resolve(signal ? 200 : exitCode)));
  await boxed.cleanup();
  writeSync(3, JSON.stringify(uses));
  process.exitCode = code;
}
run().catch((error) => {
  process.stderr.write(error.message);
  process.exitCode = ${REFUSED};
});
`;

let bundled: Promise<string> | undefined;

function driverText(): Promise<string> {
  bundled ??= build({
    stdin: { contents: DRIVER, resolveDir: dirname(fileURLToPath(import.meta.url)) },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
  }).then((result) => result.outputFiles[0]?.text ?? '');
  return bundled;
}
