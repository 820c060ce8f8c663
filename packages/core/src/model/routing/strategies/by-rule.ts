/** The strategies that decide without asking a model. */
import { ApprovalMode } from '../../../protocol/confirmation.js';
import { assess } from '../complexity.js';
import { chooseTier, type Models, type RoutingStrategy } from '../strategy.js';

/** Replaces an unavailable model with its fallback. */
export function byFallback({ catalog, access, current }: Models): RoutingStrategy {
  return {
    source: 'fallback',
    route({ requestedModel }) {
      const wanted = catalog.resolve(requestedModel, access());
      const model = current(wanted);
      return model === wanted ? undefined : { model, reasoning: `${wanted} is not available.` };
    },
  };
}

/** A model named by the user is used. */
export function byName({ catalog, access }: Models): RoutingStrategy {
  return {
    source: 'override',
    route({ requestedModel }) {
      if (catalog.isAuto(requestedModel)) return undefined;
      const model = catalog.resolve(requestedModel, access());
      return { model, reasoning: `${requestedModel} was asked for.` };
    },
  };
}

/** The strong model makes plans, the fast one carries them out. */
export function byApprovalMode(models: Models): RoutingStrategy {
  return {
    source: 'approval-mode',
    route({ requestedModel, approvalMode, hasApprovedPlan }) {
      const isPlanning = approvalMode === ApprovalMode.PLAN;
      if (!isPlanning && !hasApprovedPlan) return undefined;
      const model = chooseTier(models, requestedModel, isPlanning ? 'pro' : 'flash');
      if (!model) return undefined;
      return { model, reasoning: isPlanning ? 'Plan mode.' : 'The plan is approved.' };
    },
  };
}

/** By the prompt's form, and by how the last turns went. */
export function byComplexity({ catalog, access, current }: Models): RoutingStrategy {
  return {
    source: 'local-rule',
    route(context) {
      const pair = catalog.autoPair(context.requestedModel, access());
      const { isComplex, reasons } = assess(context);
      const model = current(isComplex ? pair.pro : pair.flash);
      return {
        model,
        reasoning: reasons.length > 0 ? `${reasons.join(', ')}.` : 'nothing complex in sight.',
      };
    },
  };
}

/** No other strategy decided: the configured model. */
export function byDefault({ catalog, access, current }: Models): RoutingStrategy {
  return {
    source: 'default',
    route: ({ requestedModel }) => ({
      model: current(catalog.resolve(requestedModel, access())),
      reasoning: 'The configured model.',
    }),
  };
}
