/** MCP servers of one agent's own: they live as long as its run, and only it may call them. */
import type { AgentRunScene, AgentRunTools } from '../agents/types.js';
import { createMcp, type McpParts } from '../mcp/create.js';
import type { McpClientManager } from '../mcp/mcp-client-manager.js';
import type { ServerMap } from '../mcp/servers/admin-lists.js';
import { serverPart } from '../mcp/tools/tool-names.js';
import { agentTrustRule } from '../policy/rules/settings-rules.js';
import { type McpSessionParts, serverHandlers } from './prepare-mcp.js';

export interface AgentServersParts {
  /** As for the servers of the session. */
  mcp: McpParts;
  session: McpSessionParts;
}

export async function openAgentServers(
  servers: ServerMap,
  { agentName, bus, signal }: AgentRunScene,
  { mcp, session }: AgentServersParts,
): Promise<AgentRunTools> {
  const { manager, close } = createMcp({ ...mcp, sources: () => sourcesFor(servers, mcp), agentName });
  manager.setHandlers(serverHandlers(session));
  // `/mcp list` knows nothing of them.
  manager.reports.showDetails();
  await manager.ready(signal);
  const removeRules = session.policy.addRunRules(
    trustedIn(manager).map((name) => agentTrustRule(name, agentName)),
  );
  const own = new Set(Object.keys(servers).map(serverPart));
  return {
    tools: manager.toolsFor(bus),
    hides: ({ serverName }) => serverName !== undefined && own.has(serverPart(serverName)),
    close: async () => {
      removeRules();
      await close();
    },
  };
}

/** Required servers, those of extensions and of the session belong to the session, not to this agent. */
function sourcesFor(servers: ServerMap, { sources }: McpParts): ReturnType<McpParts['sources']> {
  const all = sources();
  return {
    ...all,
    settings: servers,
    session: {},
    extensions: [],
    serverCommand: '',
    admin: { config: all.admin.config, requiredConfig: {} },
  };
}

/** After the organisation's list was applied. */
function trustedIn(manager: McpClientManager): string[] {
  return manager
    .servers()
    .filter(({ server: { config, block } }) => config.trust === true && !block)
    .map(({ server }) => server.name);
}
