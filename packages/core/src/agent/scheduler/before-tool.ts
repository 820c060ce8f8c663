/** The BeforeTool hook: before policy is asked it may refuse the call, change it, or require a question. */
import { messageOf } from '../../base/errors.js';
import type { AgentRef } from '../../protocol/agent-events.js';
import { ToolErrorType } from '../../tools/tool-error.js';
import type { HookPorts } from '../hook-ports.js';
import type { CallState } from './state.js';

export type HookVerdict =
  | { kind: 'go' }
  /** The user decides even where policy allows; the text is shown with the question. */
  | { kind: 'ask'; message: string }
  | { kind: 'refused'; message: string; type: ToolErrorType };

/** Once per call and arguments: the hook does not see its own changes again. */
export async function beforeTool(
  call: CallState,
  hooks: HookPorts,
  agent: AgentRef,
  signal: AbortSignal,
): Promise<HookVerdict> {
  if (!hooks.beforeTool || call.hookedAs === call.fingerprint()) return { kind: 'go' };
  const { originalName } = call;
  const effect = await hooks.beforeTool({
    agent,
    signal,
    // A copy: changes to the original would reach the tool unchecked.
    call: structuredClone(call.request),
    ...(originalName !== undefined && { originalName }),
  });
  if (effect?.stop !== undefined) return refused(effect.stop, ToolErrorType.STOP_EXECUTION);
  if (effect?.deny !== undefined) return refused(effect.deny, ToolErrorType.POLICY_VIOLATION);
  if (effect?.args) {
    const problem = changeArguments(call, effect.args);
    if (problem !== undefined) return refused(problem, ToolErrorType.INVALID_TOOL_PARAMS);
  }
  call.hookedAs = call.fingerprint();
  return effect?.ask === undefined ? { kind: 'go' } : { kind: 'ask', message: effect.ask };
}

/** @returns the problem of the new arguments */
function changeArguments(call: CallState, changes: Readonly<Record<string, unknown>>): string | undefined {
  const before = call.fingerprint();
  try {
    call.rebuild({ ...call.request.args, ...changes });
  } catch (error) {
    return `A hook changed the arguments into some that do not fit: ${messageOf(error)}`;
  }
  if (call.fingerprint() !== before)
    call.changedByHook = [...new Set([...call.changedByHook, ...Object.keys(changes)])];
  return undefined;
}

function refused(message: string, type: ToolErrorType): HookVerdict {
  return { kind: 'refused', message, type };
}
