/** The question before a tool call runs. One component for all kinds; each question starts afresh. */
import { useRef } from 'react';
import { AskUser } from './AskUser.js';
import { ExitPlan } from './ExitPlan.js';
import type { ConfirmationProps } from './request.js';
import { ToolQuestion } from './ToolQuestion.js';

export type { ConfirmationProps, ConfirmationRequest } from './request.js';

export function Confirmation(props: ConfirmationProps) {
  const { details } = props.request;
  const key = useNumberOf(details);
  if (details.type === 'ask_user') return <AskUser key={key} {...props} details={details} />;
  if (details.type === 'exit_plan_mode') return <ExitPlan key={key} {...props} details={details} />;
  return <ToolQuestion key={key} {...props} />;
}

/** Another number for another object. */
function useNumberOf(value: object): number {
  const last = useRef({ value, number: 0 });
  if (last.current.value !== value) last.current = { value, number: last.current.number + 1 };
  return last.current.number;
}
