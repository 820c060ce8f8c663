/** What the two tools around plan mode need of their surroundings. */
import type { ApprovalMode } from '../../protocol/confirmation.js';

export interface PlanHost {
  isInteractive(): boolean;
  getApprovalMode(): ApprovalMode;
  /** @throws when the folder or an administrator does not allow this mode */
  setApprovalMode(mode: ApprovalMode): void;
  /** Undefined: the session began in plan mode. */
  getModeBeforePlan(): ApprovalMode | undefined;
  /** Undefined: no plan can be written. */
  getPlansDirectory(): string | undefined;
  setApprovedPlanPath(path: string): void;
}
