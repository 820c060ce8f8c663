/** Composes the instructions that go before every conversation. */
import { ApprovalMode } from '../protocol/confirmation.js';
import guidelines from './sections/guidelines.md';
import headless from './sections/headless.md';
import mandates from './sections/mandates.md';
import plan from './sections/plan.md';
import role from './sections/role.md';
import workflow from './sections/workflow.md';

export interface PromptSituation {
  interactive: boolean;
  approvalMode: ApprovalMode;
}

/** Stable for a session and mode: nothing that changes with time may stand here (prompt caching). */
export function composeSystemPrompt({ interactive, approvalMode }: PromptSituation): string {
  const sections = [
    role,
    mandates,
    approvalMode === ApprovalMode.PLAN ? plan : workflow,
    guidelines,
    ...(interactive ? [] : [headless]),
  ];
  return sections.map((section) => section.trim()).join('\n\n');
}
