/** Expands `$NAME`, `${NAME}` and `${NAME:-default}` in the strings of a settings file. */

const VARIABLE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::-([^}]*))?\})/g;

export function expand(value: unknown, env: NodeJS.ProcessEnv): unknown {
  if (typeof value === 'string') return expandText(value, env);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => expand(item, env));
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value)) result[key] = expand((value as Record<string, unknown>)[key], env);
  return result;
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
