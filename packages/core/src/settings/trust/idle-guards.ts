/** Warns about protective settings that have no effect yet, at every start and in `gemini doctor`. */
import type { Settings } from '../schema/index.js';

export function idleGuards({ security }: Settings): string[] {
  const found: string[] = [];
  const extensions = 'extensions are not supported yet, so this has no effect.';
  if (security?.blockGitExtensions) found.push(`security.blockGitExtensions: ${extensions}`);
  if (security?.allowedExtensions?.length) found.push(`security.allowedExtensions: ${extensions}`);
  return found.map((text) => `Security: ${text}`);
}
