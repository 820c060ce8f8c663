/** Kills a command and all its descendants: SIGTERM, a grace period, then SIGKILL. */
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
const LATER_POLL_MS = 50;
/** Rounds of SIGKILL: processes that fork while they are being killed need more than one. */
const MAX_ROUNDS = 50;

/** Resolves when no process is left, or when one is stuck in the kernel and cannot be killed. */
export async function killTree(root: ProcessRoot, { graceMs = GRACE_MS } = {}): Promise<void> {
  if (process.platform === 'win32') return killWindowsTree(root.pid);
  const tree = new SignalledTree([root]);
  if (!tree.signal('SIGTERM')) return;
  for (const pauses = pausesIn(graceMs); tree.anyLeft(); ) {
    const ms = pauses();
    if (ms === undefined) break;
    await pause(ms);
  }
  for (let round = 0; round < MAX_ROUNDS && tree.signal('SIGKILL'); round++) await pause(POLL_MS);
}

/** The same without an event loop, for a program that is about to exit. */
export function killTreesSync(roots: readonly ProcessRoot[], { graceMs = GRACE_MS } = {}): void {
  if (process.platform === 'win32') {
    for (const root of roots) if (root.pid > 0 && canSignal(root.pid)) taskkillSync(root.pid);
    return;
  }
  const tree = new SignalledTree(roots);
  if (!tree.signal('SIGTERM')) return;
  for (const pauses = pausesIn(graceMs); tree.anyLeft(); ) {
    const ms = pauses();
    if (ms === undefined) break;
    pauseSync(ms);
  }
  for (let round = 0; round < MAX_ROUNDS && tree.signal('SIGKILL'); round++) pauseSync(POLL_MS);
}

/** Signals all processes of the trees. Remembers them, because an orphan can no longer be found by its parent. */
class SignalledTree {
  private seen: ProcessEntry[] = [];
  private readonly known = new Set<string>();

  constructor(private readonly roots: readonly ProcessRoot[]) {}

  /** Returns false when no process is left. */
  signal(signal: NodeJS.Signals): boolean {
    const all = listProcesses();
    for (const entry of membersOf(all, this.roots)) {
      if (!this.known.has(keyOf(entry))) this.seen.push(entry);
      this.known.add(keyOf(entry));
    }
    const living = new Set(all.map(keyOf));
    this.seen = this.seen.filter((entry) => living.has(keyOf(entry)));
    const groups = new Set(this.seen.map((entry) => entry.group));
    // One call for the whole group gives a fork bomb no time to grow.
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
    // It has exited, or belongs to another user (setuid) and cannot be signalled.
  }
}

/**
 * The pauses between looks. A short time is counted in looks: on a busy machine, where they take longer, the processes
 * need longer, too. The rest of a long time goes by the clock, or 5 s would become 30.
 */
function pausesIn(graceMs: number): () => number | undefined {
  const end = performance.now() + graceMs;
  let looks = Math.min(graceMs, GRACE_MS) / POLL_MS;
  return () => {
    if (looks-- > 0) return POLL_MS;
    return performance.now() < end ? LATER_POLL_MS : undefined;
  };
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
