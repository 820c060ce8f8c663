/** The BeforeTool hook: before policy is asked it may refuse the call, change it, or require a question. */
import { messageOf } from '../../base/errors.js';
import type { AgentRef } from '../../protocol/agent-events.js';
import type { McpToolContext, ToolCallRequest } from '../../protocol/tool-calls.js';
import { ToolErrorType } from '../../tools/tool-error.js';
import type { ToolResult } from '../../tools/tools.js';
import type { HookPorts } from '../hook-ports.js';
import { refusedByHook } from './refused-by-hook.js';
import type { CallState } from './state.js';

export type HookVerdict =
  | { kind: 'go' }
  /** The user decides even where policy allows; the text is shown with the question. */
  | { kind: 'ask'; message: string }
  | { kind: 'refused'; message: string; type: ToolErrorType; result?: ToolResult };

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
    call: hookedRequest(call),
    ...(originalName !== undefined && { originalName }),
    ...mcpContextOf(call),
  });
  if (effect?.stop !== undefined) return refused(effect.stop, ToolErrorType.STOP_EXECUTION);
  if (effect?.deny !== undefined)
    return refused(effect.deny, ToolErrorType.POLICY_VIOLATION, refusedByHook(effect.deny, effect));
  if (effect?.args) {
    const problem = changeArguments(call, effect.args);
    if (problem !== undefined) return refused(problem, ToolErrorType.INVALID_TOOL_PARAMS);
  }
  call.hookedAs = call.fingerprint();
  return effect?.ask === undefined ? { kind: 'go' } : { kind: 'ask', message: effect.ask };
}

/** The call under its registered name. A copy: changes to the original would reach the tool unchecked. */
export function hookedRequest({ request, toolName, tool }: CallState): ToolCallRequest {
  const copy = structuredClone(request);
  return tool?.mcpContext ? { ...copy, name: toolName } : copy;
}

/** For the hooks of a tool of an MCP server. */
export function mcpContextOf({ tool }: CallState): { mcpContext?: McpToolContext } {
  if (tool?.mcpContext) return { mcpContext: tool.mcpContext };
  return tool?.serverName === undefined
    ? {}
    : { mcpContext: { server_name: tool.serverName, tool_name: tool.name } };
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

function refused(message: string, type: ToolErrorType, result?: ToolResult): HookVerdict {
  return { kind: 'refused', message, type, ...(result && { result }) };
}
