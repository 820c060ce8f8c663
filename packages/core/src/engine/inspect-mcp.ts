/** The MCP servers of a folder without a session: for `gemini mcp list`, `enable`, `disable` and the doctor. */
import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { isObject } from '../base/objects.js';
import { EventStream } from '../bus/event-stream.js';
import type { AuthProviderPort } from '../mcp/auth-port.js';
import { type McpServerFields, type ResolvedServer, targetOf, transportKindOf } from '../mcp/config.js';
import { createMcp, type McpParts } from '../mcp/create.js';
import type { McpServerView } from '../mcp/mcp-client-manager.js';
import { ServerEnablement } from '../mcp/servers/enablement.js';
import { headerProblem, withVariables } from '../mcp/servers/environment.js';
import { type ExtensionServers, resolveServers } from '../mcp/servers/resolve-servers.js';
import { systemClock } from '../platform/clock.js';
import type { Environment } from '../platform/environment.js';
import { findProgram } from '../platform/process/find-program.js';
import type { ToolSandbox } from '../platform/sandbox/tool-sandbox.js';
import { storageOf } from '../platform/storage/project-id.js';
import { globalGeminiDir } from '../platform/storage/storage.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import type { LoadedSettings } from '../settings/loaded-settings.js';
import { settingParameters, withDefaults } from '../settings/schema/parameters.js';
import { WorkspaceContext } from '../workspace/workspace-context.js';
import { composeMcpAuth } from './compose-mcp-auth.js';
import { composeSandbox } from './compose-sandbox.js';
import { mcpParts } from './mcp-parts.js';

export interface InspectRequest {
  settings: LoadedSettings;
  environment: Environment;
  cwd: string;
  isTrusted: boolean;
  /** Of the extensions that are enabled here. */
  extensionServers?: readonly ExtensionServers[];
  notice: (message: string) => void;
  /** Called with keys and tokens in the configuration, so that they are never shown. */
  onSecret?: (secret: string) => void;
}

/** Limit for a server without one of its own. */
const CONNECT_LIMIT_MS = 5_000;

/** What is configured, and what may start. Starts nothing. */
export function configuredServers(request: InspectRequest): ResolvedServer[] {
  const { rules, ...sources } = partsOf(request).sources();
  const disabledForGood = serverEnablement(request.environment).disabled();
  return resolveServers({ ...sources, rules: { ...rules, disabledForGood, disabledInSession: new Set() } });
}

/** What keeps a server from working, as far as that can be seen without starting it. */
export function visibleProblem(
  server: ResolvedServer,
  {
    environment: { variables, home },
    cwd,
    settings,
  }: Pick<InspectRequest, 'environment' | 'cwd' | 'settings'>,
): string | undefined {
  if (server.block) return undefined;
  const { name, config } = withVariables(server, variables, {});
  const { command = '' } = config;
  const kind = transportKindOf(config);
  if (kind !== 'stdio') {
    // A value in it may be a secret: it is shown as written.
    if (kind !== 'websocket' && !isWebAddress(targetOf(config)))
      return `${name}: "${targetOf(server.config)}" is not an http or https address`;
    const { environmentRedaction } = withDefaults(settingParameters(settings.merged));
    const problem = headerProblem(server, variables, environmentRedaction);
    return problem && `${name}: ${problem.replace(/\.$/, '')}`;
  }
  const folder = config.cwd ? resolve(cwd, config.cwd.replace(/^~(?=\/|$)/, home)) : cwd;
  if (!existsSync(folder)) return `${name}: the folder ${folder} (cwd) does not exist`;
  const isPath = command.includes('/');
  const path = isPath ? resolve(folder, dirname(command)) : (config.env?.['PATH'] ?? variables['PATH']);
  const program = isPath ? basename(command) : command;
  return findProgram(program, path, isPath ? [] : undefined) === undefined
    ? `${name}: the command "${command}" was not found`
    : undefined;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

export function serverEnablement({ variables }: Environment): ServerEnablement {
  return new ServerEnablement(globalGeminiDir(variables));
}

/** Really connects to every server that may start, side by side, and ends them again. */
export async function inspectServers(request: InspectRequest): Promise<McpServerView[]> {
  const { environment, notice, onSecret = () => undefined } = request;
  // Stored tokens are used; there is no front end here that could answer a question about a new sign-in.
  const auth = composeMcpAuth({
    environment,
    clock: systemClock,
    events: new EventStream(),
    redactor: { addSecret: onSecret },
    notice,
  });
  const mcp = createMcp(partsOf(request, auth));
  try {
    await mcp.manager.start();
    return mcp.manager.servers();
  } finally {
    await mcp.close();
    auth.close();
  }
}

function partsOf(
  { settings, environment, cwd, isTrusted, extensionServers = [], notice, onSecret }: InspectRequest,
  auth?: AuthProviderPort,
): McpParts {
  const parameters = {
    ...withDefaults(settingParameters(settings.merged)),
    interactive: false,
    extensionServers: extensionServers.map((one) => ({ ...one, servers: withLimits(one.servers) })),
  };
  let sandbox: (() => ToolSandbox | undefined) | undefined;
  // Made when a server starts: it writes to the home directory.
  const openSandbox = () => {
    sandbox ??= composeSandbox({
      parameters: () => parameters,
      isTrusted: () => isTrusted,
      environment,
      storage: storageOf(environment.variables, cwd),
      targetDir: cwd,
      workspaceContext: new WorkspaceContext(cwd),
      approvalMode: () => ApprovalMode.DEFAULT,
      plansDirectory: () => undefined,
      readOnlyFolders: () => [],
      notice,
    });
    return sandbox();
  };
  const parts = mcpParts({
    parameters: () => parameters,
    isTrusted: () => isTrusted,
    environment,
    targetDir: cwd,
    globalDir: globalGeminiDir(environment.variables),
    sandbox: openSandbox,
    auth: () => auth,
    onSecret: onSecret ?? (() => undefined),
    notice,
  });
  return {
    ...parts,
    sources: () => {
      const sources = parts.sources();
      const shown = isTrusted ? {} : untrustedServers(settings);
      return { ...sources, settings: withLimits({ ...shown, ...sources.settings }) };
    },
  };
}

/** Of an untrusted folder: they are listed, and never started. */
function untrustedServers(settings: LoadedSettings): Record<string, McpServerFields> {
  const { raw } = settings.file('workspace');
  const servers = isObject(raw) ? raw['mcpServers'] : undefined;
  if (!isObject(servers)) return {};
  return Object.fromEntries(
    Object.entries(servers).flatMap(([name, value]) => (isObject(value) ? [[name, shownFields(value)]] : [])),
  );
}

/** The file is not checked: only what is shown is taken from it. */
function shownFields(value: Record<string, unknown>): McpServerFields {
  const { command, url, httpUrl, tcp, args, type } = value;
  const texts = { command, url, httpUrl, tcp };
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === 'string')),
    ...(Array.isArray(args) && { args: args.map(String) }),
    ...((type === 'sse' || type === 'http') && { type }),
  };
}

function withLimits(servers: Readonly<Record<string, McpServerFields>>): Record<string, McpServerFields> {
  return Object.fromEntries(
    Object.entries(servers).map(([name, fields]) => [name, { timeout: CONNECT_LIMIT_MS, ...fields }]),
  );
}
