/** The rule that an "always" answer would save, described next to the answer. */
import { type ConfirmationView, ToolConfirmationOutcome } from '@gemini-cli/core';

const { ProceedAlways, ProceedAlwaysAndSave } = ToolConfirmationOutcome;
/** A longer command is already shown above the question. */
const LONGEST_REPEATED = 100;

/** Undefined: the label is enough, or the answer saves no rule. */
export function ruleOf(
  details: ConfirmationView,
  outcome: ToolConfirmationOutcome,
  toolName: string,
): string | undefined {
  const { always, type, offeredOutcomes = [] } = details;
  if (!always) return undefined;
  if (outcome === ProceedAlways)
    return type === 'edit'
      ? 'Rule: all edits of this session (auto_edit mode)'
      : `Rule: ${describeRule(always, toolName)}`;
  if (outcome !== ProceedAlwaysAndSave) return undefined;
  const isShownAbove = type !== 'edit' && offeredOutcomes.includes(ProceedAlways);
  return isShownAbove
    ? 'The same rule, in this project'
    : `Rule: ${describeRule(always, toolName)}, in this project`;
}

/** The rule of an answer for the project; it holds nowhere else. */
export function projectRuleOf(rule: Always, type: ConfirmationView['type'], toolName: string): string {
  if (rule.folder !== undefined) return `Rule: edits of files in ${rule.folder}, except protected ones`;
  if (type === 'edit' && rule.path !== undefined) return `Rule: edits of ${rule.path}`;
  return `Rule: ${describeRule(rule, toolName)}`;
}

type Always = NonNullable<ConfirmationView['always']>;

function describeRule(
  { commandExact, commandPrefix, path, argsPattern, subagent }: Always,
  toolName: string,
): string {
  if (commandExact !== undefined) {
    const isShort = commandExact.length <= LONGEST_REPEATED && !commandExact.includes('\n');
    const line = isShort ? `exactly "${commandExact}"` : 'exactly this command';
    return path === undefined ? line : `${line} in ${path}`;
  }
  if (commandPrefix !== undefined)
    return [commandPrefix]
      .flat()
      .map((prefix) => `${prefix} …`)
      .join(', ');
  if (path !== undefined) return `${toolName} of ${path}`;
  const [, argument] = /^\\x00"(\w+)"/.exec(argsPattern ?? '') ?? [];
  if (argument !== undefined) return `${toolName} with the same ${argument}`;
  if (argsPattern !== undefined) return `${toolName} with the same arguments`;
  return `every call of ${toolName}${subagent === undefined ? '' : ` by the agent ${subagent}`}`;
}
