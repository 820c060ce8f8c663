/** The variables of a contained command. Pure. */
import { scrubEnvironment } from '../../redaction/scrub-environment.js';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * A command that only reads needs no keys, whatever the settings say about other commands.
 * @param given by the call itself, which the judgement has seen
 */
export function containedEnvironment(
  env: Variables,
  given: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const kept = scrubEnvironment(env, { enabled: true });
  for (const [name, value] of Object.entries(given)) if (env[name] === value) kept[name] = value;
  // Git would write the index to remember what it has seen.
  return { ...kept, GIT_OPTIONAL_LOCKS: '0' };
}
