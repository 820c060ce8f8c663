/** Types of snapshots and undo. */

/** A file without a hash was not copied; size, time and inode tell whether it changed. */
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
  /** A moved file is two changes, one per name, that refer to each other. */
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
  /** The process that recorded it. If it was killed, the next process closes the record. */
  owner: string;
  /** The workspace folders. */
  roots: string[];
  /** Folders that could not be listed completely: nothing in them counts as new or gone. */
  blind: string[];
  changes: Change[];
  /** Files that an undo cannot restore; at most a hundred are named. */
  uncovered: Uncovered[];
  uncoveredCount: number;
  /** The program ended during the call: changes up to the next refresh are included. */
  interrupted?: boolean;
  /** Ids of the snapshots that this undo reverted. */
  undoes?: string[];
}

export interface SnapshotSummary extends SnapshotRecord {
  /** The undo that reverted it, unless that undo was itself undone. */
  undoneBy?: string;
}

export interface SnapshotHandle {
  id: string;
  kind: SnapshotKind;
  /** Files that this snapshot cannot restore, for a message to the user. */
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
  /** The file already is as it was before the call. */
  | 'already'
  /** The user, another program or a later call has changed the file: it is not touched. */
  | 'changed-since'
  /** Its old content was never copied. */
  | 'not-covered'
  /** Its copy is damaged. */
  | 'damaged'
  /** A folder of the path is a link now, or the path is outside the workspace. */
  | 'unsafe'
  | 'done'
  | 'failed';

export interface UndoStep {
  path: string;
  action: StepAction;
  status: StepStatus;
  /** State now, and after the undo. */
  now: FileState | null;
  target: FileState | null;
  /** For a move: where the file is now. */
  from?: string;
  /** A folder of the path is a link that the same undo removes; its target is not part of the undo. */
  isBehindLink?: boolean;
  detail?: string;
}

export interface UndoPlan {
  snapshots: SnapshotSummary[];
  steps: UndoStep[];
}

export interface PreviewStep extends UndoStep {
  /** Unified diff from now to after the undo; missing for binary and large files. */
  diff?: string;
  isBinary?: boolean;
}

export interface UndoPreview {
  snapshots: SnapshotSummary[];
  steps: PreviewStep[];
}

export interface UndoOptions {
  /** Also overwrite files that were changed since, not by these calls. */
  force?: boolean;
  /**
   * `only` this snapshot, all `since` it, itself included, or all of the same `prompt`: the files as before these
   * calls.
   */
  scope?: 'only' | 'since' | 'prompt';
  /** With `since`: only these ids. Changes by the others count as made outside the undo. */
  among?: readonly string[];
  /** False: the undo leaves no record and cannot be undone, but works with a store that is full or read-only. */
  isRecorded?: boolean;
  /** Absolute real paths that the undo must not touch. */
  except?: readonly string[];
}

export interface UndoResult {
  /** Id of the undo's own snapshot; undoing it is the redo. Undefined when there was nothing to do. */
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
