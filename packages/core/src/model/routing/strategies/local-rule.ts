/** Decides without a model call: by the prompt's form, and by how the last turns went. */
import { assess } from '../complexity.js';
import type { Choice, Models, RoutingContext, RoutingStrategy } from '../strategy.js';

export class LocalRuleStrategy implements RoutingStrategy {
  readonly source = 'local-rule';

  constructor(private readonly models: Models) {}

  route(context: RoutingContext): Choice | undefined {
    const { catalog, access, current } = this.models;
    const pair = catalog.autoPair(context.requestedModel, access());
    const { isComplex, reasons } = assess(context);
    const model = current(isComplex ? pair.pro : pair.flash);
    return { model, reasoning: reasons.length > 0 ? `${reasons.join(', ')}.` : 'nothing complex in sight.' };
  }
}
