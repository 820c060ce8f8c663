/**
 * Policy first, then, where it says so, the user. What is approved is one call with its final arguments:
 * whatever changes them afterwards leads back here.
 */
import { messageOf } from '../../base/errors.js';
import type { Answer, MessageBus } from '../../bus/message-bus.js';
import type { EditProposal } from '../../platform/edit-proposal.js';
import {
  PolicyDecision,
  type ToolCallConfirmationDetails,
  ToolConfirmationOutcome,
  type ToolConfirmationResponse,
} from '../../protocol/confirmation.js';
import type { ToolDecision } from '../../protocol/tool-calls.js';
import { ToolErrorType } from '../../tools/tool-error.js';
import { ToolDeniedError } from '../../tools/tools.js';
import { digestOf } from './call-digest.js';
import { asOffered, offeredOutcomes } from './offered-outcomes.js';
import { changesProposal, isModifiable, rewrite } from './rewrite-proposal.js';
import type { CallState } from './state.js';

export interface ApprovalPorts {
  /** False: no "always" answers (folder not trusted, security.disableAlwaysAllow, secure mode). */
  allowsAlways?: () => boolean;
  /** True: "always" may be kept for later sessions (security.enablePermanentToolApproval). */
  allowsSaving?: () => boolean;
  /** True: keeping it is the suggested answer (security.autoAddToPolicyByDefault). */
  suggestsSaving?: () => boolean;
  /** Lets the user change a proposal; absent, or undefined: not offered. */
  editor?: () => EditProposal | undefined;
  /** The user allowed all further edits of this session. */
  onEditsAllowed?: () => void;
}

export type Approval =
  | { kind: 'go'; fingerprint: string; decision: ToolDecision }
  | { kind: 'refused'; message: string; type: ToolErrorType }
  /** By the user, so the rest of the batch ends, too. */
  | { kind: 'cancelled'; reason: string };

/** A front end that only ever answers "modify" without changing anything is not asked for ever. */
const MOST_FRUITLESS = 3;
/** Nobody changes one proposal that often; a front end that answers by itself might. */
const MOST_QUESTIONS = 100;

/** What the questions about one call have in common. */
interface Talk {
  call: CallState;
  bus: MessageBus;
  ports: ApprovalPorts;
  signal: AbortSignal;
  isModified: boolean;
  /** Shown with the next question. */
  notice: string | undefined;
  fruitless: number;
}

export async function approve(
  call: CallState,
  bus: MessageBus,
  signal: AbortSignal,
  ports: ApprovalPorts = {},
): Promise<Approval> {
  const talk: Talk = { call, bus, ports, signal, isModified: false, notice: undefined, fruitless: 0 };
  try {
    for (let asked = 0; asked < MOST_QUESTIONS; asked++) {
      const approval = await round(talk);
      if (approval) return approval;
    }
    return refused(call, 'was changed again and again without being approved.');
  } catch (error) {
    if (signal.aborted) return cancelledByAbort();
    const isDenied = error instanceof ToolDeniedError;
    const type = isDenied ? ToolErrorType.POLICY_VIOLATION : ToolErrorType.UNHANDLED_EXCEPTION;
    return { kind: 'refused', message: messageOf(error), type };
  }
}

/** Undefined: the call is another one now, or the answer was none; ask again. */
async function round(talk: Talk): Promise<Approval | undefined> {
  const { call, signal, ports } = talk;
  const fingerprint = call.fingerprint();
  const details = await detailsOf(talk);
  // The user's own command is the answer to a question, but not to a rule that forbids the call.
  if (!details || call.request.isClientInitiated) return go(talk, fingerprint);
  const answer = await ask(talk, details, fingerprint);
  if (answer.requiresUserConfirmation) {
    return refused(call, "needs the user's approval, and nobody can give it here. Go on without it.");
  }
  const outcome = asOffered(outcomeOf(answer), details.offeredOutcomes ?? []);
  if (outcome === ToolConfirmationOutcome.Cancel || signal.aborted) {
    await details.onConfirm(ToolConfirmationOutcome.Cancel, answer.payload);
    return signal.aborted
      ? cancelledByAbort(details.type)
      : cancelledByUser(details.type, answer.payload?.feedback);
  }
  if (call.fingerprint() !== fingerprint) {
    talk.notice = 'The call changed while you were asked. This is what it would do now.';
    return undefined;
  }
  if (outcome === ToolConfirmationOutcome.ModifyWithEditor) return modify(talk, details, answer);
  if (changesProposal(call, details, answer.payload?.newContent)) {
    return acceptRewritten(talk, details, answer.payload?.newContent ?? '');
  }
  await details.onConfirm(outcome, answer.payload);
  if (details.type === 'edit' && outcome === ToolConfirmationOutcome.ProceedAlways) ports.onEditsAllowed?.();
  return go(talk, fingerprint, 'accept');
}

async function detailsOf(talk: Talk): Promise<ToolCallConfirmationDetails | false> {
  const { call, signal, ports } = talk;
  const invocation = call.built();
  let details = await invocation.shouldConfirmExecute(signal);
  // What came out of the editor is shown once more, even where a rule would let it pass.
  if (!details && talk.isModified && !call.request.isClientInitiated)
    details = await invocation.shouldConfirmExecute(signal, PolicyDecision.ASK_USER);
  if (!details) return false;
  const always = ports.allowsAlways?.() ?? true;
  details.offeredOutcomes = offeredOutcomes(details.type, {
    always,
    saving: always && (ports.allowsSaving?.() ?? false),
    editor: isModifiable(invocation) && ports.editor?.() !== undefined,
  });
  return details;
}

async function ask(
  talk: Talk,
  details: ToolCallConfirmationDetails,
  fingerprint: string,
): Promise<ToolConfirmationResponse> {
  const { call, bus, signal, notice } = talk;
  const { shownDetails } = await import('./shown-details.js');
  const { callId, name } = call.request;
  const toolCall = { id: callId, name, args: call.built().params as Record<string, unknown> };
  const systemMessage = [details.systemMessage, notice].filter(Boolean).join('\n');
  const shown = shownDetails(systemMessage ? { ...details, systemMessage } : details);
  talk.notice = undefined;
  call.moveTo('awaiting_approval');
  const elsewhere = details.type === 'edit' ? details.ideConfirmation : undefined;
  return bus.confirm(
    { toolCall, details: withSuggestion(shown, talk.ports), digest: await digestOf(fingerprint) },
    signal,
    elsewhere?.then(
      ({ status, content }): Answer =>
        status === 'accepted'
          ? { confirmed: true, ...(content !== undefined && { payload: { newContent: content } }) }
          : { confirmed: false, outcome: ToolConfirmationOutcome.Cancel },
    ),
  );
}

const SUGGESTIBLE: ReadonlySet<string> = new Set(['edit', 'info', 'mcp']);

function withSuggestion(
  details: ToolCallConfirmationDetails,
  { suggestsSaving }: ApprovalPorts,
): ToolCallConfirmationDetails {
  const save = ToolConfirmationOutcome.ProceedAlwaysAndSave;
  const suggests =
    details.offeredOutcomes?.includes(save) && SUGGESTIBLE.has(details.type) && suggestsSaving?.();
  return suggests ? { ...details, suggestedOutcome: save } : details;
}

/** The proposal goes to an editor and what comes back is asked about. */
async function modify(
  talk: Talk,
  details: ToolCallConfirmationDetails,
  { payload }: ToolConfirmationResponse,
): Promise<Approval | undefined> {
  const { call, ports, signal } = talk;
  const edit = ports.editor?.();
  try {
    if (details.type !== 'edit' || !isModifiable(call.built())) throw new Error(NO_EDITOR);
    const content = payload?.newContent ?? (await requireEditor(edit)(details, signal));
    if (!rewrite(call, details, content)) throw new Error('Nothing was changed in the editor.');
    talk.isModified = true;
    talk.fruitless = 0;
  } catch (error) {
    if (signal.aborted) return cancelledByAbort();
    talk.notice = messageOf(error);
    if (++talk.fruitless >= MOST_FRUITLESS)
      return refused(call, `was to be changed in an editor, which did not work. ${talk.notice}`);
  }
  return undefined;
}

const NO_EDITOR = 'No editor is available here; nothing was changed yet.';

function requireEditor(edit: EditProposal | undefined): EditProposal {
  if (!edit) throw new Error(NO_EDITOR);
  return edit;
}

/** The user sent other content together with the yes: it holds for exactly that, and only once. */
async function acceptRewritten(
  talk: Talk,
  details: ToolCallConfirmationDetails,
  content: string,
): Promise<Approval | undefined> {
  const { call, signal } = talk;
  if (details.type !== 'edit') return undefined;
  try {
    rewrite(call, details, content);
  } catch (error) {
    talk.notice = messageOf(error);
    if (++talk.fruitless < MOST_FRUITLESS) return undefined;
    return refused(call, `was changed into something that cannot be done: ${talk.notice}`);
  }
  talk.isModified = true;
  const fingerprint = call.fingerprint();
  // Rules may forbid the new content; the file must still be the one the user saw.
  const now = await call.built().shouldConfirmExecute(signal, undefined);
  if (now && now.type === 'edit' && now.originalContent !== details.originalContent) {
    talk.notice = 'The file changed while you were asked.';
    return undefined;
  }
  return go(talk, fingerprint);
}

function go({ isModified }: Talk, fingerprint: string, decision: ToolDecision = 'auto_accept'): Approval {
  return { kind: 'go', fingerprint, decision: isModified ? 'modify' : decision };
}

/** Only a confirmed answer can be a yes, whatever outcome it names. */
function outcomeOf({ confirmed, outcome }: ToolConfirmationResponse): ToolConfirmationOutcome {
  if (!confirmed) return ToolConfirmationOutcome.Cancel;
  return outcome ?? ToolConfirmationOutcome.ProceedOnce;
}

function refused({ request }: CallState, why: string): Approval {
  return { kind: 'refused', message: `"${request.name}" ${why}`, type: ToolErrorType.POLICY_VIOLATION };
}

type DetailsType = ToolCallConfirmationDetails['type'];

/** What a no means where the question was none about leave. */
const NO_MEANS: Partial<Record<DetailsType, string>> = {
  ask_user: 'The user dismissed the question without an answer.',
  exit_plan_mode: 'The user did not decide about the plan. You are still in plan mode.',
};

function cancelledByUser(type: DetailsType, feedback: string | undefined): Approval {
  const said = feedback?.trim() ? ` The user says: ${feedback.trim()}` : '';
  return { kind: 'cancelled', reason: `${NO_MEANS[type] ?? 'The user did not allow this call.'}${said}` };
}

function cancelledByAbort(type?: DetailsType): Approval {
  const reason = (type && NO_MEANS[type]) ?? 'The user cancelled the request.';
  return { kind: 'cancelled', reason };
}
