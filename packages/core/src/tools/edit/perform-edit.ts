/** Carries out `replace`. */
import type { ToolEditConfirmationDetails } from '../../protocol/confirmation.js';
import { relativeToRoot } from '../../workspace/tool-path.js';
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
} from '../file-change.js';
import { fileFailure } from '../file-failure.js';
import { toLf } from '../line-ends.js';
import { ToolErrorType } from '../tool-error.js';
import { type ToolResult, toolFailure } from '../tools.js';
import type { EditToolParams } from './params.js';
import type { EditPlan } from './plan-edit.js';

/** Undefined when the edit cannot be made: the user is not asked, and execution returns the error. */
export async function proposeEdit(
  host: ChangeHost,
  plan: EditPlan,
  params: EditToolParams,
  onConfirm: ToolEditConfirmationDetails['onConfirm'],
): Promise<ToolEditConfirmationDetails | undefined> {
  if ('failure' in plan) return undefined;
  return confirmationOf(host, withProposal(plan.change, params), 'Edit', onConfirm);
}

/** @param plan computed from the file as it is now: an earlier call of the same turn may have changed it */
export async function performEdit(
  host: ChangeHost,
  path: string,
  plan: EditPlan,
  { params, isCorrected }: { params: EditToolParams; isCorrected: boolean },
  { shownOriginal, userContent }: Approval,
): Promise<ToolResult> {
  if ('failure' in plan) return toolFailure(plan.failure.message, plan.failure.type);
  try {
    const { current } = plan.change;
    let change = withProposal(plan.change, params);
    // The strings are not those of the call: nothing but the change that was shown is approved.
    if (isCorrected && shownOriginal !== undefined && shownOriginal !== (current ? toLf(current.text) : null))
      throw changedSinceShown(path);
    if (userContent !== undefined && toLf(userContent) !== toLf(change.next)) {
      if (shownOriginal !== (current ? toLf(current.text) : null)) throw changedSinceShown(path);
      const next = await asWholeContent(current, userContent, { pairChanged: true });
      change = { ...change, next, proposed: change.proposed ?? toLf(plan.change.next) };
    }
    await commitChange(host, change);
    return await resultOf(host, change, plan, params.modified_by_user || change.proposed !== undefined);
  } catch (error) {
    return fileFailure(error, path, ToolErrorType.FILE_WRITE_FAILURE);
  }
}

function withProposal(change: FileChange, { ai_proposed_content }: EditToolParams): FileChange {
  return ai_proposed_content === undefined ? change : { ...change, proposed: toLf(ai_proposed_content) };
}

async function resultOf(
  host: ChangeHost,
  change: FileChange,
  { occurrences, note }: { occurrences: number; note?: string },
  isUsers: boolean,
): Promise<ToolResult> {
  const { path, current } = change;
  const diff = await fileDiffOf(change, { before: 'Current', after: 'Proposed' });
  const snippet = current ? await changeSnippet(toLf(current.text), diff.newContent) : diff.newContent;
  const text = [
    current
      ? `Successfully modified file: ${path} (${occurrences} replacements).`
      : `Successfully created file: ${path}.`,
    current ? `Updated part:\n${snippet}` : `Content:\n${snippet}`,
  ];
  if (note) text.push(note);
  if (isUsers) text.push(`The user changed the proposed content. The file now contains:\n${diff.newContent}`);
  return {
    llmContent: text.join('\n\n'),
    returnDisplay: current ? { ...diff, isNewFile: false } : `Created ${relativeToRoot(host, path)}`,
  };
}
