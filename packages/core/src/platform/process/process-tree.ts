/**
 * Finds all processes of a command: its process group, its session, their descendants, and on Linux also
 * daemons that left all three, by a mark in their environment.
 */
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { processStat } from './proc-stat.js';

/** A process that leads its own group, and the mark its descendants carry. */
export interface ProcessRoot {
  pid: number;
  /** Part of the value of {@link MARK_VARIABLE} in every descendant. */
  mark?: string;
}

export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** Start time; ids are reused, so only the pair identifies a process. */
  started: string;
}

/** Nested runs of this program append to it, so that the outer run finds the inner run's children. */
export const MARK_VARIABLE = 'GEMINI_CLI_RUN';

/** Processes of `all` that belong to the roots, without this one. A root with pid 0 is matched by its mark only. */
export function membersOf(all: readonly ProcessEntry[], roots: readonly ProcessRoot[]): ProcessEntry[] {
  const pids = new Set(roots.map((root) => root.pid).filter((pid) => pid > 0));
  const marks = roots.flatMap((root) => (root.mark ? [root.mark] : []));
  const found = new Map<number, ProcessEntry>();
  for (const entry of all) {
    const isMember = pids.has(entry.pid) || pids.has(entry.group) || pids.has(entry.session);
    if (isMember || hasMark(entry.pid, marks)) found.set(entry.pid, entry);
  }
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const entry of all) if (found.has(entry.parent)) found.set(entry.pid, entry);
  }
  found.delete(process.pid);
  return [...found.values()];
}

/** Whether this very process still runs. Outside Linux a zombie counts as running. */
export function isAlive({ pid, started }: ProcessEntry): boolean {
  if (process.platform !== 'linux') return canSignal(pid);
  return readEntry(pid)?.started === started;
}

/** Whether any process has this id. */
export function isRunning(pid: number): boolean {
  return process.platform === 'linux' ? readEntry(pid) !== undefined : canSignal(pid);
}

export function canSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** All running processes, without zombies, that we may have started. */
export function listProcesses(): ProcessEntry[] {
  if (process.platform !== 'linux') return listByPs();
  const oldest = idsHaveWrapped() ? 1 : process.pid;
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const entry = pid > oldest ? readEntry(pid) : undefined;
    if (entry) entries.push(entry);
  }
  return entries;
}

/** Process ids count upwards: our children have higher ids than we do, until the kernel starts over. */
function idsHaveWrapped(): boolean {
  try {
    const newest = Number(readFileSync('/proc/loadavg', 'latin1').split(' ')[4]);
    return !(newest >= process.pid);
  } catch {
    return true;
  }
}

/** Undefined when it has exited or is a zombie. */
function readEntry(pid: number): ProcessEntry | undefined {
  const fields = processStat(pid) ?? [];
  const [state, parent, group, session] = fields;
  const started = fields[19];
  if (!started || state === 'Z' || state === 'X') return undefined;
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), started };
}

function listByPs(): ProcessEntry[] {
  if (process.platform === 'win32') return [];
  try {
    const { execFileSync } = process.getBuiltinModule('node:child_process');
    const table = execFileSync('ps', ['-axo', 'pid=,ppid=,pgid=,state=,lstart='], { encoding: 'utf8' });
    return table.split('\n').flatMap((line) => {
      const [, pid, parent, group, state, started] =
        /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
      if (!pid || state?.startsWith('Z')) return [];
      const id = Number(group);
      return [{ pid: Number(pid), parent: Number(parent), group: id, session: id, started: started ?? '' }];
    });
  } catch {
    return [];
  }
}

const ENVIRONMENT_BYTES = 256 * 1024;
let scratch: Buffer | undefined;

/** Processes of other users cannot be read; we did not start them. */
function hasMark(pid: number, marks: readonly string[]): boolean {
  if (marks.length === 0 || process.platform !== 'linux' || pid === process.pid) return false;
  let fd: number;
  try {
    fd = openSync(`/proc/${pid}/environ`, 'r');
  } catch {
    return false;
  }
  try {
    scratch ??= Buffer.allocUnsafe(ENVIRONMENT_BYTES);
    const environment = scratch.subarray(0, readSync(fd, scratch, 0, ENVIRONMENT_BYTES, 0));
    const start = environment.indexOf(`${MARK_VARIABLE}=`);
    if (start < 0) return false;
    const end = environment.indexOf(0, start);
    const value = environment.toString('latin1', start, end < 0 ? undefined : end);
    return marks.some((mark) => value.includes(mark));
  } catch {
    return false;
  } finally {
    closeSync(fd);
  }
}
