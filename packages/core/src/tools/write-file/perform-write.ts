/** Carries out `write_file`. */
import { FileError } from '../../platform/files/file-error.js';
import type { TextFile } from '../../platform/files/file-system.js';
import type { ToolEditConfirmationDetails } from '../../protocol/confirmation.js';
import { changeSnippet } from '../diff.js';
import {
  type Approval,
  asWholeContent,
  type ChangeHost,
  changedSinceShown,
  commitChange,
  confirmationOf,
  type FileChange,
  fileDiffOf,
  readCurrent,
} from '../file-change.js';
import { fileFailure } from '../file-failure.js';
import { toLf } from '../line-ends.js';
import { ToolErrorType } from '../tool-error.js';
import type { ToolResult } from '../tools.js';
import type { WriteFileToolParams } from './params.js';

/** Undefined when the write would fail: the user is not asked, and execution returns the error. */
export async function proposeWrite(
  host: ChangeHost,
  path: string,
  params: WriteFileToolParams,
  onConfirm: ToolEditConfirmationDetails['onConfirm'],
): Promise<ToolEditConfirmationDetails | undefined> {
  try {
    const change = await changeOf(host, path, params, undefined);
    return await confirmationOf(host, change, 'Write', onConfirm);
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

export async function performWrite(
  host: ChangeHost,
  path: string,
  params: WriteFileToolParams,
  { shownOriginal, userContent }: Approval,
): Promise<ToolResult> {
  try {
    const change = await changeOf(host, path, params, userContent);
    if (shownOriginal !== undefined && shownOriginal !== originalOf(change.current))
      throw changedSinceShown(path);
    await commitChange(host, change);
    return await resultOf(change, params.modified_by_user || change.proposed !== undefined);
  } catch (error) {
    // A parent that is missing or not a folder is a failed write, not a missing file.
    const isMissing = error instanceof FileError && error.problem === 'missing';
    return fileFailure(
      isMissing ? new FileError('io', `Cannot write ${path}: its folder is gone.`, error) : error,
      path,
      ToolErrorType.FILE_WRITE_FAILURE,
    );
  }
}

async function changeOf(
  host: ChangeHost,
  path: string,
  params: WriteFileToolParams,
  userContent: string | undefined,
): Promise<FileChange> {
  const current = await readOriginal(host, path);
  const proposal = params.ai_proposed_content ?? params.content;
  const content = userContent ?? params.content;
  const next = await asWholeContent(current, content, { pairChanged: false });
  const isUsers = toLf(content) !== toLf(proposal);
  return { path, current, next, ...(isUsers ? { proposed: toLf(proposal) } : {}) };
}

async function readOriginal(host: ChangeHost, path: string): Promise<TextFile | undefined> {
  try {
    return await readCurrent(host, path);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (error.problem === 'binary') {
      throw new FileError(
        'binary',
        `${path} is a binary file. Delete it first if text shall take its place.`,
      );
    }
    if (error.problem === 'too_large') {
      throw new FileError('too_large', `${path} is too large to be overwritten. Delete it first.`);
    }
    throw error;
  }
}

async function resultOf(change: FileChange, isUsers: boolean): Promise<ToolResult> {
  const { path, current } = change;
  const diff = await fileDiffOf(change, { before: 'Original', after: 'Written' });
  const text = [current ? `Successfully overwrote file: ${path}.` : `Successfully created file: ${path}.`];
  if (isUsers) text.push(`The user changed the proposed content. The file now contains:\n${diff.newContent}`);
  if (current) text.push(`Updated part:\n${await changeSnippet(originalOf(current) ?? '', diff.newContent)}`);
  else if (!isUsers) text.push(`Content:\n${diff.newContent}`);
  return {
    llmContent: text.join('\n\n'),
    returnDisplay: { ...diff, isNewFile: current === undefined },
  };
}

function originalOf(current: TextFile | undefined): string | null {
  return current ? toLf(current.text) : null;
}
