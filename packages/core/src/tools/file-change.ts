/** A change of one text file: how it is shown, confirmed and carried out. Loaded at the first change. */
import { EOL } from 'node:os';
import { basename } from 'node:path';
import { FileError } from '../platform/files/file-error.js';
import type { TextFile } from '../platform/files/file-system.js';
import type { ToolEditConfirmationDetails } from '../protocol/confirmation.js';
import type { FileDiff } from '../protocol/tool-display.js';
import type { FileHost, WorkspaceHost } from '../workspace/host.js';
import { relativeToRoot, shortenPath } from '../workspace/tool-path.js';
import { diffStat, unifiedDiff } from './diff.js';
import { carryLineEnds, lineEndStyle, toLf, withLineEnd } from './line-ends.js';

export type ChangeHost = Pick<WorkspaceHost, 'getTargetDir' | 'getEnvironment' | 'validatePathAccess'> &
  Pick<FileHost, 'getFileSystemService'>;

export interface FileChange {
  path: string;
  /** Undefined: the file does not exist yet. */
  current: TextFile | undefined;
  /** The new content as it goes to disk, line ends included. */
  next: string;
  /** What the model proposed, where the user changed that. */
  proposed?: string;
}

/** How the user answered. */
export interface Approval {
  /** The content shown as current (null: no file); undefined when the user was not asked. */
  shownOriginal: string | null | undefined;
  /** The whole content of the file as the user edited the proposal. */
  userContent: string | undefined;
}

/** Undefined when there is no such file. @throws FileError for what is there but cannot be read */
export async function readCurrent(host: ChangeHost, path: string): Promise<TextFile | undefined> {
  try {
    return await host.getFileSystemService().readTextFile(path, {
      authorize: (realPath) => host.validatePathAccess(realPath, 'write'),
    });
  } catch (error) {
    if (error instanceof FileError && error.problem === 'missing') return undefined;
    throw error;
  }
}

/** `content` as the whole new text of a file, with the line ends the file has. */
export async function asWholeContent(
  current: TextFile | undefined,
  content: string,
  { pairChanged }: { pairChanged: boolean },
): Promise<string> {
  const style = current && lineEndStyle(current.text);
  if (current && style) return carryLineEnds(current.text, toLf(content), { lineEnd: style, pairChanged });
  // Nothing to keep: the system's style, which on POSIX leaves alone what the model wrote.
  return EOL === '\n' ? content : withLineEnd(toLf(content), EOL);
}

/** Writes only where access was granted and only over what `change.current` says. @throws FileError */
export async function commitChange(host: ChangeHost, change: FileChange): Promise<void> {
  const { path, current, next } = change;
  await host.getFileSystemService().writeTextFile(path, next, current?.format, {
    authorize: (realPath) => host.validatePathAccess(realPath, 'write'),
    expect: current ? current.version : 'absent',
  });
}

export async function confirmationOf(
  host: ChangeHost,
  change: FileChange,
  action: 'Edit' | 'Write',
  onConfirm: ToolEditConfirmationDetails['onConfirm'],
): Promise<ToolEditConfirmationDetails> {
  const shown = shortenPath(relativeToRoot(host, change.path));
  const diff = await fileDiffOf(change, { before: 'Current', after: 'Proposed' });
  return { type: 'edit', title: `Confirm ${action}: ${shown}`, ...diff, onConfirm };
}

/** Compared and shown with LF: every line of a CRLF file would look changed otherwise. */
export async function fileDiffOf(
  change: FileChange,
  labels: { before: string; after: string },
): Promise<Omit<FileDiff, 'isNewFile'>> {
  const { path, current, next, proposed } = change;
  const before = current ? toLf(current.text) : null;
  const after = toLf(next);
  const fileName = basename(path);
  return {
    fileName,
    filePath: path,
    fileDiff: await unifiedDiff(fileName, before ?? '', after, labels),
    originalContent: before,
    newContent: after,
    diffStat: await diffStat(before ?? '', proposed ?? after, after),
  };
}

/** The file has changed since the user approved. */
export function changedSinceShown(path: string): FileError {
  return new FileError(
    'changed',
    `${path} changed after the user was asked; nothing was written. Read it again and retry.`,
  );
}
