/** The MCP servers of the session. While none is configured nothing is loaded and nothing waits. */

import type { AgentRunScene, AgentRunTools } from '../agents/types.js';
import { isObject } from '../base/objects.js';
import { visibleName } from '../base/visible-text.js';
import type { MessageBus } from '../bus/message-bus.js';
import type { AuthProviderPort, McpSignIn } from '../mcp/auth-port.js';
import type { ResolvedServer } from '../mcp/config.js';
import type { CreatedMcp } from '../mcp/create.js';
import type { McpResources } from '../tools/mcp-resources/host.js';
import type { ToolRegistry } from '../tools/tool-registry.js';
import type { McpEngineParts, McpParameters } from './mcp-parts.js';
import type { ConfigParameters } from './parameters.js';

export interface McpServices {
  /** Undefined while no server is configured. */
  current(): CreatedMcp | undefined;
  /** Registers the tools of all servers, now and whenever they change. */
  attach(registry: ToolRegistry, bus: MessageBus): void;
  /** Resolves when every server has connected or failed, or its time is over. */
  ready(signal?: AbortSignal): Promise<void>;
  /** Starts servers that only one run of an agent may use; they end with `close`. */
  openForRun(servers: Readonly<Record<string, unknown>>, run: AgentRunScene): Promise<AgentRunTools>;
  /** For the system prompt. */
  instructions(): string;
  /** Undefined while no server is configured. */
  resources(): McpResources | undefined;
  /** For remote servers that the user signs in to. */
  signIn(): McpSignIn | undefined;
  /** Takes effect at once. @returns why the server stays off all the same */
  setEnabled(name: string, enabled: boolean, options: { isSession: boolean }): Promise<string | undefined>;
  /** After a change of trust or settings: only servers that are affected are started or ended. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export function composeMcp(parts: McpEngineParts): McpServices {
  const attached: [ToolRegistry, MessageBus][] = [];
  let created: CreatedMcp | undefined;
  let instructionsOf: ((mcp: CreatedMcp) => string) | undefined;
  let resources: McpResources | undefined;
  let loading: Promise<CreatedMcp> | undefined;
  let isClosed = false;
  const load = async () => {
    const [{ createMcp }, { mcpParts }, { serverInstructions }, { serverResources }, { prepareMcp }] =
      await Promise.all([
        import('../mcp/create.js'),
        import('./mcp-parts.js'),
        import('../mcp/instructions.js'),
        import('../mcp/offers/server-resources.js'),
        import('./prepare-mcp.js'),
      ]);
    const { session, ...own } = parts;
    const mcp = createMcp(mcpParts(own));
    prepareMcp(mcp, session);
    resources = serverResources(mcp.manager);
    instructionsOf = ({ manager }) => serverInstructions(manager.servers());
    for (const [registry, bus] of attached) mcp.manager.attach(registry, bus);
    created = mcp;
    return mcp;
  };
  const refresh = async () => {
    if (isClosed || (!loading && !isConfigured(parts.parameters()))) return;
    const isFirst = !loading;
    loading ??= load();
    const { manager } = await loading;
    await (isFirst ? manager.start() : manager.refresh());
  };
  void refresh();
  return {
    current: () => created,
    attach: (registry, bus) => {
      attached.push([registry, bus]);
      created?.manager.attach(registry, bus);
    },
    ready: async (signal) => {
      if (!loading) return;
      const { manager } = await loading;
      const names = manager.waitingFor();
      const isSaid = parts.parameters().interactive && names.length > 0;
      const why = `Your prompt waits for MCP servers that are connecting: ${names.map(visibleName).join(', ')}.`;
      if (isSaid) parts.session.events.notice(why);
      await manager.ready(signal);
      if (isSaid) parts.session.events.notice(why, { isOver: true });
    },
    openForRun: (servers, run) => openForRun(servers, run, parts),
    instructions: () => (created && instructionsOf?.(created)) ?? '',
    resources: () => resources,
    signIn: () => signInOf(parts.auth(), parts),
    setEnabled: async (name, enabled, options) => {
      if (!loading) return undefined;
      const { setServerEnabled } = await import('../mcp/servers/set-enabled.js');
      return setServerEnabled(await loading, name, enabled, options);
    },
    refresh,
    close: async () => {
      isClosed = true;
      if (loading) await (await loading).close();
    },
  };
}

function signInOf(
  auth: AuthProviderPort | undefined,
  { environment, parameters }: Pick<McpEngineParts, 'environment' | 'parameters'>,
): McpSignIn | undefined {
  const { authenticate, stateOf } = auth ?? {};
  if (!auth || !authenticate || !stateOf) return undefined;
  const atItsAddress = async (server: ResolvedServer) => {
    const { withVariables } = await import('../mcp/servers/environment.js');
    return withVariables(server, environment.variables, parameters().environmentRedaction);
  };
  return {
    authenticate: async (server, signal) => authenticate.call(auth, await atItsAddress(server), signal),
    stateOf: async (server) => stateOf.call(auth, await atItsAddress(server)),
  };
}

async function openForRun(
  servers: Readonly<Record<string, unknown>>,
  run: AgentRunScene,
  { session, ...parts }: McpEngineParts,
): Promise<AgentRunTools> {
  const { openAgentServers } = await import('./open-agent-servers.js');
  const { readServers } = await import('../mcp/servers/read-servers.js');
  const { mcpParts, secretsIn } = await import('./mcp-parts.js');
  const own = readServers(servers, parts.notice);
  for (const secret of secretsIn(own)) parts.onSecret(secret);
  return openAgentServers(own, run, { mcp: mcpParts(parts), session });
}

function isConfigured({
  mcpServers,
  mcp,
  adminMcp,
  extensionServers,
  sessionServers,
}: McpParameters): boolean {
  return (
    [mcpServers, sessionServers, adminMcp.requiredConfig].some((map) => Object.keys(map ?? {}).length > 0) ||
    Boolean(mcp.serverCommand?.trim() || extensionServers?.length)
  );
}

export type McpListParameters = Partial<
  Pick<ConfigParameters, 'mcpServers' | 'mcp' | 'adminMcp' | 'interactive'>
>;

/** For policy: servers whose tools need no question, and those that never run. */
export function mcpPolicyLists({
  mcpServers = {},
  mcp = {},
  adminMcp = {},
  interactive,
}: McpListParameters): {
  mcpAllowed: string[];
  mcpExcluded: string[];
  trustedServers: string[];
} {
  const { config = {}, requiredConfig = {} } = adminMcp;
  const required = Object.keys(requiredConfig);
  const own = Object.keys(mcpServers).filter((name) => !required.includes(name));
  // Where the organisation lists servers, its word about their trust counts.
  const trusting = Object.keys(config).length > 0 ? config : mcpServers;
  const isHeadlessAllowed = mcp.autoAllowInHeadless && interactive === false;
  return {
    mcpAllowed: [...(mcp.allowed ?? []).map(plainName), ...(isHeadlessAllowed ? [...own, ...required] : [])],
    mcpExcluded: (mcp.excluded ?? []).map(plainName),
    trustedServers: [
      ...own.filter((name) => trustOf(trusting[name]) === true),
      ...required.filter((name) => trustOf(requiredConfig[name]) !== false),
    ],
  };
}

/** `ext:<extension>:<server>`: rules know servers by their own names. */
function plainName(entry: string): string {
  return entry.trim().replace(/^ext:[^:]+:/i, '');
}

function trustOf(server: unknown): unknown {
  return isObject(server) ? server['trust'] : undefined;
}
