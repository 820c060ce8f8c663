/** Variables in a manifest and its neighbours: places first, then values of settings and of the environment. */
import { sep } from 'node:path';
import { isObject } from '../../base/objects.js';

export { expandVariables } from '../../base/expand-variables.js';

export interface PathVariables {
  extensionPath: string;
  workspacePath: string;
}

const WRITTEN = /\$\{(extensionPath|workspacePath|\/|pathSeparator)\}/g;

/** Replaces the variables for places in every text of the value; other `${x}` stay. */
export function substitutePathVariables<T>(value: T, places: PathVariables): T;
export function substitutePathVariables(value: unknown, places: PathVariables): unknown {
  if (typeof value === 'string') return substituteText(value, places);
  if (Array.isArray(value)) return value.map((item) => substitutePathVariables(item, places));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, substitutePathVariables(item, places)]),
  );
}

/** The same as a table, for readers that look up names themselves. */
export function pathVariables({ extensionPath, workspacePath }: PathVariables): Record<string, string> {
  return { extensionPath, workspacePath, '/': sep, pathSeparator: sep };
}

function substituteText(text: string, places: PathVariables): string {
  if (!text.includes('${')) return text;
  const values = pathVariables(places);
  return text.replace(WRITTEN, (written, name: string) => values[name] ?? written);
}
