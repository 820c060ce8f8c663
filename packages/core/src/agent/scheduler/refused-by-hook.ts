/** A tool call, or its result, that a hook refused: the model gets the reason, the user also the hook's name. */
import { ToolErrorType } from '../../tools/tool-error.js';
import { type ToolResult, toolFailure } from '../../tools/tools.js';
import type { ToolDenyEffect } from '../hook-ports.js';

export function refusedByHook(reason: string, { deniedBy }: ToolDenyEffect): ToolResult {
  const type = ToolErrorType.POLICY_VIOLATION;
  if (deniedBy === undefined) return toolFailure(reason, type);
  const shown = `Refused by the hook ${deniedBy}: ${reason}`;
  return { ...toolFailure(reason, type, shown), error: { message: reason, type, shown } };
}
