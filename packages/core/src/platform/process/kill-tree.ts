/** Ends a command and all it started: a chance to clean up, then no mercy. */
import {
  canSignal,
  isAlive,
  listProcesses,
  membersOf,
  type ProcessEntry,
  type ProcessRoot,
} from './process-tree.js';

const GRACE_MS = 200;
const POLL_MS = 5;
/** Rounds of SIGKILL: something that forks while it is being killed needs more than one. */
const MAX_ROUNDS = 50;

/** Resolves when nothing is left, or nothing more can be done (a process stuck in the kernel). */
export async function killTree(root: ProcessRoot, { graceMs = GRACE_MS } = {}): Promise<void> {
  if (process.platform === 'win32') return killWindowsTree(root.pid);
  const hunt = new Hunt([root]);
  if (!hunt.signal('SIGTERM')) return;
  for (let waited = 0; waited < graceMs && hunt.anyLeft(); waited += POLL_MS) await pause(POLL_MS);
  for (let round = 0; round < MAX_ROUNDS && hunt.signal('SIGKILL'); round++) await pause(POLL_MS);
}

/** The same for a program that is about to end and cannot wait for events. */
export function killTreesSync(roots: readonly ProcessRoot[], { graceMs = GRACE_MS } = {}): void {
  if (process.platform === 'win32') {
    for (const root of roots) if (root.pid > 0 && canSignal(root.pid)) taskkillSync(root.pid);
    return;
  }
  const hunt = new Hunt(roots);
  if (!hunt.signal('SIGTERM')) return;
  for (let waited = 0; waited < graceMs && hunt.anyLeft(); waited += POLL_MS) pauseSync(POLL_MS);
  for (let round = 0; round < MAX_ROUNDS && hunt.signal('SIGKILL'); round++) pauseSync(POLL_MS);
}

/** Remembers whom it has seen: once its parent is dead, a process may be found by nothing else. */
class Hunt {
  private seen: ProcessEntry[] = [];
  private readonly known = new Set<string>();

  constructor(private readonly roots: readonly ProcessRoot[]) {}

  /** False when nobody was left to be signalled. */
  signal(signal: NodeJS.Signals): boolean {
    const all = listProcesses();
    for (const entry of membersOf(all, this.roots)) {
      if (!this.known.has(keyOf(entry))) this.seen.push(entry);
      this.known.add(keyOf(entry));
    }
    const living = new Set(all.map(keyOf));
    this.seen = this.seen.filter((entry) => living.has(keyOf(entry)));
    const groups = new Set(this.seen.map((entry) => entry.group));
    // One call for the whole group leaves a fork bomb no moment to grow.
    for (const { pid } of this.roots) if (groups.has(pid)) send(-pid, signal);
    for (const entry of this.seen) send(entry.pid, signal);
    return this.seen.length > 0;
  }

  anyLeft(): boolean {
    this.seen = this.seen.filter(isAlive);
    return this.seen.length > 0;
  }
}

function keyOf({ pid, started }: ProcessEntry): string {
  return `${pid} ${started}`;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already, or another user's (setuid): neither can be helped.
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function pauseSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function killWindowsTree(pid: number): Promise<void> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  return new Promise((resolve) => {
    const child = spawn('taskkill', ['/f', '/t', '/pid', String(pid)], {
      stdio: 'ignore',
      windowsHide: true,
    });
    child.on('error', () => resolve());
    child.on('exit', () => resolve());
  });
}

function taskkillSync(pid: number): void {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  spawnSync('taskkill', ['/f', '/t', '/pid', String(pid)], { stdio: 'ignore', windowsHide: true });
}
