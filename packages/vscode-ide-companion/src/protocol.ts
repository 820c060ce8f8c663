/** What the companion and its clients say to each other: names, shapes and limits of the protocol. */

export const CONTEXT_UPDATE = 'ide/contextUpdate';
export const DIFF_ACCEPTED = 'ide/diffAccepted';
export const DIFF_REJECTED = 'ide/diffRejected';

/** Files that a context update lists, newest first. */
export const MAX_OPEN_FILES = 10;

/** Characters of a selection, the mark of a cut one included. */
export const MAX_SELECTED_TEXT = 16_384;

export interface OpenFile {
  path: string;
  /** When the file was opened or focused, in milliseconds. */
  timestamp: number;
  isActive?: boolean;
  /** Counted from 1. */
  cursor?: { line: number; character: number };
  selectedText?: string;
}

export interface IdeContext {
  workspaceState: { openFiles: OpenFile[]; isTrusted: boolean };
}

/** The content of the discovery file. */
export interface Discovery {
  port: number;
  /** The roots, joined with the path delimiter of the system; empty when no folder is open. */
  workspacePath: string;
  authToken: string;
  ideInfo: { name: string; displayName: string };
}
