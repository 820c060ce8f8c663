/** Variables of MCP servers: what their process sees, and what `$NAME` in their configuration means. */
import type { Variables } from '../../platform/environment.js';
import { isStrictSurface, scrubEnvironment } from '../../platform/redaction/scrub-environment.js';
import type { McpServerFields, ResolvedServer } from '../config.js';

export interface EnvironmentLists {
  allowed?: readonly string[];
  blocked?: readonly string[];
}

const POSIX = /\$(?:([A-Za-z_]\w*)|\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\})/g;
const WINDOWS = /%([A-Za-z_]\w*)%/g;

/** The environment of a stdio server: without secrets, except those its configuration names. */
export function serverEnvironment(
  { config, extension }: ResolvedServer,
  variables: Variables,
  lists: EnvironmentLists,
): Record<string, string> {
  return {
    ...safeVariables(variables, lists),
    GEMINI_CLI: '1',
    ...extension?.settings,
    ...expandAll(config.env, { ...variables, ...extension?.settings }),
  };
}

/** Headers with variables; a secret must be named in the list of allowed variables, or be a setting of the extension. */
export function serverHeaders(
  { config, extension }: ResolvedServer,
  variables: Variables,
  lists: EnvironmentLists,
): Record<string, string> {
  const allowed = new Set(lists.allowed?.map((name) => name.toUpperCase()));
  // Most tokens look like secrets, which the rules for processes drop even when they are listed.
  const listed = Object.entries(variables).filter(([name]) => allowed.has(name.toUpperCase()));
  const known = { ...safeVariables(variables, lists), ...Object.fromEntries(listed), ...extension?.settings };
  return expandAll(config.headers, known, true);
}

function safeVariables(variables: Variables, lists: EnvironmentLists): Record<string, string> {
  return scrubEnvironment(variables, { ...lists, enabled: true, strict: isStrictSurface(variables) });
}

function expandAll(
  values: McpServerFields['env'],
  variables: Variables,
  keepsUnset = false,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [
      name,
      expandText(String(value), variables, keepsUnset),
    ]),
  );
}

/** A variable that is not set is empty; in a header it stays as written, so that the server's answer shows it. */
function expandText(text: string, variables: Variables, keepsUnset: boolean): string {
  const valueFor = (written: string, name: string, fallback?: string) =>
    variables[name] || (fallback ?? (keepsUnset ? written : ''));
  const expanded = text.replace(POSIX, (written, bare?: string, braced?: string, fallback?: string) =>
    valueFor(written, bare ?? braced ?? '', fallback),
  );
  if (process.platform !== 'win32') return expanded;
  return expanded.replace(WINDOWS, (written, name: string) => valueFor(written, name));
}
