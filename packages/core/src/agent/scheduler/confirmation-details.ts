/** What the user is shown about a call: the tool's own details, or plain ones. */
import { PolicyDecision, type ToolCallConfirmationDetails } from '../../protocol/confirmation.js';
import type { ApprovalRun } from './approve.js';
import { offeredOutcomes } from './offered-outcomes.js';
import { projectAnswers } from './project-answers.js';
import { isModifiable } from './rewrite-proposal.js';

/** False: neither policy nor the tool wants a question. */
export async function confirmationDetails(
  run: ApprovalRun,
  decision: PolicyDecision,
): Promise<ToolCallConfirmationDetails | false> {
  const { call, signal, ports } = run;
  const invocation = call.built();
  const wanted = await invocation.shouldConfirmExecute(signal, decision);
  // A tool cannot answer for the user: where policy asks, the user is asked, whatever the tool returns.
  const details = wanted || (decision === PolicyDecision.ASK_USER && plainDetails(run));
  if (!details) return false;
  // It may stay unawaited: a command typed by the user, or an abort before the question.
  if (details.type === 'edit') details.ideConfirmation?.catch(() => undefined);
  const always = !details.onlyOnce && (ports.allowsAlways?.() ?? true);
  const projectDir = always ? ports.projectDir?.() : undefined;
  const forProject =
    projectDir === undefined ? undefined : projectAnswers(details, call.toolName, projectDir);
  return {
    ...details,
    ...(forProject && { projectAnswers: forProject }),
    offeredOutcomes: offeredOutcomes(details.type, {
      always,
      saving: always && (ports.allowsSaving?.() ?? false),
      editor: isModifiable(invocation) && (ports.offersEditor?.() ?? false),
    }),
    onConfirm: (outcome, payload) => details.onConfirm(outcome, payload),
  };
}

/** "Always" needs the tool's details to become a rule; without them the answer holds once. */
function plainDetails({ call }: ApprovalRun): ToolCallConfirmationDetails {
  return {
    type: 'info',
    title: `Confirm: ${call.tool?.displayName ?? call.request.name}`,
    prompt: call.built().getDescription(),
    onConfirm: async () => undefined,
  };
}
