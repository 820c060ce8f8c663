/**
 * Finds everything a command has started: its process group, its session, the descendants of those,
 * and (on Linux) daemons that left all three, by a mark in their environment.
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
  /** Start time: with the id it names a process for good, an id alone is used again. */
  started: string;
}

/** Chains over nested runs of this program, so that the outer one finds the children of the inner one. */
export const MARK_VARIABLE = 'GEMINI_CLI_RUN';

/** Those of `all` that belong to the roots, ours excluded. A root without a pid (0) counts by its mark only. */
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

/** The same process, still alive. Elsewhere than on Linux a zombie counts, too. */
export function isAlive({ pid, started }: ProcessEntry): boolean {
  if (process.platform !== 'linux') return canSignal(pid);
  return readEntry(pid)?.started === started;
}

/** Some process of this id is alive. */
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

/** All living processes (zombies are not) that we may have started. */
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

/** Ids count upwards: what we started has a higher one than ours, until the kernel starts over. */
function idsHaveWrapped(): boolean {
  try {
    const newest = Number(readFileSync('/proc/loadavg', 'latin1').split(' ')[4]);
    return !(newest >= process.pid);
  } catch {
    return true;
  }
}

/** Undefined when gone or a zombie. */
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

/** Other users' processes cannot be read, and are none of ours. */
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
