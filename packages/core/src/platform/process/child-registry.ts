/**
 * All processes this program has started, so that none outlives it. Process-wide by nature: an exit or
 * signal handler must reach it without knowing who started what.
 */
import { inheritedVariable } from '../environment.js';
import { killTreesSync } from './kill-tree.js';
import { canSignal, MARK_VARIABLE, type ProcessRoot } from './process-tree.js';

const living = new Set<ProcessRoot>();
let ownMark: string | undefined;
let started = 0;

/** The mark of one child to be started; put it into its environment. */
export function newMark(): { mark: string; variables: Record<string, string> } {
  if (!ownMark) {
    ownMark = `${process.pid}.${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
    process.once('exit', killAllChildren);
  }
  const mark = `${ownMark}-${++started};`;
  return { mark, variables: { [MARK_VARIABLE]: `${inheritedVariable(MARK_VARIABLE) ?? ''}${mark}` } };
}

/** Returns what to call once the child itself is gone; its group may live on. */
export function registerChild(root: ProcessRoot): () => void {
  living.add(root);
  return () => {
    const foundByMark = process.platform === 'linux';
    if (foundByMark || !canSignal(-root.pid)) living.delete(root);
  };
}

/** Ends them, what they left behind, and daemons they started. Synchronous: for exit and signal handlers. */
export function killAllChildren(): void {
  if (!ownMark) return;
  killTreesSync([...living, { pid: 0, mark: `${ownMark}-` }]);
  living.clear();
}
