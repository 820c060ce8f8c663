/** What the user may answer when a call asks, whichever agent makes the call. */
import type { ApprovalPorts } from '../agent/scheduler/approve.js';
import type { PolicyEngine } from '../policy/policy-engine.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import type { Project } from './project.js';

export function approvalPorts(project: Project, policy: PolicyEngine): ApprovalPorts {
  const now = () => project.parameters;
  return {
    allowsAlways: () => project.isTrusted && !now().disableAlwaysAllow,
    allowsSaving: () => now().approvals?.allowsSaving ?? false,
    suggestsSaving: () => now().approvals?.suggestsSaving ?? false,
    offersEditor: () => now().offersEditor ?? false,
    onEditsAllowed: () => {
      if (policy.getApprovalMode() === ApprovalMode.DEFAULT) policy.setApprovalMode(ApprovalMode.AUTO_EDIT);
    },
  };
}
