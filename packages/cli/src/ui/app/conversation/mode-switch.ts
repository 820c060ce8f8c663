/** Changes the approval mode. A question that is open is answered by it if the new mode allows the call. */
import {
  type ApprovalMode,
  type Config,
  messageOf,
  PolicyDecision,
  type PolicyEngine,
  ToolConfirmationOutcome,
} from '@gemini-cli/core';
import type { Store } from '../../store/store.js';
import type { AppContext } from '../context/app-context.js';
import { type Answerer, answerConfirmation } from './confirmations.js';
import type { EngineHost } from './engine-host.js';

/** What a switch needs of the engine; `Config` has it. */
export interface ModeHost {
  setApprovalMode(mode: ApprovalMode): void;
  getApprovalMode(): ApprovalMode;
  getPolicyEngine(): Pick<PolicyEngine, 'check'>;
  getEvents(): Answerer;
}

export function setApprovalMode(mode: ApprovalMode, context: AppContext, { config }: EngineHost): void {
  if (!config) return;
  const refuse = (why: string) => context.toasts.show(why, 'warning');
  void switchMode(mode, config, context.store, refuse).catch(context.noteProblem);
}

export async function switchMode(
  mode: ApprovalMode,
  config: ModeHost,
  store: Store,
  refuse: (why: string) => void,
): Promise<void> {
  try {
    config.setApprovalMode(mode);
  } catch (error) {
    refuse(messageOf(error));
  }
  store.dispatch({ type: 'approval_mode', mode: config.getApprovalMode() });
  await answerByMode(config, store);
}

/** Keeps the indicator up to date: the user, an answer, the model or lost trust may change the mode. @returns stops */
export function watchMode(config: Config, store: Store): () => void {
  store.dispatch({ type: 'approval_mode', mode: config.getApprovalMode() });
  return config.getPolicyEngine().modes.onChange((mode) => store.dispatch({ type: 'approval_mode', mode }));
}

/** Questions that ask for an answer, not for permission, stay open in every mode. */
const NEVER_BY_MODE = new Set(['ask_user', 'exit_plan_mode']);

async function answerByMode(config: ModeHost, store: Store): Promise<void> {
  const { confirmation } = store.getState();
  if (!confirmation?.args || NEVER_BY_MODE.has(confirmation.details.type)) return;
  const { toolName, args, serverName, subagent } = confirmation;
  const verdict = await config
    .getPolicyEngine()
    .check({ name: toolName, args }, { ...(serverName && { serverName }), ...(subagent && { subagent }) });
  // The user may have answered meanwhile.
  if (verdict.decision !== PolicyDecision.ALLOW || store.getState().confirmation !== confirmation) return;
  await answerConfirmation(config.getEvents(), store, ToolConfirmationOutcome.ProceedOnce);
}
