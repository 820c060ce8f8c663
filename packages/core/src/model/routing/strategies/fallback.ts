/** Replaces an unavailable model with its fallback. */
import type { Choice, Models, RoutingContext, RoutingStrategy } from '../strategy.js';

export class FallbackStrategy implements RoutingStrategy {
  readonly source = 'fallback';

  constructor(private readonly models: Models) {}

  route({ requestedModel }: RoutingContext): Choice | undefined {
    const { catalog, access, current } = this.models;
    const wanted = catalog.resolve(requestedModel, access());
    const model = current(wanted);
    return model === wanted ? undefined : { model, reasoning: `${wanted} is not available.` };
  }
}
