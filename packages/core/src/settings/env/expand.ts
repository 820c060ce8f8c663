/** Expands `$NAME`, `${NAME}` and `${NAME:-default}` in the strings of a settings file. */
import { isObject } from '../../base/objects.js';

const VARIABLE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::-([^}]*))?\})/g;

export function expand(value: unknown, env: NodeJS.ProcessEnv): unknown {
  if (typeof value === 'string') return expandText(value, env);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => expand(item, env));
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value)) result[key] = expand((value as Record<string, unknown>)[key], env);
  return result;
}

/**
 * Of hooks only the variables for their environment: commands are for the shell, which knows quotes, and a matcher may
 * contain `$`. Environment and headers of MCP servers stay as written: `mcp/servers/environment.ts` decides which
 * variables they may see.
 */
export function expandSettings(root: Record<string, unknown>, env: NodeJS.ProcessEnv): unknown {
  return Object.fromEntries(
    Object.entries(root).map(([key, value]) => {
      if (key === 'hooks') return [key, expandEnvOnly(value, env)];
      return [key, key === 'mcpServers' ? expandServers(value, env) : expand(value, env)];
    }),
  );
}

function expandServers(servers: unknown, env: NodeJS.ProcessEnv): unknown {
  if (!isObject(servers)) return expand(servers, env);
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => {
      if (!isObject(server)) return [name, expand(server, env)];
      const expanded = expand(server, env) as Record<string, unknown>;
      for (const key of ['env', 'headers']) if (key in server) expanded[key] = server[key];
      return [name, expanded];
    }),
  );
}

function expandEnvOnly(value: unknown, env: NodeJS.ProcessEnv): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => expandEnvOnly(item, env));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'env' ? expand(item, env) : expandEnvOnly(item, env),
    ]),
  );
}

/** A variable that is not set and has no default stays as written. */
function expandText(text: string, env: NodeJS.ProcessEnv): string {
  if (!text.includes('$')) return text;
  return text.replace(VARIABLE, (written, bare?: string, braced?: string, fallback?: string) => {
    const name = bare ?? braced ?? '';
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (fallback !== undefined) return value || fallback;
    return value ?? written;
  });
}
