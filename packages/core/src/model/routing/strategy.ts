/** What a strategy knows of a prompt, and what it says. */
import type { ApprovalMode } from '../../protocol/confirmation.js';
import type { Message, Part } from '../../protocol/messages.js';
import type { ModelAccess } from '../catalog/resolutions.js';
import type { ModelCatalog } from '../catalog.js';
import type { ModelAvailability } from '../fallback/availability.js';

export interface RoutingContext {
  /** What the user asked for: an alias or a model. */
  requestedModel: string;
  /** The prompt. */
  parts: readonly Part[];
  /** The conversation before it. */
  history: readonly Message[];
  approvalMode: ApprovalMode;
  hasApprovedPlan: boolean;
  /** Turns in a row that ended in failure. */
  failedTurns: number;
  promptId: string;
  signal: AbortSignal;
}

export interface Choice {
  model: string;
  reasoning: string;
}

export interface RoutingDecision extends Choice {
  /** The strategy that decided. */
  source: string;
  latencyMs: number;
}

export interface RoutingStrategy {
  readonly source: string;
  /** Undefined: the next one decides. Whatever is thrown counts as that, too. */
  route(context: RoutingContext): Choice | undefined | Promise<Choice | undefined>;
}

/** What strategies share. */
export interface Models {
  catalog: ModelCatalog;
  access: () => ModelAccess;
  availability: ModelAvailability;
  /** What stands in for a model now: `FallbackPlanner.current`. */
  current: (model: string) => string;
}

/** The model of that tier for an auto name; undefined where it cannot be asked. */
export function chooseTier(
  { catalog, access, availability }: Models,
  requestedModel: string,
  tier: 'pro' | 'flash',
): string | undefined {
  const model = catalog.autoPair(requestedModel, access())[tier];
  return availability.isAvailable(model) ? model : undefined;
}
