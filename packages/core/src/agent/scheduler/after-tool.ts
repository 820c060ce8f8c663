/** The AfterTool hook: it may hide a result, add to it, run another tool, or end the request. */
import type { AgentRef } from '../../protocol/agent-events.js';
import { toParts } from '../../protocol/messages.js';
import { ToolErrorType } from '../../tools/tool-error.js';
import { type ToolResult, toolFailure } from '../../tools/tools.js';
import { type HookPorts, hookContext } from '../hook-ports.js';
import { hookedRequest, mcpContextOf } from './before-tool.js';
import { refusedByHook } from './refused-by-hook.js';
import type { CallState } from './state.js';

export async function afterTool(
  call: CallState,
  result: ToolResult,
  { hooks, agent, signal }: { hooks: HookPorts; agent: AgentRef; signal: AbortSignal },
): Promise<ToolResult> {
  const { originalName } = call;
  const effect = await hooks.afterTool?.({
    agent,
    signal,
    call: hookedRequest(call),
    result,
    ...(originalName !== undefined && { originalName }),
    ...mcpContextOf(call),
  });
  if (!effect) return result;
  if (effect.stop !== undefined) return toolFailure(effect.stop, ToolErrorType.STOP_EXECUTION);
  if (effect.deny !== undefined) return refusedByHook(effect.deny, effect);
  const { context, tail } = effect;
  return {
    ...result,
    ...(context && {
      llmContent: [...toParts(result.llmContent), { text: hookContext(context) }],
      // The model reads the message of a failure, not its content.
      ...(result.error && {
        error: { ...result.error, message: `${result.error.message}\n${hookContext(context)}` },
      }),
    }),
    ...(tail && { tailToolCallRequest: tail }),
  };
}
