/** What the user may answer when a call asks. */
import type { ApprovalPorts } from '../agent/scheduler/approve.js';
import { systemClock } from '../platform/clock.js';
import { type EditProposal, proposalEditor } from '../platform/edit-proposal.js';
import { chooseEditor } from '../platform/editors.js';
import { temporaryDirectory } from '../platform/environment.js';
import type { PolicyEngine } from '../policy/policy-engine.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import type { Config } from './config.js';

export function composeApprovals(config: Config, policyEngine: PolicyEngine): ApprovalPorts {
  const { parameters } = config;
  return {
    allowsAlways: () => config.isTrustedFolder() && !config.parameters.disableAlwaysAllow,
    allowsSaving: () => config.parameters.approvals?.allowsSaving ?? false,
    suggestsSaving: () => config.parameters.approvals?.suggestsSaving ?? false,
    editor: () => (parameters.interactive ? editorOf(config) : undefined),
    onEditsAllowed: () => {
      if (policyEngine.getApprovalMode() === ApprovalMode.DEFAULT) {
        policyEngine.setApprovalMode(ApprovalMode.AUTO_EDIT);
      }
    },
  };
}

function editorOf(config: Config): EditProposal | undefined {
  const { editor } = config.parameters;
  if (!editor) return undefined;
  const env = config.getEnvironment().variables;
  const { preferred, newWindow, open } = editor;
  const isSandboxed = Boolean(env['SANDBOX']);
  const start = chooseEditor({ preferred, newWindow, env, isSandboxed });
  return start
    ? proposalEditor({ start, open, now: systemClock.now, temporary: temporaryDirectory(env) })
    : noEditor;
}

/** The answer is always among the others, so that their numbers stay the same. */
const noEditor: EditProposal = () =>
  Promise.reject(new Error('No editor was found: choose one with /editor, or set VISUAL or EDITOR.'));
