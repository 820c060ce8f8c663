/** Asks the user for permissions that a sandboxed command lacks. */
import { visibleName, visibleText, visibleValue } from '../../base/visible-text.js';
import type { MessageBus } from '../../bus/message-bus.js';
import { joinPermissions } from '../../platform/sandbox/linux/uncovered.js';
import type { GrantSpan, SandboxedLine, ToolSandbox } from '../../platform/sandbox/tool-sandbox.js';
import {
  type SandboxPermissions,
  ToolConfirmationOutcome,
  type ToolSandboxExpansionConfirmationDetails,
} from '../../protocol/confirmation.js';
import { RUN_SHELL_COMMAND } from '../../protocol/tool-names.js';

const { ProceedOnce, ProceedAlways, ProceedAlwaysAndSave, Cancel } = ToolConfirmationOutcome;
const OUTCOMES: Readonly<Record<GrantSpan, ToolConfirmationOutcome>> = {
  once: ProceedOnce,
  session: ProceedAlways,
  saved: ProceedAlwaysAndSave,
};

/**
 * Before the command runs: asks for what the model requested and what its programs are known to need. Undefined when
 * that is nothing, or when the mode does not allow asking the user.
 * @param granted what the user grants is added to it
 */
export async function expansionUpFront(
  sandbox: ToolSandbox,
  line: SandboxedLine,
  asked: SandboxPermissions | undefined,
  granted: SandboxPermissions[],
): Promise<ToolSandboxExpansionConfirmationDetails | undefined> {
  const needs = joinPermissions([
    asked && (await sandbox.missing(line, asked, granted)),
    granted.length === 0 ? await sandbox.needsUpFront(line) : undefined,
  ]);
  if (!needs || (await sandbox.offers()).length === 0) return undefined;
  return detailsOf(sandbox, line, needs, granted);
}

export type ExpansionAnswer = 'granted' | 'refused' | 'unanswered';

/** After a failure; when granted, the command may run again. */
export async function askAfterFailure(
  sandbox: ToolSandbox,
  line: SandboxedLine,
  needs: SandboxPermissions,
  granted: SandboxPermissions[],
  { messageBus, args, signal }: { messageBus: MessageBus; args: object; signal: AbortSignal },
): Promise<ExpansionAnswer> {
  const spans = await sandbox.offers();
  if (spans.length === 0 || !messageBus.hasAnswerer) return 'unanswered';
  const details = await detailsOf(sandbox, line, needs, granted);
  const offeredOutcomes = [...spans.map((span) => OUTCOMES[span]), Cancel];
  const toolCall = { name: RUN_SHELL_COMMAND, args: { ...args } };
  const reply = await messageBus.confirm(
    { toolCall, details: shown({ ...details, offeredOutcomes }) },
    { signal },
  );
  if (reply.status === 'unanswerable') return 'unanswered';
  if (reply.status === 'withdrawn' || signal.aborted) return 'refused';
  const { outcome } = reply.answer;
  if (outcome === Cancel) return 'refused';
  // An "always" that was not offered counts for this call only.
  await details.onConfirm(offeredOutcomes.includes(outcome) ? outcome : ProceedOnce);
  return 'granted';
}

async function detailsOf(
  sandbox: ToolSandbox,
  line: SandboxedLine,
  needs: SandboxPermissions,
  granted: SandboxPermissions[],
): Promise<ToolSandboxExpansionConfirmationDetails> {
  const { rootCommandsOf } = await import('../../policy/shell/roots.js');
  return {
    type: 'sandbox_expansion',
    title: 'Sandbox Expansion Request',
    command: line.command,
    rootCommand: (await rootCommandsOf(line.command)).join(', '),
    additionalPermissions: needs,
    onConfirm: async (outcome) => {
      if (outcome === Cancel) return;
      granted.push(needs);
      if (outcome === ProceedAlways) await sandbox.grant(line, needs, 'session');
      if (outcome === ProceedAlwaysAndSave) await sandbox.grant(line, needs, 'saved');
    },
  };
}

/** Makes invisible characters visible, as the scheduler does. */
function shown(details: ToolSandboxExpansionConfirmationDetails): ToolSandboxExpansionConfirmationDetails {
  return {
    ...details,
    command: visibleText(details.command),
    rootCommand: visibleName(details.rootCommand),
    additionalPermissions: visibleValue(details.additionalPermissions) as SandboxPermissions,
  };
}

/** "network access; writing /a, /b". */
export function inWords({ network, fileSystem }: SandboxPermissions): string {
  const list = (what: string, paths: readonly string[] = []) =>
    paths.length > 0 ? [`${what} ${paths.map(visibleName).join(', ')}`] : [];
  return [
    ...(network ? ['network access'] : []),
    ...list('writing', fileSystem?.write),
    ...list('reading', fileSystem?.read),
  ].join('; ');
}
