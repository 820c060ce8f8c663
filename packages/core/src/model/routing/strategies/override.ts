/** A model named by the user is used. */
import type { Choice, Models, RoutingContext, RoutingStrategy } from '../strategy.js';

export class OverrideStrategy implements RoutingStrategy {
  readonly source = 'override';

  constructor(private readonly models: Models) {}

  route({ requestedModel }: RoutingContext): Choice | undefined {
    const { catalog, access } = this.models;
    if (catalog.isAuto(requestedModel)) return undefined;
    return {
      model: catalog.resolve(requestedModel, access()),
      reasoning: `${requestedModel} was asked for.`,
    };
  }
}
