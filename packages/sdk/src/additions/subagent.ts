/** `subagent()`: another agent that the model can give a task to. */
import type { GeminiCliAgent } from '../agent/agent.js';
import type { SessionContext } from '../context/types.js';
import type { ToolSchema } from '../tools/schema-types.js';
import type { AnyTool } from '../tools/tool.js';

interface SubagentBase {
  /** Letters, digits, `-` and `_`. */
  name: string;
  /** For the model: when to use it. */
  description: string;
  maxTurns?: number;
  timeoutMinutes?: number;
  /** Its only property gets the task. Absent: `prompt`. */
  inputSchema?: ToolSchema;
  /** What its report must look like. Absent: a text. */
  outputSchema?: ToolSchema;
}

/** Works in the session's folder, under its policies, with its own conversation. */
export interface PromptSubagent extends SubagentBase {
  instructions: string | ((prompt: string, ctx: SessionContext) => string | Promise<string>);
  agent?: undefined;
  /** Names of built-in tools, `*`, MCP tools, or tools of this program. Absent: all of the session. */
  tools?: (string | AnyTool)[];
  model?: string;
}

/** A whole agent: each task runs in a new session of it. */
export interface AgentSubagent extends Omit<SubagentBase, 'inputSchema' | 'outputSchema'> {
  agent: GeminiCliAgent;
  instructions?: undefined;
}

export type SubagentDefinition = PromptSubagent | AgentSubagent;

export interface Subagent {
  readonly name: string;
  readonly definition: SubagentDefinition;
}

/** @throws TypeError unless it has instructions or an agent, and not both */
export function subagent(definition: SubagentDefinition): Subagent {
  const { name, instructions, agent } = definition;
  if (!/^[A-Za-z0-9_-]+$/.test(name))
    throw new TypeError(`subagent(): "${name}" may hold letters, digits, "-" and "_".`);
  if ((instructions === undefined) === (agent === undefined))
    throw new TypeError(`subagent("${name}"): give either "instructions" or "agent".`);
  return { name, definition };
}
