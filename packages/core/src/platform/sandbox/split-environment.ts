/** Separates variables that must be set only inside a sandbox. Pure. */
import { SOCKET_VARIABLES } from './paths/hidden-paths.js';

/** Variables that would change the programs which start the sandbox. */
const LOADER_VARIABLES =
  /^(LD_|GLIBC_TUNABLES$|GCONV_PATH$|MALLOC_|BASH_|SHELLOPTS$|ENV$|IFS$|PS4$|NODE_OPTIONS$)/;

interface SplitEnvironment {
  /** For the programs that start the sandbox; inherited by the command. */
  outside: Record<string, string>;
  /** For the command only. */
  inside: Record<string, string>;
}

/** Drops variables that lead to sockets, which cannot be reached from inside. */
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
