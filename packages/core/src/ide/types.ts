/** What the program and an editor's companion exchange, after it was checked. */
export interface IdeInfo {
  /** As in the discovery file, e.g. `vscode`. */
  readonly name: string;
  /** For users, e.g. `VS Code`. */
  readonly displayName: string;
}

/** The editor of this terminal. */
export interface EditorHere extends IdeInfo {
  /** Its own command can install the companion. */
  readonly canInstall: boolean;
  /** A companion says that it has this folder open. */
  readonly isInstalled: boolean;
}

/** Positions count from 1. */
export interface IdeCursor {
  readonly line: number;
  readonly character: number;
}

export interface IdeFile {
  readonly path: string;
  /** When it was last used, in ms. */
  readonly timestamp: number;
  readonly isActive?: true;
  readonly cursor?: IdeCursor;
  readonly selectedText?: string;
}

export interface IdeContext {
  /** The one used last comes first; only that one can be active. */
  readonly openFiles: readonly IdeFile[];
  /** Absent: the editor does not say. */
  readonly isTrusted?: boolean;
}

export type IdeStatus =
  /** `companion`: the version of our own extension, when another one comes with this program. */
  | { readonly kind: 'connected'; readonly ide: IdeInfo; readonly companion?: string }
  | { readonly kind: 'connecting'; readonly ide: IdeInfo }
  /** `reason`: a sentence for the user; absent: nothing was tried. */
  | { readonly kind: 'disconnected'; readonly ide?: IdeInfo; readonly reason?: string };

/** A diff in the editor. */
export interface IdeDiff {
  /** Never settles when the editor is gone: the question in the terminal stays. */
  readonly answer: Promise<{ status: 'accepted'; content: string } | { status: 'rejected' }>;
  /** @returns what the editor shows now; undefined when it cannot say */
  close(): Promise<string | undefined>;
}
