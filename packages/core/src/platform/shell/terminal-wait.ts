/** Finds out whether a program in a command's terminal waits for input. */
import { readdirSync, type Stats } from 'node:fs';
import { tryStat } from '../files/try-read.js';
import { processStat } from '../process/proc-stat.js';
import { listProcesses, membersOf, type ProcessEntry } from '../process/process-tree.js';
import { blockedCall } from './blocked-call.js';

/**
 * - `reads`: a program only waits for input.
 * - `listens`: a program waits for input or other events, and has no children or connections.
 * - `serves`: the same, but with children or connections that may be working.
 * - `hidden`: the system does not say; a program may be reading.
 * - `none`: no program reads.
 */
export type TerminalWait = 'reads' | 'listens' | 'serves' | 'hidden' | 'none';

/** Most certain first: one reading program is enough. */
const RANK: readonly TerminalWait[] = ['reads', 'listens', 'serves', 'hidden', 'none'];
/** Device number of `/dev/tty`, the same terminal under another name. */
const OWN_TERMINAL = 0x500;
const MAX_THREADS = 64;

/** @param pid process id of the shell, whose controlling terminal it is */
export function terminalWait(pid: number): TerminalWait {
  if (process.platform !== 'linux') return 'hidden';
  const terminal = statusOf(pid)?.terminal;
  if (!terminal) return 'none';
  let members: ProcessEntry[];
  try {
    members = membersOf(listProcesses(), [{ pid }]);
  } catch {
    return 'hidden'; // For example because of too many open files.
  }
  const waits = members.map((member) => waitOf(member, members, terminal));
  return RANK.find((wait) => waits.includes(wait)) ?? 'none';
}

function waitOf({ pid }: ProcessEntry, members: readonly ProcessEntry[], terminal: number): TerminalWait {
  const status = statusOf(pid);
  if (!status || status.isRunning) return 'none';
  let found: TerminalWait = 'none';
  for (const thread of threadsOf(pid)) {
    const call = blockedCall(pid, thread);
    if (!call) continue;
    if (call === 'hidden') return 'hidden';
    const files = call.fds.map((fd) => fileOf(pid, fd));
    if (!files.some((file) => file && isTerminal(file, terminal))) continue;
    // Another thread may be working while this one reads.
    if (call.isExclusive && thread === pid) return 'reads';
    const hasWorkers = members.some((member) => member.parent === pid);
    found = hasWorkers || hasSocket(pid, files) ? 'serves' : 'listens';
  }
  return found;
}

function isTerminal(file: Stats, terminal: number): boolean {
  return file.isCharacterDevice() && (file.rdev === terminal || file.rdev === OWN_TERMINAL);
}

/** A thread in `read` does not show what other threads wait for, so all descriptors of the process count. */
function hasSocket(pid: number, waitedFor: readonly (Stats | undefined)[]): boolean {
  if (waitedFor.length > 1) return waitedFor.some((file) => file?.isSocket());
  return namesIn(`/proc/${pid}/fd`).some((fd) => fileOf(pid, fd)?.isSocket());
}

function fileOf(pid: number, fd: number): Stats | undefined {
  return tryStat(`/proc/${pid}/fd/${fd}`);
}

function threadsOf(pid: number): number[] {
  return namesIn(`/proc/${pid}/task`).slice(0, MAX_THREADS);
}

function namesIn(directory: string): number[] {
  try {
    return readdirSync(directory).map(Number);
  } catch {
    return [];
  }
}

function statusOf(pid: number): { isRunning: boolean; terminal: number } | undefined {
  const fields = processStat(pid);
  return fields && { isRunning: fields[0] === 'R', terminal: Number(fields[4]) };
}
