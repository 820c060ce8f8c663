/** The question before a tool call runs: one component for all kinds, remounted for each question. */
import { useState } from 'react';
import { AskUserDialog } from './AskUserDialog.js';
import { ExitPlanDialog } from './ExitPlanDialog.js';
import type { ToolConfirmationMessageProps } from './props.js';
import { ToolQuestion } from './ToolQuestion.js';

export type { ToolConfirmationMessageProps } from './props.js';

export function ToolConfirmationMessage(props: ToolConfirmationMessageProps) {
  const { confirmationDetails: details } = props;
  const key = useNumberOf(details);
  switch (details.type) {
    case 'ask_user':
      return <AskUserDialog key={key} {...props} confirmationDetails={details} />;
    case 'exit_plan_mode':
      return <ExitPlanDialog key={key} {...props} confirmationDetails={details} />;
    default:
      return <ToolQuestion key={key} {...props} />;
  }
}

/** A React key per object. */
function useNumberOf(value: object): number {
  const [last, setLast] = useState({ value, number: 0 });
  if (last.value === value) return last.number;
  const next = { value, number: last.number + 1 };
  setLast(next);
  return next.number;
}
