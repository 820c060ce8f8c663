/** The question about one call, and how any answer but approval is handled. */
import { plainData } from '../../base/plain-data.js';
import type { Reply } from '../../bus/questions.js';
import { type ToolCallConfirmationDetails, ToolConfirmationOutcome } from '../../protocol/confirmation.js';
import type { ConfirmationView, ToolConfirmationAnswer } from '../../protocol/questions.js';
import { ToolErrorType } from '../../tools/tool-error.js';
import { watched } from '../hook-ports.js';
import type { Approval, ApprovalPorts, ApprovalRun } from './approve.js';
import { argumentsOf, digestOf } from './call-digest.js';
import type { EditorAnswer } from './editor-diff.js';
import type { CallState } from './state.js';

export async function askUser(
  run: ApprovalRun,
  details: ToolCallConfirmationDetails,
  fingerprint: string,
): Promise<Reply<'tool_confirmation'>> {
  const { call, bus, signal, notice, agent, hooks } = run;
  const { shownDetails } = await import('./shown-details.js');
  const { callId, name } = call.request;
  const toolCall = { id: callId, name, args: plainData(argumentsOf(call.built())) };
  const systemMessage = [details.systemMessage, notice].filter(Boolean).join('\n');
  const shown = plainData(shownDetails(systemMessage ? { ...details, systemMessage } : details));
  run.notice = undefined;
  // Also where no user can answer: the hook may tell someone that a permission was missing.
  if (hooks.notification)
    await watched(hooks.notification({ agent, signal, message: shown.title, details: shown }));
  call.moveTo('awaiting_approval');
  const editor = await editorAnswer(run, details);
  const elsewhere = editor ? () => editor.open() : answerElsewhere(run, details);
  const reply = await bus.confirm(
    { toolCall, details: withSuggestion(shown, run.ports), digest: await digestOf(fingerprint) },
    { signal, agent, ...(elsewhere && { elsewhere }) },
  );
  return editor ? editor.settle(reply) : reply;
}

/** Undefined where the editor cannot answer for this tool. */
async function editorAnswer(
  { call: { tool }, ports: { openDiff, acceptsEditorAnswer } }: ApprovalRun,
  details: ToolCallConfirmationDetails,
): Promise<EditorAnswer | undefined> {
  if (details.type !== 'edit' || !openDiff || !tool || !acceptsEditorAnswer?.(tool)) return undefined;
  const { EditorAnswer } = await import('./editor-diff.js');
  return new EditorAnswer(details, openDiff);
}

/** A tool may report a refusal; an approval only where it is certain that the user gave it. */
function answerElsewhere(
  { call: { tool }, ports }: ApprovalRun,
  details: ToolCallConfirmationDetails,
): Promise<ToolConfirmationAnswer> | undefined {
  if (details.type !== 'edit' || !details.ideConfirmation) return undefined;
  const answer = details.ideConfirmation.then(answerOfEditor);
  if (tool && ports.acceptsEditorAnswer?.(tool)) return answer;
  return answer.then((given) =>
    given.outcome === ToolConfirmationOutcome.Cancel ? given : new Promise<never>(() => undefined),
  );
}

function answerOfEditor({
  status,
  content,
}: {
  status: 'accepted' | 'rejected';
  content?: string;
}): ToolConfirmationAnswer {
  // Only a clear yes counts: the editor may send anything.
  if (status !== 'accepted') return { outcome: ToolConfirmationOutcome.Cancel };
  return {
    outcome: ToolConfirmationOutcome.ProceedOnce,
    ...(content !== undefined && { payload: { newContent: content } }),
  };
}

const SUGGESTIBLE: ReadonlySet<string> = new Set(['edit', 'info', 'mcp']);

function withSuggestion(details: ConfirmationView, { suggestsSaving }: ApprovalPorts): ConfirmationView {
  const save = ToolConfirmationOutcome.ProceedAlwaysAndSave;
  const suggests =
    details.offeredOutcomes?.includes(save) && SUGGESTIBLE.has(details.type) && suggestsSaving?.();
  return suggests ? { ...details, suggestedOutcome: save } : details;
}

type DetailsType = ToolCallConfirmationDetails['type'];

/** How a refusal is reported when the question was not a permission request. */
const REFUSALS: Partial<Record<DetailsType, string>> = {
  ask_user: 'The user dismissed the question without an answer.',
  exit_plan_mode: 'The user did not decide about the plan. You are still in plan mode.',
};

export function cancelledByUser(type: DetailsType, feedback: string | undefined): Approval {
  const said = feedback?.trim() ? ` The user says: ${feedback.trim()}` : '';
  return { kind: 'cancelled', reason: `${REFUSALS[type] ?? 'The user did not allow this call.'}${said}` };
}

export function cancelledByAbort(type?: DetailsType): Approval {
  const reason = (type && REFUSALS[type]) ?? 'The user cancelled the request.';
  return { kind: 'cancelled', reason };
}

export function notAnswerable({ request }: CallState): Approval {
  const message = `"${request.name}" needs the user's approval, which cannot be given here. Continue without it.`;
  return { kind: 'refused', message, type: ToolErrorType.POLICY_VIOLATION };
}
