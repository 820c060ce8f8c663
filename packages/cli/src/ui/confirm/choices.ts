/** The answers to a question. Core decides which ones are offered. */
import { type ConfirmationView, ToolConfirmationOutcome, visibleName } from '@gemini-cli/core';
import type { RadioItem } from '../components/RadioButtonSelect.js';
import { ruleOf } from './always-rule.js';

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
      label: (value === ProceedAlwaysAndSave ? SAVING[type] : undefined) ?? LABELS[value],
      detail: rule === undefined ? undefined : visibleName(rule),
    };
  });
}

function offeredIn({ offeredOutcomes = [ProceedOnce] }: ConfirmationView): ToolConfirmationOutcome[] {
  return [...offeredOutcomes.filter((outcome) => outcome !== Cancel), Cancel];
}
