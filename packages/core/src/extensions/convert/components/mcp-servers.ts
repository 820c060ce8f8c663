/** MCP servers of a plugin in the form of this program. Trust and programs that make headers are never taken over. */
import { isAbsolute } from 'node:path';
import { isObject, objectOf } from '../../../base/objects.js';
import { Redactor } from '../../../platform/redaction/redact.js';
import { SECRET_WORDS } from '../../../platform/redaction/secret-patterns.js';
import { isForbiddenKey } from '../../../settings/key-path.js';
import { freeName, serverName } from '../names.js';
import type { ReportRow, SourceValue } from '../types.js';
import { claudeVariables, type VariableContext } from './variables.js';

export interface ServerContext {
  variables: VariableContext;
  /** True for a file of the plugin, relative to it. */
  isOwnFile: (path: string) => boolean;
  /** Variables that programs of the plugin read from their environment. */
  environment: Readonly<Record<string, string>>;
}

export interface ConvertedServers {
  servers: Record<string, Record<string, unknown>>;
  /** From the names in the plugin to those here. */
  names: Map<string, string>;
  rows: ReportRow[];
}

export function convertServers(values: readonly SourceValue[], context: ServerContext): ConvertedServers {
  const result: ConvertedServers = { servers: {}, names: new Map(), rows: [] };
  const taken = new Set<string>();
  const entries: NamedServer[] = [];
  for (const { source, value } of values) {
    const besides = keysBesides(value);
    if (besides.length > 0)
      result.rows.push({
        action: 'warned',
        kind: 'mcp-server',
        source,
        reason: `dropped ${besides.map((key) => key.slice(0, 40)).join(', ')}`,
      });
    for (const [written, server] of entriesOf(value))
      entries.push({ at: `${source}: ${written}`, written, server });
  }
  for (const { at, written, server } of lastOfEachName(entries, result.rows)) {
    const skip = (reason: string) =>
      result.rows.push({ action: 'skipped', kind: 'mcp-server', source: at, reason });
    const clean = serverName(written);
    if (clean === '' || isForbiddenKey(written)) {
      skip('its name cannot be used');
      continue;
    }
    const { fields, losses, problem } = convertServer(server, context);
    if (!fields) {
      skip(problem ?? 'it cannot be read');
      continue;
    }
    const name = freeName(taken, [clean]);
    taken.add(name.toLowerCase());
    result.servers[name] = fields;
    result.names.set(written, name);
    const row = { kind: 'mcp-server', source: at, target: `mcpServers.${name}` } as const;
    result.rows.push({ action: 'converted', ...row });
    const why = written.includes('_')
      ? 'names of tools use "_" to separate'
      : 'names of servers have letters, digits and dashes, and each is used once';
    const renamed = name === written ? [] : [`it is called ${name} here, because ${why}`];
    for (const reason of [...renamed, ...losses]) result.rows.push({ action: 'warned', ...row, reason });
  }
  return result;
}

interface NamedServer {
  /** For the report. */
  at: string;
  written: string;
  server: unknown;
}

/** In Claude Code a later server replaces one of the same name. */
function lastOfEachName(entries: readonly NamedServer[], rows: ReportRow[]): NamedServer[] {
  const last = new Map(entries.map((entry) => [entry.written, entry]));
  return entries.filter((entry) => {
    const counts = last.get(entry.written);
    if (entry === counts) return true;
    if (JSON.stringify(entry.server) === JSON.stringify(counts?.server)) return false;
    const reason = `${counts?.at ?? ''} replaces it, as in Claude Code`;
    rows.push({ action: 'skipped', kind: 'mcp-server', source: entry.at, reason });
    return false;
  });
}

/** `{mcpServers: {…}}`, the map itself, or a list of servers with names. */
function entriesOf(value: unknown): [name: string, server: unknown][] {
  if (Array.isArray(value)) return value.filter(isObject).flatMap(entriesOfItem);
  const map = objectOf(isObject(value) && isObject(value['mcpServers']) ? value['mcpServers'] : value);
  if (typeof map['name'] === 'string' && (map['command'] !== undefined || map['url'] !== undefined))
    return [[map['name'], map]];
  return Object.entries(map).filter(([key, server]) => isObject(server) || !/^[$_]/.test(key));
}

/** Keys of a file beside `mcpServers`, except comments. */
function keysBesides(value: unknown): string[] {
  if (!isObject(value) || !isObject(value['mcpServers'])) return [];
  return Object.keys(value).filter((key) => key !== 'mcpServers' && !/^(?:[$_]|description$)/.test(key));
}

/** A server with its name, or a map like the others. */
function entriesOfItem(item: Record<string, unknown>): [name: string, server: unknown][] {
  const name = item['name'] ?? item['id'];
  const isServer = typeof name === 'string' || ['command', 'url', 'httpUrl'].some((key) => key in item);
  return isServer ? [[typeof name === 'string' ? name : '', item]] : entriesOf(item);
}

/** Fields that are understood here; those that could widen rights are not among them. */
const KEPT = new Set([
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'headers',
  'timeout',
  'description',
  'includeTools',
  'excludeTools',
  'disabled',
]);
const HANDLED = new Set([...KEPT, 'type', 'transport', 'oauth', 'httpUrl', 'name', 'id']);

export interface ConvertedServer {
  fields?: Record<string, unknown>;
  /** Without a final dot. */
  losses: string[];
  /** Why it is skipped. */
  problem?: string;
}

export function convertServer(
  server: unknown,
  { variables, isOwnFile, environment }: ServerContext,
): ConvertedServer {
  const losses: string[] = [];
  const failed = (problem: string): ConvertedServer => ({ losses, problem });
  if (!isObject(server)) return failed('it is not an object');
  const written = server['type'] ?? server['transport'];
  const type =
    typeof written === 'string' ? written.toLowerCase().replace(/^streamable[-_]?http$/, 'http') : undefined;
  const hasCommand = typeof server['command'] === 'string' && server['command'].trim() !== '';
  const url = server['url'] ?? server['httpUrl'];
  const isRemote = !hasCommand && url !== undefined;
  if (!hasCommand && !isRemote) return failed('it has neither a command nor an address');
  if (isRemote && (typeof url !== 'string' || url.trim() === '')) return failed('its address is empty');
  if (isRemote && type !== undefined && !['http', 'sse'].includes(type))
    return failed(`its transport "${String(written).slice(0, 30)}" is not known here`);
  const replace = (text: string) => claudeVariables(text, variables, losses);
  const fields: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(server)) {
    if (!KEPT.has(key) || isForbiddenKey(key) || (isRemote && LOCAL_ONLY.has(key))) continue;
    if (!CHECKS[key]?.(value)) losses.push(`${key} has a wrong type and is dropped`);
    else fields[key] = replaced(value, replace);
  }
  if (isRemote) Object.assign(fields, { url: replace(String(url)), type: type === 'sse' ? 'sse' : 'http' });
  else delete fields['url'];
  if (hasCommand) {
    ownCommand(fields, variables.root, isOwnFile, losses);
    if (Object.keys(environment).length > 0) fields['env'] = { ...environment, ...objectOf(fields['env']) };
  }
  const oauth = oauthOf(server['oauth'], losses);
  if (oauth) fields['oauth'] = oauth;
  const unused = (key: string) => (isRemote ? LOCAL_ONLY.has(key) : ['url', 'httpUrl'].includes(key));
  const dropped = Object.keys(server).filter((key) => !HANDLED.has(key) || unused(key));
  if (dropped.length > 0) losses.push(`dropped ${dropped.map((key) => key.slice(0, 40)).join(', ')}`);
  losses.push(...secretsIn(fields));
  return { fields, losses: [...new Set(losses)] };
}

const LOCAL_ONLY = new Set(['command', 'args', 'env', 'cwd']);

const isText = (value: unknown) => typeof value === 'string';
const isTexts = (value: unknown) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string' || typeof item === 'number');
const isMap = (value: unknown) =>
  isObject(value) &&
  Object.values(value).every((item) => ['string', 'number', 'boolean'].includes(typeof item));
const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  command: isText,
  args: isTexts,
  env: isMap,
  cwd: isText,
  url: isText,
  headers: isMap,
  timeout: (value) => typeof value === 'number' && value > 0,
  description: isText,
  includeTools: isTexts,
  excludeTools: isTexts,
  disabled: (value) => typeof value === 'boolean',
};

function replaced(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((item) => replace(String(item)));
  if (!isObject(value)) return value;
  const pairs = Object.entries(value).filter(([key]) => !isForbiddenKey(key));
  return Object.fromEntries(pairs.map(([key, item]) => [key, replace(String(item))]));
}

/** A relative command would be looked for in the user's project. */
function ownCommand(
  fields: Record<string, unknown>,
  root: string,
  isOwnFile: (path: string) => boolean,
  losses: string[],
): void {
  const command = String(fields['command']);
  const isRelative = /[\\/]/.test(command) && !isAbsolute(command) && !/^(?:\$|[A-Za-z]:)/.test(command);
  if (fields['cwd'] !== undefined || !isRelative) return;
  const path = command.replace(/^\.[\\/]/, '');
  if (isOwnFile(path)) {
    fields['command'] = `${root}/${path}`;
    losses.push('its command is a file of the plugin, wherever the session is');
  } else {
    fields['cwd'] = root;
    losses.push('its relative command is looked for in the folder of the plugin');
  }
}

function oauthOf(value: unknown, losses: string[]): Record<string, unknown> | undefined {
  if (!isObject(value)) return undefined;
  const { clientId, callbackPort, ...others } = value;
  if (Object.keys(others).length > 0)
    losses.push(
      `dropped ${Object.keys(others)
        .map((key) => `oauth.${key}`)
        .join(', ')}`,
    );
  const port = Number(callbackPort);
  return {
    enabled: true,
    ...(typeof clientId === 'string' && { clientId }),
    ...(Number.isInteger(port) &&
      port > 0 &&
      port < 65_536 && { redirectUri: `http://localhost:${port}/oauth/callback` }),
  };
}

const SECRET_NAME = new RegExp(SECRET_WORDS.join('|'), 'i');

/** Names only: values are never shown. */
function secretsIn({ env, headers, args, url }: Record<string, unknown>): string[] {
  const redactor = new Redactor();
  const isSecret = (value: string) => redactor.redact(value) !== value;
  const found = [...Object.entries(objectOf(env)), ...Object.entries(objectOf(headers))]
    .filter(([, value]) => typeof value === 'string' && value !== '' && !value.includes('$'))
    .filter(([key, value]) => isSecret(String(value)) || (SECRET_NAME.test(key) && String(value).length >= 8))
    .map(([key]) => key);
  const inArgs = Array.isArray(args) && args.some((item) => isSecret(String(item))) ? ['an argument'] : [];
  const isInUrl = typeof url === 'string' && (isSecret(url) || /:\/\/[^/@\s$]*:[^/@\s$]+@/.test(url));
  return [...found, ...inArgs, ...(isInUrl ? ['its address'] : [])].map(
    (key) => `${key.slice(0, 60)} looks like a secret: replace it by a variable`,
  );
}
