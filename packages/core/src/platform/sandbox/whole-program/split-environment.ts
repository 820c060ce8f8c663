/** Keeps variables that would change the programs which make a sandbox away from them. Pure. */
import { SOCKET_VARIABLES } from '../paths/hidden-paths.js';

/** Variables that change what the programs do which start the sandbox, outside of it. */
const LOADER_VARIABLES =
  /^(LD_|GLIBC_TUNABLES$|GCONV_PATH$|MALLOC_|BASH_|SHELLOPTS$|ENV$|IFS$|PS4$|NODE_OPTIONS$)/;

interface SplitEnvironment {
  /** Inherited by everything. */
  outside: Record<string, string>;
  /** Only set inside. */
  inside: Record<string, string>;
}

/** Without the variables that lead to sockets, which cannot be reached from inside. */
export function splitEnvironment(env: Readonly<Record<string, string | undefined>>): SplitEnvironment {
  const dropped = new Set<string>(SOCKET_VARIABLES);
  const outside: Record<string, string> = {};
  const inside: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || dropped.has(name)) continue;
    (LOADER_VARIABLES.test(name) ? inside : outside)[name] = value;
  }
  return { outside, inside };
}
