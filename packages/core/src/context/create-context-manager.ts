/** Which manager keeps the conversation: by summaries, or by the graph where the settings ask for it. */
import { ContextManager } from './context-manager.js';
import type { ContextManagerOptions, ContextService } from './context-service.js';
import type { ContextLimits, ContextProfileName } from './pipeline/profiles.js';

export async function createContextManager(
  options: ContextManagerOptions,
  profile: ContextProfileName | undefined,
  limits: ContextLimits,
): Promise<ContextService> {
  if (!profile) return new ContextManager(options);
  const { createGraphManager } = await import('./pipeline/graph-manager.js');
  return createGraphManager(options, profile, limits);
}
