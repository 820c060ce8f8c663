/** The options of a permission request, and what the user's choice means. */
import type { PermissionOption, PermissionOptionKind } from '@agentclientprotocol/sdk';
import {
  type ConfirmationView,
  type PolicyUpdateOptions,
  ToolConfirmationOutcome,
  type UserQuestion,
} from '@gemini-cli/core';

const { ProceedOnce, ProceedAlways, ProceedAlwaysAndSave, ProceedAlwaysServer, ProceedAlwaysTool, Cancel } =
  ToolConfirmationOutcome;

/** In the order the client shows them. */
const ROWS: Readonly<Record<ConfirmationView['type'], readonly ToolConfirmationOutcome[]>> = {
  edit: [ProceedAlways, ProceedAlwaysAndSave, ProceedOnce, Cancel],
  exec: [ProceedAlways, ProceedAlwaysAndSave, ProceedOnce, Cancel],
  info: [ProceedAlways, ProceedAlwaysAndSave, ProceedOnce, Cancel],
  mcp: [ProceedAlwaysServer, ProceedAlwaysTool, ProceedAlwaysAndSave, ProceedOnce, Cancel],
  ask_user: [ProceedOnce, Cancel],
  exit_plan_mode: [ProceedOnce, Cancel],
  sandbox_expansion: [ProceedOnce, Cancel],
};

const KINDS: Partial<Record<ToolConfirmationOutcome, PermissionOptionKind>> = {
  [ProceedOnce]: 'allow_once',
  [Cancel]: 'reject_once',
};

/** The engine decides which of them are offered: "always" and saving depend on trust and settings. */
export function permissionOptions(details: ConfirmationView): PermissionOption[] {
  const offered = details.offeredOutcomes ?? [];
  return ROWS[details.type]
    .filter((outcome) => outcome in KINDS || offered.includes(outcome))
    .map((outcome) => ({
      optionId: outcome,
      name: nameOf(outcome, details),
      kind: KINDS[outcome] ?? 'allow_always',
    }));
}

function nameOf(outcome: ToolConfirmationOutcome, details: ConfirmationView): string {
  switch (outcome) {
    case ProceedAlways:
      return details.type === 'edit'
        ? 'Allow all edits of this session'
        : `Allow ${spanOf(details)} for this session`;
    case ProceedAlwaysAndSave:
      return `Allow ${spanOf(details)} in this project from now on`;
    case ProceedAlwaysServer:
      return 'Allow all tools of this server for this session';
    case ProceedAlwaysTool:
      return 'Allow this tool for this session';
    case Cancel:
      return details.type === 'exit_plan_mode' ? 'Keep planning' : 'Reject';
    default:
      return details.type === 'exit_plan_mode' ? 'Approve the plan' : 'Allow';
  }
}

/** What an "always" answer covers: exactly this is stored. */
function spanOf({ always }: ConfirmationView): string {
  return (always && ruleOf(always)) ?? 'this';
}

function ruleOf({
  commandExact,
  commandPrefix,
  path,
  folder,
  toolName,
}: PolicyUpdateOptions): string | undefined {
  if (commandExact !== undefined) return `"${shortened(commandExact)}"`;
  if (commandPrefix !== undefined) {
    const prefixes = typeof commandPrefix === 'string' ? [commandPrefix] : commandPrefix;
    return prefixes.map((prefix) => `"${shortened(prefix)} …"`).join(', ');
  }
  if (path !== undefined) return `edits of ${shortened(path)}`;
  if (folder !== undefined) return `edits in ${shortened(folder)}`;
  return toolName;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

/** An unknown option counts as a refusal. */
export function outcomeOf(optionId: string, options: readonly PermissionOption[]): ToolConfirmationOutcome {
  const isOffered = options.some((option) => option.optionId === optionId);
  return Object.values(ToolConfirmationOutcome).find((value) => isOffered && value === optionId) ?? Cancel;
}

/** One option per choice; undefined where a permission request cannot express the question. */
export function choiceOptions({ type, options, multiSelect }: UserQuestion): PermissionOption[] | undefined {
  if (multiSelect) return undefined;
  const labels = type === 'yesno' ? ['Yes', 'No'] : options?.map(({ label }) => label);
  if (!labels || labels.length === 0 || type === 'text') return undefined;
  const choices = labels.map((name, index): PermissionOption => {
    return { optionId: `choice-${index}`, name, kind: 'allow_once' };
  });
  return [...choices, { optionId: Cancel, name: 'No answer', kind: 'reject_once' }];
}
