/** Which answers a permission question offers, for every agent. */
import type { ApprovalPorts } from '../agent/scheduler/approve.js';
import type { OpenDiff } from '../agent/scheduler/editor-diff.js';
import type { Environment } from '../platform/environment.js';
import { isInside, realPathOf } from '../platform/files/real-path.js';
import type { PolicyEngine } from '../policy/policy-engine.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import { EditTool } from '../tools/edit/edit.js';
import { WriteFileTool } from '../tools/write-file/write-file.js';
import type { Project } from './project.js';

const OWN_EDITORS: ReadonlySet<unknown> = new Set([EditTool.prototype, WriteFileTool.prototype]);

export function approvalPorts(project: Project, policy: PolicyEngine, openDiff?: OpenDiff): ApprovalPorts {
  const now = () => project.parameters;
  return {
    allowsAlways: () => project.isTrusted && !now().disableAlwaysAllow,
    allowsSaving: () => now().approvals?.allowsSaving ?? false,
    suggestsSaving: () => now().approvals?.suggestsSaving ?? false,
    projectDir: () => projectFolder(project.environment),
    offersEditor: () => now().offersEditor ?? false,
    // Exactly these classes: a tool derived from one of them could answer for the user.
    acceptsEditorAnswer: (tool) => OWN_EDITORS.has(Object.getPrototypeOf(tool)),
    ...(openDiff && { openDiff }),
    onEditsAllowed: () => {
      if (policy.getApprovalMode() === ApprovalMode.DEFAULT) policy.setApprovalMode(ApprovalMode.AUTO_EDIT);
    },
  };
}

/** Undefined in the home directory and above it: "all edits of this project" would include all files of the user. */
export function projectFolder({ cwd, home }: Pick<Environment, 'cwd' | 'home'>): string | undefined {
  return isInside(realPathOf(home), realPathOf(cwd)) ? undefined : cwd;
}
