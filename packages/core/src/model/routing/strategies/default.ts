/** No other strategy decided: the configured model. */
import type { Choice, Models, RoutingContext, RoutingStrategy } from '../strategy.js';

export class DefaultStrategy implements RoutingStrategy {
  readonly source = 'default';

  constructor(private readonly models: Models) {}

  route({ requestedModel }: RoutingContext): Choice {
    const { catalog, access, current } = this.models;
    return { model: current(catalog.resolve(requestedModel, access())), reasoning: 'The configured model.' };
  }
}
