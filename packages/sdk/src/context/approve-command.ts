/** Whether a command of the program may run: policy first, then `onApproval`. */
import { resolve } from 'node:path';
import { type Config, PolicyDecision, ShellTool, ToolConfirmationOutcome } from '@gemini-cli/core';
import { PolicyError } from '../errors.js';
import type { AgentShellOptions } from './types.js';

interface Approved {
  cwd: string;
  containment?: 'read-only' | 'workspace';
}

const { ProceedOnce, ProceedAlways, Cancel } = ToolConfirmationOutcome;

/** @throws PolicyError */
export async function approveCommand(
  config: Config,
  command: string,
  { cwd: wanted, env }: AgentShellOptions,
  signal: AbortSignal,
): Promise<Approved> {
  const folder = config.getTargetDir();
  const cwd = wanted === undefined ? folder : resolve(folder, wanted);
  const outside = config.validatePathAccess(cwd, 'read');
  if (outside !== null) throw new PolicyError(outside);
  const args = {
    command,
    ...(wanted !== undefined && { dir_path: cwd }),
    ...(env && { environment: env }),
  };
  const bus = config.getMessageBus();
  const verdict = await bus.decide({ name: ShellTool.Name, args }, { abortSignal: signal });
  if (verdict.decision === PolicyDecision.DENY)
    throw new PolicyError(verdict.reason ?? `A rule forbids this command: ${command}`);
  if (verdict.decision === PolicyDecision.ALLOW)
    return { cwd, ...(verdict.containment && { containment: verdict.containment }) };
  const invocation = new ShellTool(config, bus).build(args);
  const details = await invocation.shouldConfirmExecute(signal, PolicyDecision.ASK_USER);
  if (!details) return { cwd };
  const { onConfirm, ...shown } = details;
  const offeredOutcomes = [ProceedOnce, ProceedAlways, Cancel];
  const reply = await bus.confirm(
    { toolCall: { name: ShellTool.Name, args }, details: { ...shown, offeredOutcomes } as never },
    { signal },
  );
  if (reply.status !== 'answered')
    throw new PolicyError(`"${command}" needs approval, and no user can be asked here.`);
  const { outcome, payload } = reply.answer;
  await onConfirm(outcome, payload);
  if (outcome === Cancel)
    throw new PolicyError(`"${command}" was not approved.${payload?.feedback ? ` ${payload.feedback}` : ''}`);
  return { cwd };
}
