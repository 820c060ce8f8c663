/** Kills a contained command that runs too long or, where the kernel does not limit it, starts too many processes. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { CONTAINED_LIMITS } from './types.js';

export interface GuardOptions {
  /** False: the kernel limits the number of processes. */
  countsProcesses: boolean;
  maxProcesses?: number;
  wallMs?: number;
}

/** Short, because a fork bomb doubles with each step. Most commands end before the first count. */
const COUNT_EVERY_MS = 20;

/** @param pid of bubblewrap, which takes all its processes with it. Returns a function that stops the guard. */
export function guard(pid: number, options: GuardOptions): () => void {
  const { countsProcesses, maxProcesses = CONTAINED_LIMITS.maxProcesses } = options;
  const limit = setTimeout(() => end(pid), options.wallMs ?? CONTAINED_LIMITS.wallMs);
  const counting = countsProcesses
    ? setInterval(() => processesIn(pid) > maxProcesses && end(pid), COUNT_EVERY_MS)
    : undefined;
  limit.unref();
  counting?.unref();
  return () => {
    clearTimeout(limit);
    clearInterval(counting);
  };
}

/** The same without a process namespace, for all descendants of a process that adopts orphans. */
export function guardTree(pid: number): () => void {
  let group: number | undefined;
  const limit = setTimeout(() => endTree(pid, group), CONTAINED_LIMITS.wallMs);
  const counting = setInterval(() => {
    group ??= firstChildOf(pid);
    if (descendantsOf(pid).length > CONTAINED_LIMITS.maxProcesses) endTree(pid, group);
  }, COUNT_EVERY_MS);
  limit.unref();
  counting.unref();
  return () => {
    clearTimeout(limit);
    clearInterval(counting);
  };
}

/** Kills the group in one call, since single processes could fork faster than we find them; then those outside it. */
function endTree(pid: number, group: number | undefined): void {
  if (group !== undefined) signal(-group, 'SIGKILL');
  for (const child of descendantsOf(pid)) signal(child, 'SIGKILL');
}

function descendantsOf(pid: number): number[] {
  const found = childrenOf(pid);
  for (let at = 0; at < found.length; at++) found.push(...childrenOf(found[at] ?? 0));
  return found;
}

/** Counts the processes in the command's process namespace. */
function processesIn(pid: number): number {
  const first = firstChildOf(pid);
  if (first === undefined) return 0;
  try {
    const shown = `/proc/${first}/root/proc`;
    // Bubblewrap begins with the root of the machine; counting its processes would kill the command.
    if (statSync(shown).dev === statSync('/proc').dev) return 0;
    return readdirSync(shown).filter((name) => /^\d+$/.test(name)).length;
  } catch {
    return 0;
  }
}

/** Bubblewrap's child is the first process of the namespace; the kernel kills all others with it. */
function end(pid: number): void {
  for (const target of [firstChildOf(pid), pid]) if (target !== undefined) signal(target, 'SIGKILL');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has already ended.
  }
}

function firstChildOf(pid: number): number | undefined {
  return childrenOf(pid)[0];
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text
      .split(' ')
      .map(Number)
      .filter((child) => child > 0);
  } catch {
    return [];
  }
}
