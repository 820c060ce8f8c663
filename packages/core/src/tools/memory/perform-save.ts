/** Carries out `save_memory`. */
import { onlyItself, requireNoLink } from '../../memory/add-fact.js';
import { factLine, withFact } from '../../memory/save-fact.js';
import { FileError, toFileError } from '../../platform/files/file-error.js';
import type { TextFile } from '../../platform/files/file-system.js';
import type { ToolEditConfirmationDetails } from '../../protocol/confirmation.js';
import {
  asWholeContent,
  type ChangeHost,
  changedSinceShown,
  confirmationOf,
  type FileChange,
} from '../file-change.js';
import { toLf } from '../line-ends.js';
import { ToolErrorType } from '../tool-error.js';
import type { ToolResult } from '../tools.js';
import type { SaveMemoryParams } from './params.js';

/** Several facts may be saved to one file at the same time; each write starts from the result of the one before. */
const MAX_TRIES = 20;

/** False when nothing can be saved; execution then returns the reason. */
export async function proposeFact(
  host: ChangeHost,
  path: string,
  params: SaveMemoryParams,
  onConfirm: ToolEditConfirmationDetails['onConfirm'],
): Promise<ToolEditConfirmationDetails | false> {
  try {
    const change = await changeOf(host, path, params);
    return change ? await confirmationOf(host, change, 'Edit', onConfirm) : false;
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

/** @param shownOriginal what the user saw (null: no file); undefined when the user was not asked */
export async function performSave(
  host: ChangeHost,
  path: string,
  params: SaveMemoryParams,
  shownOriginal?: string | null,
): Promise<ToolResult> {
  for (let tries = 1; ; tries++) {
    try {
      return await save(host, path, params, shownOriginal);
    } catch (error) {
      const failure = toFileError(error, path);
      const isRace = failure.problem === 'changed' && params.modified_content === undefined;
      if (!isRace || tries === MAX_TRIES) return failed(failure.message);
    }
  }
}

async function save(
  host: ChangeHost,
  path: string,
  params: SaveMemoryParams,
  shownOriginal: string | null | undefined,
): Promise<ToolResult> {
  const change = await changeOf(host, path, params);
  if (!change) return succeeded(`That stands in ${path} already.`);
  const { current, next } = change;
  const isUsers = params.modified_content !== undefined;
  // A line can be added to any content; a whole file may replace only the content that was shown.
  if (isUsers && shownOriginal !== undefined && shownOriginal !== (current ? toLf(current.text) : null)) {
    throw changedSinceShown(path);
  }
  await host.getFileSystemService().writeTextFile(path, next, current?.format, {
    authorize: onlyItself(path),
    expect: current ? current.version : 'absent',
  });
  return succeeded(
    isUsers
      ? `The user rewrote the proposal; ${path} holds that now.`
      : `Saved in ${path}: ${factLine(params.fact)}`,
  );
}

/** Undefined when the file already contains the fact. @throws FileError */
async function changeOf(
  host: ChangeHost,
  path: string,
  { fact, modified_content: content }: SaveMemoryParams,
): Promise<FileChange | undefined> {
  requireNoLink(path);
  const current = await readCurrent(host, path);
  if (content !== undefined) {
    return { path, current, next: await asWholeContent(current, content, { pairChanged: false }) };
  }
  const line = factLine(fact);
  if (line === '') throw new FileError('refused', 'There is nothing to remember: the fact is empty.');
  const text = current?.text ?? '';
  if (text.split(/\r?\n/).includes(`- ${line}`)) return undefined;
  return { path, current, next: withFact(text, line) };
}

async function readCurrent(host: ChangeHost, path: string): Promise<TextFile | undefined> {
  try {
    return await host.getFileSystemService().readTextFile(path, { authorize: onlyItself(path) });
  } catch (error) {
    if (error instanceof FileError && error.problem === 'missing') return undefined;
    throw error;
  }
}

function succeeded(message: string): ToolResult {
  return { llmContent: JSON.stringify({ success: true, message }), returnDisplay: message };
}

function failed(reason: string): ToolResult {
  const message = `The fact was not saved. ${reason}`;
  return {
    llmContent: JSON.stringify({ success: false, error: message }),
    returnDisplay: message,
    error: { message, type: ToolErrorType.MEMORY_TOOL_EXECUTION_ERROR },
  };
}
