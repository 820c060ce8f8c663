/** The answers to a question. Core decides which ones are offered. */
import { type ConfirmationView, ToolConfirmationOutcome, visibleName } from '@gemini-cli/core';
import { keyName } from '../components/key-name.js';
import type { RadioItem } from '../components/RadioButtonSelect.js';
import { projectRuleOf, ruleOf } from './always-rule.js';

type Kind = ConfirmationView['type'];

const { ProceedOnce, ProceedAlways, ProceedAlwaysAndSave, ProceedAlwaysServer, ProceedAlwaysTool } =
  ToolConfirmationOutcome;
const { ModifyWithEditor, Cancel } = ToolConfirmationOutcome;

const LABELS: Readonly<Record<ToolConfirmationOutcome, string>> = {
  [ProceedOnce]: 'Allow once',
  [ProceedAlways]: 'Allow for this session',
  [ProceedAlwaysAndSave]: 'Allow for all future sessions',
  [ProceedAlwaysTool]: 'Allow tool for this session',
  [ProceedAlwaysServer]: 'Allow all server tools for this session',
  [ModifyWithEditor]: 'Modify with external editor',
  [Cancel]: 'No, suggest changes (esc)',
};

const SAVING: Partial<Record<Kind, string>> = {
  edit: 'Allow for this file in all future sessions',
  exec: 'Allow this command for all future sessions',
  mcp: 'Allow tool for all future sessions',
};

/** "No" is always offered, and last. */
export function choicesFor(
  details: ConfirmationView,
  toolName: string,
): RadioItem<ToolConfirmationOutcome>[] {
  const { type } = details;
  return offeredIn(details).map((value) => {
    const rule = ruleOf(details, value, toolName);
    return {
      value,
      label: `${(value === ProceedAlwaysAndSave ? SAVING[type] : undefined) ?? LABELS[value]}${moreOf(details, value)}`,
      detail: rule === undefined ? undefined : visibleName(rule),
    };
  });
}

function offeredIn({ offeredOutcomes = [ProceedOnce] }: ConfirmationView): ToolConfirmationOutcome[] {
  return [...offeredOutcomes.filter((outcome) => outcome !== Cancel), Cancel];
}

/** How to open the second page. */
function moreOf({ projectAnswers = [] }: ConfirmationView, outcome: ToolConfirmationOutcome): string {
  return projectAnswers.length > 0 && isSessionAnswer(outcome)
    ? ` (${keyName('cursor.right')}: in this project)`
    : '';
}

const FOR_PROJECT: Readonly<Record<'project' | 'call', Partial<Record<Kind, string>>>> = {
  project: { edit: 'All edits in this project', exec: 'Commands like this in this project' },
  call: { edit: 'Edits of this file', exec: 'Only this command' },
};
const ANY = { project: 'Every call of this tool in this project', call: 'Only calls like this one' } as const;

/** The second page of "Allow for this session"; the values are positions in `projectAnswers`. */
export function projectChoicesFor(
  { type, projectAnswers = [] }: ConfirmationView,
  toolName: string,
): RadioItem<number>[] {
  return projectAnswers.map(({ covers, rule }, value) => ({
    value,
    label: FOR_PROJECT[covers][type] ?? ANY[covers],
    detail: visibleName(projectRuleOf(rule, type, toolName)),
  }));
}

/** The answers that the second page belongs to. */
export function isSessionAnswer(outcome: ToolConfirmationOutcome | undefined): boolean {
  return outcome === ProceedAlways || outcome === ProceedAlwaysTool;
}
