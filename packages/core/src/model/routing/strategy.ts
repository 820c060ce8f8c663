/** The contract of routing strategies: input, decision, shared services. */
import type { ApprovalMode } from '../../protocol/confirmation.js';
import type { Message, Part } from '../../protocol/messages.js';
import type { ModelAccess } from '../catalog/resolutions.js';
import type { ModelCatalog } from '../catalog.js';
import type { ModelAvailability } from '../fallback/availability.js';

export interface RoutingContext {
  /** The alias or model the user asked for. */
  requestedModel: string;
  parts: readonly Part[];
  history: readonly Message[];
  approvalMode: ApprovalMode;
  hasApprovedPlan: boolean;
  /** Consecutive turns that failed. */
  failedTurns: number;
  promptId: string;
  signal: AbortSignal;
}

export interface Choice {
  model: string;
  reasoning: string;
}

export interface RoutingDecision extends Choice {
  source: string;
  latencyMs: number;
}

export interface RoutingStrategy {
  readonly source: string;
  /** Undefined: the next strategy decides. An exception counts as undefined, too. */
  route(context: RoutingContext): Choice | undefined | Promise<Choice | undefined>;
}

export interface Models {
  catalog: ModelCatalog;
  access: () => ModelAccess;
  availability: ModelAvailability;
  /** The current replacement of a model: `FallbackPlanner.current`. */
  current: (model: string) => string;
}

/** The model of that tier for an auto name; undefined if it is unavailable. */
export function chooseTier(
  { catalog, access, availability }: Models,
  requestedModel: string,
  tier: 'pro' | 'flash',
): string | undefined {
  const model = catalog.autoPair(requestedModel, access())[tier];
  return availability.isAvailable(model) ? model : undefined;
}
