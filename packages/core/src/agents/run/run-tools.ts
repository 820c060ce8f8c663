/** Tools that live as long as one run: of the definition itself, and of its MCP servers. */
import { createLog } from '../../platform/log.js';
import type { AgentRunTools, LocalAgentDefinition } from '../types.js';
import type { AgentLoop, RunPorts } from './ports.js';

const log = createLog('agents');

/** Registers them in the run's own registry. @throws what could not be opened; nothing stays open then */
export async function openRunTools(
  { name, mcpServers, openTools }: LocalAgentDefinition,
  { openServers }: Pick<RunPorts, 'openServers'>,
  { loop, signal }: { loop: AgentLoop; signal: AbortSignal },
): Promise<AgentRunTools[]> {
  const scene = { agentName: name, bus: loop.bus, signal };
  const opened: AgentRunTools[] = [];
  try {
    if (openServers && mcpServers && Object.keys(mcpServers).length > 0)
      opened.push(await openServers(mcpServers, scene));
    if (openTools) opened.push(await openTools(scene));
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
  for (const { tools, hides } of opened) {
    for (const tool of loop.tools.getAllTools()) if (hides?.(tool)) loop.tools.unregisterTool(tool.name);
    for (const tool of tools) loop.tools.registerTool(tool);
  }
  return opened;
}

/** Never throws. */
export async function closeAll(opened: readonly AgentRunTools[]): Promise<void> {
  const closed = await Promise.allSettled(opened.map((tools) => tools.close()));
  for (const result of closed) if (result.status === 'rejected') log.warn('tools not closed', result.reason);
}
