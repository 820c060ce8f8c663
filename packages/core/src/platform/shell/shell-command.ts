/** What is really started for a command line: the shell, its arguments, and how it reports left-over jobs. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { shellQuote } from '../../base/shell-words.js';
import { temporaryDirectory, type Variables } from '../environment.js';
import { findProgram } from '../process/find-program.js';

export interface ShellInvocation {
  file: string;
  args: string[];
  /** Ids of jobs the shell left running; call once, after its end. */
  takeBackgroundPids(): number[];
}

export interface InvocationOptions {
  method: 'pty' | 'pipes';
  /** Of the command: its PATH, and where temporary files go. */
  variables: Variables;
  /** Close standard input; pipes never have one. */
  closeInput?: boolean;
  /** Our ends of other terminals: the native module lets children inherit them, so the shell closes them. */
  closeFds?: readonly number[];
  /** In a sandbox jobs end with the shell, and a file that a program before us left open would be a way out. */
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
    // In a terminal the end of the shell hangs up on its background jobs, which over pipes live on.
    // Over pipes, one stream keeps errors and output in the order they came.
    options.method === 'pty' ? "trap '' HUP" : 'exec 2>&1',
  ];
  return {
    file,
    // On a line of its own: the shell quotes the whole line in which it finds an error.
    args: ['-c', `${setUp.join('; ')}\n${inner}`, bash ? 'bash' : 'sh'],
    takeBackgroundPids: () => report?.take() ?? [],
  };
}

/** False: commands are read by another shell, which knows less than bash. */
export function runsInBash(path: string | undefined): boolean {
  return process.platform === 'win32' || findProgram('bash', path) !== undefined;
}

/** The terminal or the editor that started us may have left files open. Only bash can name those above 9. */
const CLOSE_ALL = [
  `for _fd in /proc/self/fd/* /dev/fd/*; do case \${_fd##*/} in`,
  `[0-2]|*[!0-9]*) ;; *) eval "exec \${_fd##*/}>&-";; esac; done; unset _fd`,
].join(' ');
const CLOSE_SOME = 'exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-';

function closing(fds: readonly number[] = []): string[] {
  return fds.map((fd) => `exec ${fd}>&-`);
}

/** The same program, started without these descriptors. */
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
 * Takes off one layer of `bash -c '…'`. Only where that changes nothing: between double quotes a `$`, a
 * backtick or a backslash is for the outer shell.
 */
export function unwrapShell(command: string, platform = process.platform): string {
  const [, unixQuote, unixBody] =
    /^\s*(?:\/(?:usr\/)?bin\/)?(?:sh|bash|zsh)\s+-c\s+(["'])([\s\S]*)\1\s*$/.exec(command) ?? [];
  if (unixQuote && unixBody?.trim()) return isLiteral(unixBody, unixQuote) ? unixBody : command;
  // Elsewhere a program of that name is one like others, and is judged as such.
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
