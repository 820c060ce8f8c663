/** What the two plan mode tools need from their host. */
import type { ApprovalMode } from '../../protocol/confirmation.js';
import type { TelemetryHost } from '../../telemetry/record.js';

export interface PlanHost extends TelemetryHost {
  isInteractive(): boolean;
  getApprovalMode(): ApprovalMode;
  /** @throws when the folder or an administrator does not allow this mode */
  setApprovalMode(mode: ApprovalMode): void;
  /** Undefined when the session began in plan mode. */
  getModeBeforePlan(): ApprovalMode | undefined;
  /** Undefined when plans cannot be written. */
  getPlansDirectory(): string | undefined;
  setApprovedPlanPath(path: string): void;
}
