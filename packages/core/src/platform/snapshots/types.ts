/** What snapshots are made of, and what callers of the service see. */

/** A file without a hash was not copied; it is told apart by size, time and inode. */
export type FileState =
  | { kind: 'file'; hash: string | null; size: number; mode: number; mtimeMs: number; ino: number }
  | { kind: 'link'; target: string }
  | { kind: 'dir'; mode: number }
  | { kind: 'other'; ino: number };

export interface Change {
  /** Absolute, real path. */
  path: string;
  before: FileState | null;
  after: FileState | null;
  /** The same file under its old and its new name is two changes that know each other. */
  movedFrom?: string;
  movedTo?: string;
}

export interface Uncovered {
  path: string;
  reason: string;
}

export type SnapshotKind = 'tool' | 'command' | 'undo';

export interface SnapshotCall {
  callId: string;
  toolName: string;
  promptId: string;
  sessionId?: string;
  /** One line for the list: the command or the file. The caller has masked secrets in it. */
  description?: string;
}

export interface SnapshotRecord extends SnapshotCall {
  id: string;
  kind: SnapshotKind;
  startedAt: string;
  /** Missing while the call runs. */
  endedAt?: string;
  /** Who recorded it; a record left open by a process that is gone is closed by the next one. */
  owner: string;
  /** The folders that were looked at. */
  roots: string[];
  /** Folders below which not everything could be seen: nothing there counts as new or gone. */
  blind: string[];
  changes: Change[];
  /** What an undo cannot bring back. At most a hundred are named. */
  uncovered: Uncovered[];
  uncoveredCount: number;
  /** The program ended during the call: changes until the next look are counted too. */
  interrupted?: boolean;
  /** Ids of the snapshots that this undo took back. */
  undoes?: string[];
}

export interface SnapshotSummary extends SnapshotRecord {
  /** The undo that took it back, unless that was undone itself. */
  undoneBy?: string;
}

export interface SnapshotHandle {
  id: string;
  kind: SnapshotKind;
  /** Said to the user: what this snapshot cannot bring back. */
  uncovered: Uncovered[];
  uncoveredCount: number;
}

export interface CopyProgress {
  copiedBytes: number;
  totalBytes: number;
}

export type StepAction = 'restore' | 'recreate' | 'delete' | 'mode' | 'move';
export type StepStatus =
  | 'ready'
  /** It is as it was before the call. */
  | 'already'
  /** By someone else, or by a later call: left as it is. */
  | 'changed-since'
  /** Its old content was never copied. */
  | 'not-covered'
  /** Its copy is damaged. */
  | 'damaged'
  /** The path leads elsewhere now. */
  | 'unsafe'
  | 'done'
  | 'failed';

export interface UndoStep {
  path: string;
  action: StepAction;
  status: StepStatus;
  /** What is there now, and what will be. */
  now: FileState | null;
  target: FileState | null;
  /** For a move: where the file is now. */
  from?: string;
  /** A folder on the way is a link that goes away in the same undo; what it leads to is not part of the undo. */
  isBehindLink?: boolean;
  detail?: string;
}

export interface UndoPlan {
  snapshots: SnapshotSummary[];
  steps: UndoStep[];
}

export interface PreviewStep extends UndoStep {
  /** Unified, from what is there now to what will be; missing for binary and large files. */
  diff?: string;
  isBinary?: boolean;
}

export interface UndoPreview {
  snapshots: SnapshotSummary[];
  steps: PreviewStep[];
}

export interface UndoOptions {
  /** Also overwrites files changed since by someone else. */
  force?: boolean;
  /** `only` this snapshot, or all `since` it, itself included: the files as before that call. */
  scope?: 'only' | 'since';
  /** With `since`: of these ids alone. What the others did counts as changed by someone else. */
  among?: readonly string[];
  /** False: the undo leaves no record and cannot be undone, but works with a store that is full or read-only. */
  isRecorded?: boolean;
  /** Absolute real paths that are no part of it. */
  except?: readonly string[];
}

export interface UndoResult {
  /** Of the snapshot of the undo itself: undoing that is the redo. Undefined when nothing was to do. */
  undoId?: string;
  snapshots: SnapshotSummary[];
  steps: UndoStep[];
}

export function sameState(a: FileState | null, b: FileState | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === 'file' && b.kind === 'file') return sameFile(a, b);
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target;
  if (a.kind === 'dir' && b.kind === 'dir') return a.mode === b.mode;
  return a.kind === 'other' && b.kind === 'other' && a.ino === b.ino;
}

type RegularFile = Extract<FileState, { kind: 'file' }>;

export function sameContent(a: RegularFile, b: RegularFile): boolean {
  if (a.hash !== null && b.hash !== null) return a.hash === b.hash;
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;
}

function sameFile(a: RegularFile, b: RegularFile): boolean {
  return a.mode === b.mode && sameContent(a, b);
}
