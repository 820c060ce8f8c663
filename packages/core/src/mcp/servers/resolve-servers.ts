/** Merges all sources of servers into one list and decides which of them may start. */
import { shellWords } from '../../base/shell-words.js';
import { visibleName } from '../../base/visible-text.js';
import { isListed as isListedHost } from '../../platform/sandbox/network/host-list.js';
import {
  type McpServerFields,
  type ResolvedServer,
  type ServerBlock,
  type ServerExtension,
  transportKindOf,
} from '../config.js';
import { applyAdminAllowlist, getAdminBlockedMcpServersMessage, requiredServers } from './admin-lists.js';
import { blockOf, type LoadRules } from './can-load.js';
import { mergeOverExtension, withoutTrust } from './merge-extension.js';
import { isListed, normalized } from './names.js';

/** An extension with servers; its variables are expanded already. */
export interface ExtensionServers extends ServerExtension {
  servers: Readonly<Record<string, McpServerFields>>;
  /** Variables of settings that have no value, with the names of the settings. */
  unsetSettings?: Readonly<Record<string, string>>;
}

export interface ServerSources {
  /** `mcpServers` of all settings files. */
  settings: Readonly<Record<string, McpServerFields>>;
  /** `mcp.serverCommand`. */
  serverCommand?: string;
  /** Of the session: those that a program or an editor brings. */
  session?: Readonly<Record<string, McpServerFields>>;
  extensions?: readonly ExtensionServers[];
  admin: { config: Readonly<Record<string, unknown>>; requiredConfig: Readonly<Record<string, unknown>> };
  rules: LoadRules;
  /** False: no server starts. */
  isAllowedInFolder: boolean;
  notice: (message: string) => void;
}

type Candidate = Pick<ResolvedServer, 'config' | 'extension'> & {
  isRequired?: boolean;
  unsetSettings?: ExtensionServers['unsetSettings'];
};

export function resolveServers(sources: ServerSources): ResolvedServer[] {
  const { admin, rules, notice } = sources;
  const candidates = merged(sources);
  const required = requiredServers(admin.requiredConfig);
  const local = Object.fromEntries([...candidates].map(([name, { config }]) => [name, config]));
  const { servers, blockedServerNames } = applyAdminAllowlist(local, admin.config);
  for (const [name, config] of Object.entries(servers))
    candidates.set(name, { ...candidates.get(name), config });
  for (const [name, config] of Object.entries(required)) candidates.set(name, { config, isRequired: true });
  const message = getAdminBlockedMcpServersMessage(
    blockedServerNames.filter((name) => !Object.hasOwn(required, name)),
  );
  if (message) notice(message);
  for (const line of plainNameWarnings(candidates, rules)) notice(line);
  return [...candidates].flatMap(([name, { config, extension, isRequired, unsetSettings }]) => {
    // Only an override of an extension that is not there.
    if (transportKindOf(config) === undefined && !blockedServerNames.includes(name)) return [];
    const server: ResolvedServer = { name, config, ...(extension && { extension }) };
    const isBlockedByAdmin = !isRequired && blockedServerNames.includes(name);
    const block = isBlockedByAdmin
      ? ({ kind: 'admin', reason: 'Your organisation does not allow this server.' } satisfies ServerBlock)
      : (blockOf(server, rules) ??
        ownBlock(server, sources) ??
        unsetBlock(server, unsetSettings) ??
        rightsBlock(server));
    return [{ ...server, ...(block && { block }) }];
  });
}

function ownBlock({ config }: ResolvedServer, { isAllowedInFolder }: ServerSources): ServerBlock | undefined {
  if (config.disabled) return { kind: 'disabled', reason: 'It is disabled in its configuration.' };
  if (isAllowedInFolder) return undefined;
  return {
    kind: 'untrusted',
    reason: 'The folder is not trusted. Trust it with /permissions to start MCP servers.',
  };
}

/** A remote server of an extension that declares rights must be at a declared host. */
function rightsBlock({ name, config, extension }: ResolvedServer): ServerBlock | undefined {
  const address = config.httpUrl || config.url || config.tcp;
  if (!extension?.capabilities || !address) return undefined;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const port = Number(url?.port || (url && /^(https|wss):$/.test(url.protocol) ? 443 : 80));
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? address;
  if (isListedHost({ host, port }, extension.capabilities.network)) return undefined;
  return {
    kind: 'unusable',
    reason:
      `Extension "${extension.name}": its MCP server "${visibleName(name)}" is at ${visibleName(host)} ` +
      '(not declared in capabilities.network).',
  };
}

/** A server without the value of a setting it names would start with a wrong address or key. */
function unsetBlock(
  { config: { command, args, url, httpUrl, headers }, extension }: ResolvedServer,
  unset: ExtensionServers['unsetSettings'] = {},
): ServerBlock | undefined {
  const written = [command, ...(args ?? []), url, httpUrl, ...Object.values(headers ?? {})].join('\n');
  const variable = Object.keys(unset).find((name) =>
    new RegExp(`\\$(\\{(?:env:)?${name}\\}|${name}\\b)`).test(written),
  );
  if (variable === undefined) return undefined;
  const setting = unset[variable] ?? variable;
  return {
    kind: 'unusable',
    reason: `The setting "${setting}" has no value. Run gemini extensions config ${extension?.name} "${setting}".`,
  };
}

function merged({ settings, serverCommand, session, extensions = [], notice }: ServerSources) {
  const found = new Map<string, Candidate>();
  for (const { servers, unsetSettings, ...extension } of extensions) {
    for (const [name, config] of Object.entries(servers)) {
      const first = found.get(name)?.extension;
      if (first)
        notice(
          `The extensions "${first.name}" and "${extension.name}" both have an MCP server "${visibleName(name)}"; ` +
            'the first is used.',
        );
      else
        found.set(name, { config: withoutTrust(config), extension, ...(unsetSettings && { unsetSettings }) });
    }
  }
  const words = serverCommand?.trim() ? shellWords(serverCommand) : undefined;
  if (serverCommand?.trim() && !words) notice('mcp.serverCommand has a quote that is not closed.');
  const [command, ...args] = words ?? [];
  const own = { ...(command && { mcp: { command, args } }), ...settings, ...session };
  for (const [name, config] of Object.entries(own)) {
    const { config: below, extension, unsetSettings } = found.get(name) ?? {};
    const isReplaced = !below || transportKindOf(config) !== undefined;
    found.set(name, {
      config: below ? mergeOverExtension(config, below) : config,
      ...(extension && !isReplaced && { extension, ...(unsetSettings && { unsetSettings }) }),
    });
  }
  return found;
}

/** Servers of extensions should be listed as `ext:<extension>:<server>`. */
function plainNameWarnings(
  candidates: ReadonlyMap<string, Candidate>,
  { allowed = [], excluded }: LoadRules,
): string[] {
  return [...candidates].flatMap(([name, { extension }]) => {
    if (!extension) return [];
    const lists = [
      ['mcp.allowed', allowed],
      ['mcp.excluded', excluded],
    ] as const;
    return lists
      .filter(([, list]) => isListed({ name }, list) && !isListedInFull(name, extension, list))
      .map(
        ([setting]) =>
          `${setting}: write "ext:${extension.name}:${name}" for the server "${name}" of an extension; ` +
          'the plain name is deprecated.',
      );
  });
}

function isListedInFull(name: string, extension: ServerExtension, list: readonly string[]): boolean {
  const full = normalized(`ext:${extension.name}:${name}`);
  return list.some((entry) => normalized(entry) === full);
}
