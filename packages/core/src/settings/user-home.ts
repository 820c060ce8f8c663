/** The home that holds `.gemini`, by a given environment: trust and `.env` are decided before ours is complete. */
import { homedir } from 'node:os';
import { sep } from 'node:path';

export function userHome(env: NodeJS.ProcessEnv): string {
  return env['GEMINI_CLI_HOME'] || systemHome();
}

/** A user without an entry in the system's list, as in some containers, has none; the root stands for it. */
export function systemHome(): string {
  try {
    return homedir();
  } catch {
    return sep;
  }
}
