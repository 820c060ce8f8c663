/**
 * All processes this program has started, so that none outlives it. Process-wide by nature: an exit or
 * signal handler must reach it without knowing who started what.
 */
import { inheritedVariable } from '../environment.js';
import { killTreesSync } from './kill-tree.js';
import { canSignal, MARK_VARIABLE, type ProcessRoot } from './process-tree.js';

const children = new Set<ProcessRoot>();
let ownMark: string | undefined;
let started = 0;

/** In the mark of every child. */
export function programMark(): string {
  if (!ownMark) {
    ownMark = `${process.pid}.${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
    process.once('exit', killAllChildren);
  }
  return `${ownMark}-`;
}

/** The mark of one child to be started; put it into its environment. */
export function newMark(): { mark: string; variables: Record<string, string> } {
  const mark = `${programMark()}${++started};`;
  return { mark, variables: { [MARK_VARIABLE]: `${inheritedVariable(MARK_VARIABLE) ?? ''}${mark}` } };
}

/** Returns a function to call once the child has exited. A process group with members left stays registered. */
export function registerChild(root: ProcessRoot): () => void {
  children.add(root);
  return () => {
    const foundByMark = process.platform === 'linux';
    if (foundByMark || !canSignal(-root.pid)) children.delete(root);
  };
}

/** Kills the children, their background jobs and daemons. Synchronous, because exit and signal handlers call it. */
export function killAllChildren(): void {
  if (!ownMark) return;
  killTreesSync([...children, { pid: 0, mark: `${ownMark}-` }]);
  children.clear();
}
