/**
 * Whether a call may run: the BeforeTool hook first, then policy, then the user, where one of them or the tool
 * requires it. Policy is asked here for every call of every tool; a tool can make the answer stricter, never looser.
 * The approval holds for one call with its final arguments; any later change leads back here.
 */
import { messageOf, routeError } from '../../base/errors.js';
import type { MessageBus, Verdict } from '../../bus/message-bus.js';
import type { AgentRef } from '../../protocol/agent-events.js';
import {
  type Containment,
  PolicyDecision,
  type ToolCallConfirmationDetails,
  ToolConfirmationOutcome,
} from '../../protocol/confirmation.js';
import type { ToolDecision } from '../../protocol/tool-calls.js';
import { ToolErrorType, toolErrorTypeOf } from '../../tools/tool-error.js';
import { type AnyDeclarativeTool, ToolDeniedError, type ToolResult } from '../../tools/tools.js';
import type { HookPorts } from '../hook-ports.js';
import { askUser, cancelledByAbort, cancelledByUser, notAnswerable } from './ask-user.js';
import { beforeTool } from './before-tool.js';
import { argumentsOf, hidesSomeOf } from './call-digest.js';
import { confirmationDetails } from './confirmation-details.js';
import type { OpenDiff } from './editor-diff.js';
import { asOffered } from './offered-outcomes.js';
import { chosenProjectAnswer, saveProjectAnswer } from './project-answers.js';
import { changesProposal, isModifiable, rewrite } from './rewrite-proposal.js';
import type { CallState } from './state.js';

export interface ApprovalPorts {
  /** False: no "always" answers (folder not trusted, security.disableAlwaysAllow, secure mode). */
  allowsAlways?: () => boolean;
  /** True: "always" may be saved for later sessions (security.enablePermanentToolApproval). */
  allowsSaving?: () => boolean;
  /** True: saving it is the suggested answer (security.autoAddToPolicyByDefault). */
  suggestsSaving?: () => boolean;
  /** The folder that "always in this project" holds for; absent: it is not offered. */
  projectDir?: () => string | undefined;
  /** True: the front end can open a proposal in an editor and return the changed content. */
  offersEditor?: () => boolean;
  /** True: the user may answer in an editor that shows this tool's diff. Absent: a tool cannot bring an answer. */
  acceptsEditorAnswer?: (tool: AnyDeclarativeTool) => boolean;
  /** Shows a proposed edit in the user's editor, too. */
  openDiff?: OpenDiff;
  /** The user allowed all further edits of this session. */
  onEditsAllowed?: () => void;
}

export interface ApprovalContext {
  bus: MessageBus;
  agent: AgentRef;
  hooks: HookPorts;
  ports: ApprovalPorts;
}

export type Approval =
  /** `containment`: allowed only inside this sandbox; the user was not asked. */
  | { kind: 'go'; fingerprint: string; decision: ToolDecision; containment?: Containment }
  /** `result`: shown to the user in place of the message. */
  | { kind: 'refused'; message: string; type: ToolErrorType; result?: ToolResult }
  /** The user refused, so the rest of the batch ends, too. */
  | { kind: 'cancelled'; reason: string }
  /** Not for the model: the request ends with it. */
  | { kind: 'fatal'; error: unknown };

/** State shared by the rounds of one approval. */
export interface ApprovalRun extends ApprovalContext {
  call: CallState;
  signal: AbortSignal;
  isModified: boolean;
  /** Shown with the next question. */
  notice: string | undefined;
  /** "Modify" answers in a row that changed nothing. */
  fruitless: number;
  /** Policy's verdict on the current arguments; asked once per fingerprint. */
  verdict: { fingerprint: string; decision: PolicyDecision; containment?: Containment } | undefined;
}

/** Limit for a front end that answers "modify" again and again without a change. */
const MAX_FRUITLESS = 3;
/** Limit for a front end that changes the proposal automatically; no user does it that often. */
const MAX_QUESTIONS = 100;

export async function approve(
  call: CallState,
  context: ApprovalContext,
  signal: AbortSignal,
): Promise<Approval> {
  const run: ApprovalRun = {
    ...context,
    call,
    signal,
    isModified: false,
    notice: undefined,
    fruitless: 0,
    verdict: undefined,
  };
  try {
    for (let asked = 0; asked < MAX_QUESTIONS; asked++) {
      const approval = await round(run);
      if (approval) return approval;
    }
    return refused(call, 'was changed again and again without being approved.');
  } catch (error) {
    if (signal.aborted) return cancelledByAbort();
    if (routeError(error, 'call').to !== 'model') return { kind: 'fatal', error };
    return { kind: 'refused', message: messageOf(error), type: toolErrorTypeOf(error) };
  }
}

/** Undefined: the call has changed, or the answer changed nothing; ask again. */
async function round(run: ApprovalRun): Promise<Approval | undefined> {
  const { call, signal, ports } = run;
  const judged = await judge(run);
  if ('kind' in judged) return judged;
  const fingerprint = call.fingerprint();
  const details = await confirmationDetails(run, judged.decision);
  // A command typed by the user runs as it is; everything else as policy decided.
  if (!details && !call.request.isClientInitiated)
    return { ...go(run, fingerprint), ...containmentOf(run, fingerprint) };
  if (!details || isAnsweredBefore(call, details)) return go(run, fingerprint);
  const reply = await askUser(run, details, fingerprint);
  if (reply.status === 'unanswerable') return notAnswerable(call);
  const { outcome: given, payload } =
    reply.status === 'answered' ? reply.answer : { outcome: ToolConfirmationOutcome.Cancel };
  const forProject = chosenProjectAnswer(details, given, payload);
  const outcome = forProject
    ? ToolConfirmationOutcome.ProceedOnce
    : asOffered(given, details.offeredOutcomes ?? []);
  if (outcome === ToolConfirmationOutcome.Cancel || signal.aborted) {
    await details.onConfirm(ToolConfirmationOutcome.Cancel, payload);
    return signal.aborted ? cancelledByAbort(details.type) : cancelledByUser(details.type, payload?.feedback);
  }
  if (call.fingerprint() !== fingerprint) {
    run.notice = 'The call changed while you were asked. This is what it would do now.';
    return undefined;
  }
  if (outcome === ToolConfirmationOutcome.ModifyWithEditor) return modify(run, details, payload?.newContent);
  if (changesProposal(call, details, payload?.newContent)) {
    const content = payload?.newContent ?? '';
    return acceptChanged(run, details, () => {
      if (details.type === 'edit') rewrite(call, details, content);
    });
  }
  const { args } = payload ?? {};
  if (args) return acceptChanged(run, details, () => call.rebuild(args));
  await details.onConfirm(outcome, payload);
  if (forProject) saveProjectAnswer(run.bus, call.toolName, forProject);
  if (details.type === 'edit' && outcome === ToolConfirmationOutcome.ProceedAlways) ports.onEditsAllowed?.();
  return go(run, fingerprint, 'accept');
}

/** A command the user typed counts as approved, unless a rule denies it or it needs more than the sandbox allows. */
function isAnsweredBefore({ request }: CallState, { type }: ToolCallConfirmationDetails): boolean {
  return request.isClientInitiated === true && type !== 'sandbox_expansion';
}

/** The verdict of hook and policy on the current arguments. @throws ToolDeniedError */
async function judge(run: ApprovalRun): Promise<Approval | { decision: PolicyDecision }> {
  const { call, hooks, agent, signal } = run;
  const hooked = await beforeTool(call, hooks, agent, signal);
  if (hooked.kind === 'refused') return hooked;
  const fingerprint = call.fingerprint();
  if (run.verdict?.fingerprint !== fingerprint) {
    const { decision, reason, notice, containment } = await strictestVerdict(run);
    if (decision === PolicyDecision.DENY) throw new ToolDeniedError(call.request.name, reason);
    run.verdict = { fingerprint, decision, ...(containment && { containment }) };
    if (notice !== undefined) run.notice ??= notice;
  }
  if (hooked.kind === 'ask') {
    run.notice = [run.notice, hooked.message].filter(Boolean).join('\n') || undefined;
    run.verdict = { fingerprint, decision: PolicyDecision.ASK_USER };
  }
  // Content from the editor is shown once more, even where a rule allows the call.
  const isShownAgain = run.isModified && !call.request.isClientInitiated;
  return { decision: isShownAgain ? PolicyDecision.ASK_USER : run.verdict.decision };
}

/** Where a tool does not show all that the model sent, policy checks both. */
async function strictestVerdict(run: ApprovalRun): Promise<Verdict> {
  const { request } = run.call;
  const shown = argumentsOf(run.call.built());
  const verdict = await askPolicy(run, shown);
  if (verdict.decision === PolicyDecision.DENY || !hidesSomeOf(request.args, shown)) return verdict;
  const other = await askPolicy(run, request.args);
  if (other.decision !== PolicyDecision.ALLOW) return other;
  return { ...verdict, containment: verdict.containment ?? other.containment };
}

/** From the registry, because an invocation could misreport its own tool. */
function askPolicy({ call, bus, signal }: ApprovalRun, args: Record<string, unknown>): Promise<Verdict> {
  const { serverName, mcpContext, isAgentServer } = call.tool ?? {};
  const toolAnnotations = call.tool?.annotationsFor(args);
  return bus.decide(
    { name: call.toolName, args },
    {
      abortSignal: signal,
      ...(serverName !== undefined && { serverName }),
      ...(mcpContext && { serverToolName: mcpContext.tool_name }),
      ...(isAgentServer && { isAgentServer }),
      ...(toolAnnotations && { toolAnnotations: { ...toolAnnotations } }),
    },
  );
}

/** The user changed the proposal in an editor; the new call is asked about. */
function modify(
  run: ApprovalRun,
  details: ToolCallConfirmationDetails,
  newContent: string | undefined,
): Approval | undefined {
  const { call } = run;
  try {
    if (details.type !== 'edit' || newContent === undefined || !isModifiable(call.built()))
      throw new Error('No editor is available here; nothing was changed yet.');
    if (!rewrite(call, details, newContent)) throw new Error('Nothing was changed in the editor.');
    run.isModified = true;
    run.fruitless = 0;
  } catch (error) {
    run.notice = messageOf(error);
    if (++run.fruitless >= MAX_FRUITLESS)
      return refused(call, `was to be changed in an editor, which did not work. ${run.notice}`);
  }
  return undefined;
}

/** The user approved and sent other content or arguments: the approval holds for those, once. */
async function acceptChanged(
  run: ApprovalRun,
  details: ToolCallConfirmationDetails,
  change: () => void,
): Promise<Approval | undefined> {
  const { call, signal } = run;
  try {
    change();
  } catch (error) {
    run.notice = messageOf(error);
    if (++run.fruitless < MAX_FRUITLESS) return undefined;
    return refused(call, `was changed into something that cannot be done: ${run.notice}`);
  }
  run.isModified = true;
  const fingerprint = call.fingerprint();
  // If rules or hooks forbid or change the new content, it is not what the user approved.
  const judged = await judge(run);
  if ('kind' in judged) return judged;
  if (call.fingerprint() !== fingerprint) return undefined;
  if (details.type !== 'edit') return go(run, fingerprint);
  const now = await call.built().shouldConfirmExecute(signal, PolicyDecision.ASK_USER);
  if (now && now.type === 'edit' && now.originalContent !== details.originalContent) {
    run.notice = 'The file changed while you were asked.';
    return undefined;
  }
  return go(run, fingerprint);
}

function containmentOf({ verdict }: ApprovalRun, fingerprint: string): { containment?: Containment } {
  if (verdict?.fingerprint !== fingerprint || !verdict.containment) return {};
  return { containment: verdict.containment };
}

function go(
  { isModified }: ApprovalRun,
  fingerprint: string,
  decision: ToolDecision = 'auto_accept',
): Extract<Approval, { kind: 'go' }> {
  return { kind: 'go', fingerprint, decision: isModified ? 'modify' : decision };
}

function refused({ request }: CallState, why: string): Approval {
  return { kind: 'refused', message: `"${request.name}" ${why}`, type: ToolErrorType.POLICY_VIOLATION };
}
