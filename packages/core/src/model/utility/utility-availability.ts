/** Utility calls never ask the user: a failing model is silently replaced by the next of its chain. */
import type { ModelAccess } from '../catalog/resolutions.js';
import type { ModelCatalog } from '../catalog.js';
import { errorClassOf } from '../errors/error-class.js';
import type { ModelAvailability } from '../fallback/availability.js';
import { markOutage } from '../fallback/outage.js';
import { resolvePolicyChain } from '../fallback/policy-chains.js';

export interface UtilityAvailabilityOptions {
  catalog: ModelCatalog;
  availability: ModelAvailability;
  access: () => ModelAccess;
  now: () => number;
}

export class UtilityAvailability {
  constructor(private readonly options: UtilityAvailabilityOptions) {}

  /** The model to ask instead of `model`: itself, as long as it is available. */
  pick(model: string): string {
    const { catalog, availability, access } = this.options;
    if (availability.isAvailable(model)) return model;
    const chain = resolvePolicyChain({ getModel: () => model, catalog, access: access() });
    const next = availability.firstAvailable(chain.map((policy) => policy.model));
    return next ?? chain.find((policy) => policy.isLastResort)?.model ?? model;
  }

  failed(model: string, error: unknown): void {
    const errorClass = errorClassOf(error);
    if (errorClass) markOutage(this.options.availability, { model, error, errorClass }, this.options.now());
  }
}
