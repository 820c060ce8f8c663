/** Works out what an edit makes of a file, or why it cannot be made. Changes nothing. */
import { FileError } from '../../platform/files/file-error.js';
import type { TextFile } from '../../platform/files/file-system.js';
import { asWholeContent, type ChangeHost, type FileChange, readCurrent } from '../file-change.js';
import { describeFileFailure } from '../file-failure.js';
import { applyEdits, toLf } from '../line-ends.js';
import { ToolErrorType } from '../tool-error.js';
import { findMatches } from './match.js';
import type { EditToolParams } from './params.js';

export type EditPlan =
  | {
      change: FileChange;
      occurrences: number;
      /** How the text was found; absent for a new file. */
      strategy?: string;
      note?: string;
    }
  | {
      failure: { message: string; type: ToolErrorType };
      /** The file with LF, where other strings might fit it. */
      content?: string;
    };

export type FailedPlan = Extract<EditPlan, { failure: unknown }>;

export async function planEdit(host: ChangeHost, path: string, params: EditToolParams): Promise<EditPlan> {
  try {
    const current = await readCurrent(host, path);
    return current ? await planChange(path, current, params) : await planCreation(path, params);
  } catch (error) {
    if (error instanceof FileError && error.problem === 'binary') {
      return failure(ToolErrorType.EDIT_PREPARATION_FAILURE, `Cannot edit binary file: ${path}`);
    }
    return { failure: describeFileFailure(error, path, ToolErrorType.EDIT_PREPARATION_FAILURE) };
  }
}

async function planCreation(path: string, params: EditToolParams): Promise<EditPlan> {
  if (params.old_string !== '') {
    return failure(
      ToolErrorType.FILE_NOT_FOUND,
      `File not found: ${path}. Check the path; to create a new file leave old_string empty.`,
    );
  }
  const next = await asWholeContent(undefined, params.new_string, { pairChanged: true });
  return { change: { path, current: undefined, next }, occurrences: 1 };
}

async function planChange(path: string, current: TextFile, params: EditToolParams): Promise<EditPlan> {
  const [oldText, newText] = [toLf(params.old_string), toLf(params.new_string)];
  if (oldText === '') {
    return failure(
      ToolErrorType.ATTEMPT_TO_CREATE_EXISTING_FILE,
      `The file exists already: ${path}. Give the text to replace in old_string, or use write_file.`,
    );
  }
  if (oldText === newText) {
    return failure(ToolErrorType.EDIT_NO_CHANGE, 'No change: old_string and new_string are the same.');
  }
  const expected = params.expected_replacements ?? 1;
  const multiple = params.allow_multiple === true || expected > 1;
  const content = toLf(current.text);
  const { edits, note, strategy } = findMatches({ content, oldText, newText, multiple });
  const problem = countProblem(path, edits.length, params);
  if (problem) return { ...problem, content };

  const next = keepFinalLineEnd(current.text, await applyEdits(current.text, edits));
  if (next === current.text) {
    return failure(ToolErrorType.EDIT_NO_CHANGE, `No change: ${path} already has that content.`);
  }
  const change = { path, current, next };
  return { change, occurrences: edits.length, strategy, ...(note ? { note } : {}) };
}

function countProblem(path: string, found: number, params: EditToolParams): FailedPlan | undefined {
  if (found === 0) {
    return failure(
      ToolErrorType.EDIT_NO_OCCURRENCE_FOUND,
      `0 occurrences of old_string found in ${path}; nothing was changed. Read the file again and copy the ` +
        'text exactly, with its white space and some lines around it.',
    );
  }
  const exactly = params.expected_replacements ?? 0;
  const expected = exactly > 1 ? exactly : params.allow_multiple ? undefined : 1;
  if (expected === undefined || found === expected) return undefined;
  const remedy =
    expected === 1
      ? 'Set allow_multiple to true to replace all of them, or add lines to old_string until it is unique.'
      : 'Set allow_multiple to true to replace all that are found.';
  return failure(
    ToolErrorType.EDIT_EXPECTED_OCCURRENCE_MISMATCH,
    `Expected ${expected} occurrence(s) of old_string in ${path} but found ${found}; nothing was changed. ${remedy}`,
  );
}

/** A file keeps ending with or without a line end, unless that is all the edit is about. */
function keepFinalLineEnd(before: string, after: string): string {
  if (after === '' || before.endsWith('\n') === after.endsWith('\n')) return after;
  const lineEnd = /\r?\n$/.exec(before)?.[0];
  const kept = lineEnd ? after + lineEnd : after.replace(/(\r?\n)+$/, '');
  return kept === before ? after : kept;
}

export function failure(type: ToolErrorType, message: string): FailedPlan {
  return { failure: { message, type } };
}
