/** Builds the environment of a contained command. Pure. */
import { scrubEnvironment } from '../../redaction/scrub-environment.js';

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
  for (const [name, value] of Object.entries(given)) if (env[name] === value) kept[name] = value;
  // Otherwise git would try to write its index.
  return { ...kept, GIT_OPTIONAL_LOCKS: '0' };
}
