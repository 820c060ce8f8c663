/** Outputs of hooks written for Claude Code, in our spelling. */
import { isObject } from '../base/objects.js';
import { rankOf } from './decision.js';
import { HookEventName, type HookOutput } from './types.js';

const DECISIONS = ['allow', 'deny', 'ask'] as const;

/** Only tool events have such outputs. Of two decisions in one output the stricter one holds. */
export function fromClaude(event: HookEventName, output: HookOutput): HookOutput {
  const specific = output.hookSpecificOutput;
  const isToolEvent = event === HookEventName.BeforeTool || event === HookEventName.AfterTool;
  if (!specific || !isToolEvent) return output;
  const { permissionDecision, permissionDecisionReason, updatedInput, ...rest } = specific;
  const decision = DECISIONS.find((known) => known === permissionDecision);
  const stricter = rankOf(decision) > rankOf(output.decision) ? decision : output.decision;
  return {
    ...output,
    ...(stricter && { decision: stricter }),
    ...(typeof permissionDecisionReason === 'string' && {
      reason: stricter === output.decision && output.reason ? output.reason : permissionDecisionReason,
    }),
    hookSpecificOutput: {
      ...rest,
      ...(isObject(updatedInput) && !isObject(rest['tool_input']) && { tool_input: updatedInput }),
    },
  };
}
