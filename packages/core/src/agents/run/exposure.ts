/** Calls of tools that are named like agents. */
import type { ToolCallRequest } from '../../protocol/tool-calls.js';
import { INVOKE_AGENT } from '../../protocol/tool-names.js';
import type { AgentCaller } from '../../tools/invoke-agent/invoke-agent.js';

/** A model may call an agent as if it were a tool: its text arguments are the prompt. Undefined: there is no such agent. */
export function asAgentCall(
  caller: Pick<AgentCaller, 'find'>,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Pick<ToolCallRequest, 'name' | 'args'> | undefined {
  const agent = caller.find(name);
  if (!agent) return undefined;
  const texts = Object.values(args).filter((value) => typeof value === 'string');
  const prompt =
    typeof args['prompt'] === 'string'
      ? args['prompt']
      : texts.length === 1 && Object.keys(args).length === 1
        ? texts[0]
        : Object.keys(args).length > 0
          ? JSON.stringify(args)
          : '';
  return { name: INVOKE_AGENT, args: { agent_name: agent.name, prompt } };
}
