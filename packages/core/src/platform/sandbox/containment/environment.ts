/** Builds the environment of a contained command. Pure. */
import { scrubEnvironment } from '../../redaction/scrub-environment.js';

/** A program that looks for the editor itself reads it from the companion's file. */
const EDITOR_TOKEN = 'GEMINI_CLI_IDE_AUTH_TOKEN';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * A contained command needs no keys, whatever the settings allow for other commands.
 * @param given variables of the call itself, which policy has checked
 */
export function containedEnvironment(
  env: Variables,
  given: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const kept = scrubEnvironment(env, { enabled: true });
  // Kept elsewhere with all of the program's own variables. It opens the user's editor.
  delete kept[EDITOR_TOKEN];
  for (const [name, value] of Object.entries(given)) if (env[name] === value) kept[name] = value;
  // Otherwise git would try to write its index.
  return { ...kept, GIT_OPTIONAL_LOCKS: '0' };
}
