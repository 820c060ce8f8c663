/** `mcpServers` of a manifest. */
import { isObject } from '../../base/objects.js';
import type { McpServerFields } from '../../mcp/config.js';
import { withoutTrust } from '../../mcp/servers/merge-extension.js';
import { readServers } from '../../mcp/servers/read-servers.js';
import type { FieldReport } from './field-report.js';

export function readManifestServers(
  value: unknown,
  report: FieldReport,
): Record<string, McpServerFields> | undefined {
  if (value === undefined || value === null) return undefined;
  const map = Array.isArray(value) ? namedItems(value, report) : value;
  if (!isObject(map)) {
    report('mcpServers', 'must be a map from names to servers; it is ignored.');
    return undefined;
  }
  const servers: Record<string, McpServerFields> = {};
  for (const [name, written] of Object.entries(map)) {
    const key = `mcpServers.${name}`;
    if (!isObject(written)) {
      report(key, 'is not an object; the server is skipped.');
      continue;
    }
    const server = withTexts(written, (field, message) => report(`${key}.${field}`, message));
    const read = readServers({ [name]: server }, () => undefined)[name] ?? {};
    for (const field of Object.keys(server))
      if (KNOWN.has(field) && server[field] !== null && !Object.hasOwn(read, field))
        report(`${key}.${field}`, 'has a wrong type; it is ignored.');
    servers[name] = withoutTrust(read);
  }
  return servers;
}

/** Fields whose loss changes what the server is; unknown `type`s count as absent and need no words. */
const KNOWN = new Set(['command', 'args', 'env', 'cwd', 'url', 'httpUrl', 'tcp', 'headers', 'timeout']);

/** Some write a list of servers with names instead of a map. */
function namedItems(list: readonly unknown[], report: FieldReport): Record<string, unknown> {
  const entries = list.flatMap((item, index): [string, unknown][] => {
    const name = isObject(item) ? (item['name'] ?? item['id']) : undefined;
    if (isObject(item) && typeof name === 'string' && name !== '') return [[name, item]];
    report(`mcpServers[${index}]`, 'has no name; the server is skipped.');
    return [];
  });
  return Object.fromEntries(entries);
}

/** Numbers and flags in arguments and variables are meant as texts. */
function withTexts(server: Readonly<Record<string, unknown>>, report: FieldReport): Record<string, unknown> {
  const { args, env, headers } = server;
  return {
    ...server,
    ...(Array.isArray(args) && { args: args.map(asText) }),
    ...(isObject(env) && { env: mapTexts('env', env, report) }),
    ...(isObject(headers) && { headers: mapTexts('headers', headers, report) }),
  };
}

/** A value that cannot be a text is left out, so that it does not take the others with it. */
function mapTexts(
  field: string,
  map: Readonly<Record<string, unknown>>,
  report: FieldReport,
): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(map)) {
    const text = asText(value);
    if (typeof text === 'string') texts[name] = text;
    else report(`${field}.${name}`, 'is not a text; it is ignored.');
  }
  return texts;
}

function asText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}
