/** The organisation's list of allowed servers, and those it requires. */
import { isObject } from '../../base/objects.js';
import type { McpServerFields } from '../config.js';

export type ServerMap = Readonly<Record<string, McpServerFields>>;

export interface AdminFiltered {
  servers: ServerMap;
  /** Names that are not in the list. */
  blockedServerNames: string[];
}

/** An empty list allows all. A listed server takes the organisation's address, trust and tools. */
export function applyAdminAllowlist(
  servers: ServerMap,
  allowlist: Readonly<Record<string, unknown>>,
): AdminFiltered {
  if (Object.keys(allowlist).length === 0) return { servers, blockedServerNames: [] };
  const kept: Record<string, McpServerFields> = {};
  const blocked: string[] = [];
  for (const [name, local] of Object.entries(servers)) {
    const listed = Object.hasOwn(allowlist, name) ? allowlist[name] : undefined;
    if (!isObject(listed)) blocked.push(name);
    else kept[name] = withAdminConnection(local, listed);
  }
  return { servers: kept, blockedServerNames: blocked };
}

export function getAdminBlockedMcpServersMessage(blocked: readonly string[]): string | undefined {
  if (blocked.length === 0) return undefined;
  const isOne = blocked.length === 1;
  return (
    `${isOne ? 'The MCP server' : 'The MCP servers'} ${blocked.map((name) => `"${name}"`).join(', ')} ` +
    `${isOne ? 'is' : 'are'} not allowed by your organisation.`
  );
}

const REQUIRED_FIELDS = [
  'url',
  'type',
  'headers',
  'timeout',
  'trust',
  'description',
  'includeTools',
  'excludeTools',
  'oauth',
  'authProviderType',
  'targetAudience',
  'targetServiceAccount',
] as const;

/** Servers that the organisation adds; only remote ones, trusted unless it says otherwise. */
export function requiredServers(required: Readonly<Record<string, unknown>>): ServerMap {
  const servers: Record<string, McpServerFields> = {};
  for (const [name, given] of Object.entries(required)) {
    if (!isObject(given) || typeof given['url'] !== 'string') continue;
    const fields = Object.fromEntries(
      REQUIRED_FIELDS.filter((key) => given[key] !== undefined).map((key) => [key, given[key]]),
    );
    servers[name] = { trust: true, ...fields };
  }
  return servers;
}

function withAdminConnection(local: McpServerFields, admin: Record<string, unknown>): McpServerFields {
  const {
    command: _c,
    args: _a,
    env: _e,
    cwd: _w,
    httpUrl: _h,
    tcp: _t,
    url: _u,
    type: _y,
    trust: _r,
    ...rest
  } = local;
  const { url, type, trust, includeTools, excludeTools } = admin as McpServerFields;
  const listsTools = includeTools !== undefined || excludeTools !== undefined;
  const { includeTools: _i, excludeTools: _x, ...others } = rest;
  return {
    ...(listsTools ? others : rest),
    ...(url !== undefined && { url }),
    ...(type !== undefined && { type }),
    ...(trust !== undefined && { trust }),
    ...(listsTools && includeTools !== undefined && { includeTools }),
    ...(listsTools && excludeTools !== undefined && { excludeTools }),
  };
}
