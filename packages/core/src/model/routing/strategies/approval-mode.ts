/** The strong model makes plans, the fast one carries them out. */
import { ApprovalMode } from '../../../protocol/confirmation.js';
import {
  type Choice,
  chooseTier,
  type Models,
  type RoutingContext,
  type RoutingStrategy,
} from '../strategy.js';

export class ApprovalModeStrategy implements RoutingStrategy {
  readonly source = 'approval-mode';

  constructor(private readonly models: Models) {}

  route({ requestedModel, approvalMode, hasApprovedPlan }: RoutingContext): Choice | undefined {
    const isPlanning = approvalMode === ApprovalMode.PLAN;
    if (!isPlanning && !hasApprovedPlan) return undefined;
    const model = chooseTier(this.models, requestedModel, isPlanning ? 'pro' : 'flash');
    if (!model) return undefined;
    return { model, reasoning: isPlanning ? 'Plan mode.' : 'The plan is approved.' };
  }
}
