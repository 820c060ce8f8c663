/** Reads servers that no settings schema has checked. */
import { isObject } from '../../base/objects.js';
import { visibleName } from '../../base/visible-text.js';
import type { McpServerFields } from '../config.js';

/** Servers as an agent's file has them: what is not an object is left out, fields of a wrong type count as absent. */
export function readServers(
  servers: Readonly<Record<string, unknown>>,
  notice: (message: string) => void,
): Record<string, McpServerFields> {
  const read: Record<string, McpServerFields> = {};
  for (const [name, value] of Object.entries(servers)) {
    if (!isObject(value)) {
      notice(`The MCP server "${visibleName(name)}" is not an object and is left out.`);
      continue;
    }
    const entries = Object.entries(value).filter(([key, item]) => FIELD_CHECKS[key]?.(item));
    read[name] = Object.fromEntries(entries);
  }
  return read;
}

const isText = (value: unknown) => typeof value === 'string';
const isFlag = (value: unknown) => typeof value === 'boolean';
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isTextMap = (value: unknown) => isObject(value) && Object.values(value).every(isText);

const FIELD_CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  command: isText,
  args: isTexts,
  env: isTextMap,
  cwd: isText,
  url: isText,
  type: (value) => value === 'sse' || value === 'http' || value === 'stdio',
  httpUrl: isText,
  tcp: isText,
  headers: isTextMap,
  timeout: (value) => typeof value === 'number',
  trust: isFlag,
  description: isText,
  includeTools: isTexts,
  excludeTools: isTexts,
  disabled: isFlag,
  oauth: isObject,
  authProviderType: isText,
  targetAudience: isText,
  targetServiceAccount: isText,
};
