/** Variables of MCP servers: what their process sees, and what `$NAME` in their configuration means. */
import { expandVariables } from '../../base/expand-variables.js';
import { visibleName } from '../../base/visible-text.js';
import type { Variables } from '../../platform/environment.js';
import { isStrictSurface, scrubEnvironment } from '../../platform/redaction/scrub-environment.js';
import { safeVariables as rightsVariables } from '../../platform/sandbox/rights/rights-environment.js';
import type { MCPOAuthConfig, McpServerFields, ResolvedServer } from '../config.js';

export interface EnvironmentLists {
  allowed?: readonly string[];
  blocked?: readonly string[];
}

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
    // An extension's variable that is not set stays as written, so that the server can name it.
    ...expandAll(config.env, { ...variables, ...extension?.settings }, extension !== undefined),
  };
}

/** Headers with variables; a secret must be named in the list of allowed variables, or be a setting of the extension. */
export function serverHeaders(
  server: ResolvedServer,
  variables: Variables,
  lists: EnvironmentLists,
): Record<string, string> {
  return expandAll(server.config.headers, knownInHeaders(server, variables, lists), true);
}

/** What a header still names although it was expanded; for the user, when the server refuses the request. */
export function headerProblem(
  server: ResolvedServer,
  variables: Variables,
  lists: EnvironmentLists,
): string | undefined {
  const known = knownInHeaders(server, variables, lists);
  for (const [header, value] of Object.entries(server.config.headers ?? {})) {
    const unset: string[] = [];
    const sent = expandVariables(String(value), (name) => {
      if (!known[name]) unset.push(name);
      return known[name] || undefined;
    });
    const name = unset.find((variable) =>
      new RegExp(`\\$(\\{(env:)?${variable}\\}|${variable}\\b)`).test(sent),
    );
    if (name === undefined) continue;
    const why = variables[name]
      ? 'which may be a secret: list it in security.environmentVariableRedaction.allowed'
      : 'which is not set';
    return `its header "${visibleName(header)}" names $${name}, ${why}.`;
  }
  return undefined;
}

function knownInHeaders(
  { extension }: ResolvedServer,
  variables: Variables,
  lists: EnvironmentLists,
): Variables {
  const allowed = new Set(lists.allowed?.map((name) => name.toUpperCase()));
  // Most tokens look like secrets, which the rules for processes drop even when they are listed.
  const listed = Object.entries(variables).filter(([name]) => allowed.has(name.toUpperCase()));
  return { ...safeVariables(variables, lists), ...Object.fromEntries(listed), ...extension?.settings };
}

/**
 * The server as it is started: variables in an extension's command, address and sign-in stand for its settings, then for the
 * environment; an address gets no secrets of the environment. A server with declared rights gets none at all, and its
 * address, which was checked against them, stays as written. Servers of settings files are expanded with the file. What
 * is shown stays as written.
 */
export function withVariables(
  server: ResolvedServer,
  variables: Variables,
  lists: EnvironmentLists,
): ResolvedServer {
  const { config, extension } = server;
  if (!extension) return server;
  const { command, args, cwd, url, httpUrl, tcp, oauth } = config;
  const isRestricted = extension.capabilities !== undefined;
  const local = { ...(isRestricted ? rightsVariables(variables) : variables), ...extension.settings };
  const remote = knownInHeaders(server, variables, lists);
  const expand = (text: string) => expandText(text, local, true);
  const address = (text: string) => (isRestricted ? text : expandText(text, remote, true));
  const identity = (text: string) =>
    expandText(text, isRestricted ? (extension.settings ?? {}) : remote, true);
  return {
    ...server,
    config: {
      ...config,
      ...(command !== undefined && { command: expand(command) }),
      ...(args && { args: args.map((arg) => expand(String(arg))) }),
      ...(cwd !== undefined && { cwd: expand(cwd) }),
      ...(url !== undefined && { url: address(url) }),
      ...(httpUrl !== undefined && { httpUrl: address(httpUrl) }),
      ...(tcp !== undefined && { tcp: address(tcp) }),
      ...(oauth && { oauth: signInWith(oauth, identity, address) }),
    },
  };
}

type Expand = (text: string) => string;

function signInWith(oauth: MCPOAuthConfig, identity: Expand, address: Expand): MCPOAuthConfig {
  const entries = Object.entries(oauth).map(([key, value]: [string, unknown]) => {
    if (typeof value === 'string') return [key, (OAUTH_ADDRESSES.has(key) ? address : identity)(value)];
    const texts =
      Array.isArray(value) && value.map((one: unknown) => (typeof one === 'string' ? identity(one) : one));
    return [key, texts || value];
  });
  return Object.fromEntries(entries);
}

const OAUTH_ADDRESSES = new Set(['authorizationUrl', 'tokenUrl', 'registrationUrl', 'issuer']);

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

/** A variable that is not set is empty, or stays as written: in a header, so that the server's answer shows it. */
function expandText(text: string, variables: Variables, keepsUnset: boolean): string {
  const lookup = (name: string) => variables[name] || (keepsUnset ? undefined : '');
  const expanded = expandVariables(text, lookup);
  if (process.platform !== 'win32') return expanded;
  return expanded.replace(WINDOWS, (written, name: string) => lookup(name) ?? written);
}
