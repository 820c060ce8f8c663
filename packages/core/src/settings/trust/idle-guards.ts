/** Warns about protective settings that have no effect yet, at every start and in `gemini doctor`. */
import type { Settings } from '../schema/index.js';

export function idleGuards({ hooks = {}, hooksConfig, security }: Settings): string[] {
  const found: string[] = [];
  const withHooks = Object.entries(hooks).filter(([, groups]) => groups.some((group) => group.hooks?.length));
  const events = withHooks.map(([event]) => event);
  if (events.length > 0 && hooksConfig?.enabled !== false)
    found.push(`hooks (${events.join(', ')}): hooks are not run yet, so they block nothing.`);
  const extensions = 'extensions are not supported yet, so this has no effect.';
  if (security?.blockGitExtensions) found.push(`security.blockGitExtensions: ${extensions}`);
  if (security?.allowedExtensions?.length) found.push(`security.allowedExtensions: ${extensions}`);
  return found.map((text) => `Security: ${text}`);
}
