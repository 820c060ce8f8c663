/** Which answers a question offers, in display order. */
import { type ToolCallConfirmationDetails, ToolConfirmationOutcome } from '../../protocol/confirmation.js';

export interface Offers {
  /** "Always" is allowed: the folder is trusted and no setting disables it. */
  always: boolean;
  /** "Always" may be saved for later sessions. */
  saving: boolean;
  /** The user can change the proposal in an editor. */
  editor: boolean;
}

const { ProceedOnce, ProceedAlways, ProceedAlwaysAndSave, ProceedAlwaysTool, ProceedAlwaysServer } =
  ToolConfirmationOutcome;
const { ModifyWithEditor, Cancel } = ToolConfirmationOutcome;
const SESSION: Record<ToolCallConfirmationDetails['type'], readonly ToolConfirmationOutcome[]> = {
  edit: [ProceedAlways],
  exec: [ProceedAlways],
  info: [ProceedAlways],
  sandbox_expansion: [ProceedAlways],
  mcp: [ProceedAlwaysTool, ProceedAlwaysServer],
  // Each of these is a separate question; "always" would answer questions not asked yet.
  ask_user: [],
  exit_plan_mode: [],
};

export function offeredOutcomes(
  type: ToolCallConfirmationDetails['type'],
  { always, saving, editor }: Offers,
): ToolConfirmationOutcome[] {
  const session = always ? SESSION[type] : [];
  return [
    ProceedOnce,
    ...session,
    ...(saving && session.length > 0 ? [ProceedAlwaysAndSave] : []),
    ...(editor && type === 'edit' ? [ModifyWithEditor] : []),
    Cancel,
  ];
}

/** An "always" that was not offered still allows this call, and nothing else. */
export function asOffered(
  outcome: ToolConfirmationOutcome,
  offered: readonly ToolConfirmationOutcome[],
): ToolConfirmationOutcome {
  const isForGood = outcome.startsWith(ProceedAlways);
  return isForGood && !offered.includes(outcome) ? ProceedOnce : outcome;
}
