/** The tools an agent sees: those of its definition, or all of the main agent's, but never other agents. */
import {
  ASK_USER,
  canonicalToolName,
  EXIT_PLAN_MODE,
  INVOKE_AGENT,
  UPDATE_TOPIC,
} from '../../protocol/tool-names.js';
import { EnterPlanModeTool } from '../../tools/plan-mode/enter-plan-mode.js';
import type { ToolRegistry } from '../../tools/tool-registry.js';
import { type AnyDeclarativeTool, DeclarativeTool } from '../../tools/tools.js';
import type { LocalAgentDefinition, ToolConfig } from '../types.js';

type Entry = ToolConfig['tools'][number];

/** They belong to the conversation with the user. */
const NEVER: ReadonlySet<string> = new Set([
  INVOKE_AGENT,
  UPDATE_TOPIC,
  EnterPlanModeTool.Name,
  EXIT_PLAN_MODE,
]);

/** The names in a definition's list; undefined: it has none. */
export function namedTools({ toolConfig }: Pick<LocalAgentDefinition, 'toolConfig'>): string[] | undefined {
  return toolConfig?.tools.map((entry) => canonicalToolName(nameOf(entry)));
}

/** Removes from a registry with all tools those that the agent may not use. */
export function restrictTools(
  registry: ToolRegistry,
  definition: Pick<LocalAgentDefinition, 'toolConfig'>,
  agentNames: readonly string[],
): void {
  const names = namedTools(definition);
  for (const tool of registry.getAllTools()) {
    const isWanted = names ? names.some((name) => matches(name, tool)) : tool.name !== ASK_USER;
    if (!isWanted || NEVER.has(tool.name) || agentNames.includes(tool.name))
      registry.unregisterTool(tool.name);
  }
  for (const entry of definition.toolConfig?.tools ?? [])
    if (entry instanceof DeclarativeTool && !NEVER.has(entry.name)) registry.registerTool(entry);
}

/** A copy of a tool that asks and reports on another bus. */
export function onBus(
  tool: AnyDeclarativeTool,
  messageBus: AnyDeclarativeTool['messageBus'],
): AnyDeclarativeTool {
  const copy = Object.create(Object.getPrototypeOf(tool), Object.getOwnPropertyDescriptors(tool));
  return Object.defineProperty(copy, 'messageBus', { value: messageBus, enumerable: true });
}

function matches(wanted: string, { name, serverName }: AnyDeclarativeTool): boolean {
  if (wanted === name) return true;
  // A question to the user is not part of "all": an agent must name it.
  if (wanted === '*') return name !== ASK_USER;
  if (wanted === 'mcp_*') return name.startsWith('mcp_') || serverName !== undefined;
  const server = /^mcp_(.+)_\*$/.exec(wanted)?.[1];
  if (server === undefined) return false;
  return serverName === undefined ? name.startsWith(`mcp_${server}_`) : serverName === server;
}

function nameOf(entry: Entry): string {
  return typeof entry === 'string' ? entry.trim() : entry.name;
}
