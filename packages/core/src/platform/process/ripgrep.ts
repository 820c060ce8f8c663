/** Finds ripgrep and runs it, streaming its output until the caller has enough. */
import type { ChildProcess } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { inheritedVariable, type Variables } from '../environment.js';
import { isInside } from '../files/real-path.js';

const BINARY = process.platform === 'win32' ? 'rg.exe' : 'rg';

/** An `rg` on PATH that neither the project nor another user can have planted, else the bundled one. */
export function locateRipgrep(
  workspaceDirectories: readonly string[],
  variables: Variables,
): string | undefined {
  for (const directory of (variables['PATH'] ?? '').split(delimiter)) {
    if (!isAbsolute(directory)) continue;
    const binary = trusted(join(directory, BINARY), workspaceDirectories);
    if (binary) return binary;
  }
  return bundledRipgrep();
}

export interface RipgrepRequest {
  binary: string;
  args: readonly string[];
  cwd: string;
  signal: AbortSignal;
  /** Starts it in a sandbox; what it throws is thrown. */
  isolate?: (invocation: Invocation) => Promise<IsolatedLaunch>;
  /** Return false to end the process. */
  onOutput(chunk: Buffer): boolean;
}

interface Invocation {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string | undefined>;
}

interface IsolatedLaunch {
  command: string;
  args: readonly string[];
  env: Record<string, string | undefined>;
  cleanup(): Promise<void>;
}

export interface RipgrepOutcome {
  endedBy: 'exit' | 'enough' | 'abort';
  /** 0: matches, 1: none, 2: an error, perhaps besides matches. */
  exitCode: number | null;
  errors: string;
}

const MAX_ERROR_CHARS = 16_384;

/** Rejects when the binary cannot be started, or with what `onOutput` throws. */
export async function runRipgrep(request: RipgrepRequest): Promise<RipgrepOutcome> {
  const { spawn } = await import('node:child_process');
  const { cwd } = request;
  const plain = {
    command: request.binary,
    args: ['--no-config', ...request.args],
    cwd,
    // Not the user's environment: it could change options or point to other programs.
    env: process.platform === 'win32' ? { SystemRoot: inheritedVariable('SystemRoot') } : {},
  };
  const isolated = await request.isolate?.(plain);
  const { command, args, env } = isolated ?? plain;
  try {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    return await watch(child, request);
  } finally {
    await isolated?.cleanup();
  }
}

function watch(child: ChildProcess, { signal, onOutput }: RipgrepRequest): Promise<RipgrepOutcome> {
  return new Promise((resolve, reject) => {
    let endedBy: RipgrepOutcome['endedBy'] = 'exit';
    let errors = '';
    const end = (reason: RipgrepOutcome['endedBy']) => {
      if (endedBy === 'exit') endedBy = reason;
      child.stdout?.removeAllListeners('data').resume();
      child.kill('SIGKILL');
    };
    const onAbort = () => end('abort');
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    child.stdout?.on('data', (chunk: Buffer) => {
      try {
        if (!onOutput(chunk)) end('enough');
      } catch (error) {
        end('enough');
        reject(error);
      }
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (errors.length < MAX_ERROR_CHARS) errors += text;
    });
    child.once('error', (error) => {
      signal.removeEventListener('abort', onAbort);
      reject(error);
    });
    child.once('close', (exitCode) => {
      signal.removeEventListener('abort', onAbort);
      resolve({ endedBy, exitCode, errors });
    });
  });
}

/** The real path of `binary` when it is safe to run. */
function trusted(binary: string, workspaceDirectories: readonly string[]): string | undefined {
  try {
    const real = realpathSync(binary);
    if (workspaceDirectories.some((directory) => isInside(real, directory) || isInside(binary, directory))) {
      return undefined;
    }
    accessSync(real, constants.X_OK);
    const isOurs = [real, dirname(real), dirname(binary)].every(isOnlyOurs);
    return statSync(real).isFile() && isOurs ? real : undefined;
  } catch {
    return undefined;
  }
}

/** Owned by root or this user, and not writable by others. */
function isOnlyOurs(path: string): boolean {
  const user = process.getuid?.();
  if (user === undefined) return true;
  const { uid, mode } = statSync(path);
  return (uid === 0 || uid === user) && (mode & 0o002) === 0;
}

/** The binary of each platform is an npm package, beside or below `@vscode/ripgrep`. */
function bundledRipgrep(): string | undefined {
  const file = `@vscode/ripgrep-${process.platform}-${process.arch}/bin/${BINARY}`;
  for (const from of [() => import.meta.url, () => realpathSync(process.argv[1] ?? '')]) {
    try {
      const loader = createRequire(from());
      const binary =
        resolveFrom(loader, file) ?? resolveFrom(createRequire(loader.resolve('@vscode/ripgrep')), file);
      if (!binary) continue;
      accessSync(binary, constants.X_OK);
      return binary;
    } catch {
      // Not installed there; `import.meta.url` is also missing from a CommonJS bundle.
    }
  }
  return undefined;
}

function resolveFrom(loader: NodeJS.Require, file: string): string | undefined {
  try {
    return loader.resolve(file);
  } catch {
    return undefined;
  }
}
