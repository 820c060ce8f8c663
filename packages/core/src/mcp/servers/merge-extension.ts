/** Merges the user's settings over a server of an extension. */
import type { McpServerFields } from '../config.js';
import { commonTools } from '../tools/select-tools.js';

export function mergeOverExtension(user: McpServerFields, extension: McpServerFields): McpServerFields {
  const { includeTools: ownInclude, excludeTools: ownExclude, env: ownEnv, ...scalars } = user;
  const includeTools = intersection(ownInclude, extension.includeTools);
  const excludeTools = [...new Set([...(extension.excludeTools ?? []), ...(ownExclude ?? [])])];
  const env = { ...extension.env, ...ownEnv };
  return {
    ...withoutTrust(extension),
    ...scalars,
    ...(Object.keys(env).length > 0 && { env }),
    ...(includeTools && { includeTools }),
    ...(excludeTools.length > 0 && { excludeTools }),
  };
}

/** An extension cannot vouch for itself. */
export function withoutTrust({ trust: _, ...fields }: McpServerFields): McpServerFields {
  return fields;
}

/** Both given: what both name, which may be nothing. */
function intersection(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  return a && b ? commonTools(a, b) : (a ?? b);
}
