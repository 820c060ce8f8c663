/** What a caller reads of a run: agent, reason, result; or why there is none. */
import { CANCELLED } from '../../base/unrun-calls.js';
import { withoutOwnMarks } from '../../base/untrusted-context.js';
import type { SubagentProgress } from '../../protocol/tool-display.js';
import { ToolErrorType } from '../../tools/tool-error.js';
import { type ToolResult, toolFailure } from '../../tools/tools.js';
import { AgentTerminateMode, type OutputObject } from '../types.js';

export interface Report {
  agentName: string;
  output: Pick<OutputObject, 'result' | 'terminate_reason'>;
  /** E.g. the worktree that has its work. */
  leftover?: string;
}

export function reportOf({ agentName, output, leftover }: Report): string {
  return [
    `Subagent '${agentName}' finished.`,
    `Termination Reason: ${output.terminate_reason}`,
    `Result: ${withoutOwnMarks(output.result)}`,
    ...(leftover ? [leftover] : []),
  ].join('\n');
}

export function isFailure({ terminate_reason: reason }: Pick<OutputObject, 'terminate_reason'>): boolean {
  return reason === AgentTerminateMode.ERROR;
}

/** What users see of an ended run: its steps, its result, and where its work is. */
export function displayOf(
  progress: SubagentProgress | undefined,
  result: string,
  leftover: string | undefined,
): SubagentProgress | string {
  const shown = [progress?.result ?? result, leftover].filter(Boolean).join('\n\n');
  return progress ? { ...progress, result: shown } : shown;
}

/** The answer to the call of a run that works on. */
export function movedAway(name: string, id: string, progress: SubagentProgress | undefined): ToolResult {
  const llmContent =
    `The user moved the agent ${name} (${id}) to the background. It works on; its report comes as a message. ` +
    'Do not wait for it and do not start it again.';
  const shown = 'In the background.';
  return { llmContent, returnDisplay: progress ? { ...progress, state: 'running', result: shown } : shown };
}

export function cancelled(name: string, leftover?: string): ToolResult {
  const message = [`${CANCELLED} The agent ${name} was stopped.`, leftover].filter(Boolean).join('\n');
  return toolFailure(message, ToolErrorType.EXECUTION_FAILED, `${name} was stopped`);
}
