/** Creates the context manager: the default one, or the graph manager if the settings name a profile. */
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
