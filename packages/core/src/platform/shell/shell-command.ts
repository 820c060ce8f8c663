/** Builds the shell invocation for a command line, and reads back which background jobs it left running. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { shellQuote } from '../../base/shell-words.js';
import { temporaryDirectory, type Variables } from '../environment.js';
import { findProgram } from '../process/find-program.js';

export interface ShellInvocation {
  file: string;
  args: string[];
  /** Ids of background jobs that still run; call once, after the shell has ended. */
  takeBackgroundPids(): number[];
}

export interface InvocationOptions {
  method: 'pty' | 'pipes';
  /** Environment of the command: PATH, TMPDIR. */
  variables: Variables;
  /** Over pipes: errors are not mixed with the output. */
  keepsStreamsApart?: boolean;
  /** Close standard input; pipes never have one. */
  closeInput?: boolean;
  /** Our ends of other terminals. The native pty module lets children inherit them, so the shell closes them. */
  closeFds?: readonly number[];
  /** In a sandbox jobs end with the shell, and every inherited open file must be closed: it would be a way out. */
  isSandboxed?: boolean;
}

/** Undefined when the machine has no shell. */
export function shellInvocation(command: string, options: InvocationOptions): ShellInvocation | undefined {
  const inner = unwrapShell(command);
  if (process.platform === 'win32') return powerShell(inner, options);
  const bash = findProgram('bash', options.variables['PATH']);
  const file = bash ?? findProgram('sh', options.variables['PATH']);
  if (!file) return undefined;

  const report = options.isSandboxed ? undefined : openReport(temporaryDirectory(options.variables));
  const setUp = [
    bash ? 'shopt -u promptvars nullglob extglob nocaseglob dotglob' : ':',
    ...(report ? [`trap ${shellQuote(`jobs -p >${shellQuote(report.file)}`)} EXIT`] : []),
    ...closing(options.closeFds),
    ...(options.isSandboxed ? [bash ? CLOSE_ALL : CLOSE_SOME] : []),
    ...(options.closeInput ? ['exec </dev/null'] : []),
    // In a terminal, background jobs must survive the hang-up when the shell ends, as they do over pipes.
    // Over pipes, a single stream keeps errors and output in order.
    ...(options.method === 'pty' ? ["trap '' HUP"] : options.keepsStreamsApart ? [] : ['exec 2>&1']),
  ];
  return {
    file,
    // The command starts a new line, because the shell prints the whole line of a syntax error.
    args: ['-c', `${setUp.join('; ')}\n${inner}`, bash ? 'bash' : 'sh'],
    takeBackgroundPids: () => report?.take() ?? [],
  };
}

/** False: commands run in `sh`, which knows less than bash. */
export function runsInBash(path: string | undefined): boolean {
  return process.platform === 'win32' || findProgram('bash', path) !== undefined;
}

/** The terminal or editor that started us may have left files open. Only bash can close descriptors above 9. */
const CLOSE_ALL = [
  `for _fd in /proc/self/fd/* /dev/fd/*; do case \${_fd##*/} in`,
  `[0-2]|*[!0-9]*) ;; *) eval "exec \${_fd##*/}>&-";; esac; done; unset _fd`,
].join(' ');
const CLOSE_SOME = 'exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-';

function closing(fds: readonly number[] = []): string[] {
  return fds.map((fd) => `exec ${fd}>&-`);
}

export function withoutFds(
  { file, args }: Pick<ShellInvocation, 'file' | 'args'>,
  { shell, fds }: { shell: string; fds: readonly number[] },
): Pick<ShellInvocation, 'file' | 'args'> {
  if (fds.length === 0) return { file, args };
  return { file: shell, args: ['-c', [...closing(fds), 'exec "$@"'].join('; '), 'sh', file, ...args] };
}

interface JobReport {
  file: string;
  take(): number[];
}

/** Undefined on a full disk: the command matters more than the list of its jobs. */
function openReport(temporary: string): JobReport | undefined {
  let directory: string;
  try {
    directory = mkdtempSync(join(temporary, 'gemini-shell-'));
  } catch {
    return undefined;
  }
  const file = join(directory, 'jobs');
  const take = () => {
    const pids = readPids(file);
    rmSync(directory, { recursive: true, force: true });
    return pids;
  };
  return { file, take };
}

/**
 * Removes one layer of `bash -c '…'`, if that does not change the meaning: in double quotes, `$`, backtick and
 * backslash are for the outer shell.
 */
export function unwrapShell(command: string, platform = process.platform): string {
  const [, unixQuote, unixBody] =
    /^\s*(?:\/(?:usr\/)?bin\/)?(?:sh|bash|zsh)\s+-c\s+(["'])([\s\S]*)\1\s*$/.exec(command) ?? [];
  if (unixQuote && unixBody?.trim()) return isLiteral(unixBody, unixQuote) ? unixBody : command;
  // On other platforms `cmd` and `powershell` are ordinary programs.
  if (platform !== 'win32') return command;
  const [, windowsBody] =
    /^\s*(?:cmd(?:\.exe)?\s+\/c|(?:powershell|pwsh)(?:\.exe)?\s+(?:-NoProfile\s+)?-Command)\s+"([^"]*)"\s*$/i.exec(
      command,
    ) ?? [];
  return windowsBody?.trim() && isLiteral(windowsBody, '"') ? windowsBody : command;
}

function isLiteral(body: string, quoteMark: string): boolean {
  if (body.includes(quoteMark)) return false;
  return quoteMark === "'" || !/[$`\\!]/.test(body);
}

function readPids(report: string): number[] {
  try {
    return readFileSync(report, 'utf8').split('\n').filter(Boolean).map(Number).filter(Number.isInteger);
  } catch {
    return []; // The command replaced the trap or the shell itself.
  }
}

function powerShell(command: string, { method, variables }: InvocationOptions): ShellInvocation {
  const file = findProgram('pwsh.exe', variables['PATH']) ?? 'powershell.exe';
  const quiet = method === 'pipes' ? ['-NonInteractive'] : [];
  return { file, args: ['-NoProfile', ...quiet, '-Command', command], takeBackgroundPids: () => [] };
}
