/** Loads what tools need while the first request waits for the model. */
import type { AgentSession } from '../../agent/agent-session.js';
import { createLog } from '../../platform/log.js';
import type { CommandContainment } from '../../platform/sandbox/containment/command-containment.js';
import type { ShellExecutionService } from '../../platform/shell/shell-service.js';
import type { PolicyEngine } from '../../policy/policy-engine.js';
import { ApprovalMode } from '../../protocol/confirmation.js';
import { RUN_SHELL_COMMAND } from '../../protocol/tool-names.js';
import type { ToolRegistry } from '../../tools/tool-registry.js';

const log = createLog('warm-up');
/** The request has been sent by then, and no model has answered yet. */
const AFTER_MS = 100;

export interface WarmUpServices {
  session: AgentSession;
  policyEngine: PolicyEngine;
  toolRegistry: ToolRegistry;
  shellExecutionService: ShellExecutionService;
  containment: CommandContainment;
}

/** @returns a function that stops waiting for the first request */
export function warmUpForCommands(services: WarmUpServices): () => void {
  const { session, policyEngine, toolRegistry, shellExecutionService, containment } = services;
  const stop = session.subscribe(
    ({ type }) => {
      if (type !== 'model_turn_started') return;
      stop();
      if (!toolRegistry.getTool(RUN_SHELL_COMMAND) || policyEngine.isAlwaysDenied(RUN_SHELL_COMMAND)) return;
      const timer = setTimeout(() => {
        Promise.all([
          shellExecutionService.warmUp({ screen: false }),
          policyEngine.prepareShell(),
          import('../../policy/shell/read-only.js'),
          import('../../tools/shell/run-contained.js'),
          // Tries the sandbox now, so that the first command does not wait for the result.
          policyEngine.getApprovalMode() === ApprovalMode.YOLO ? undefined : containment.check('read-only'),
        ]).catch((error: unknown) => log.debug('loading ahead failed', error));
      }, AFTER_MS);
      timer.unref();
    },
    { content: false },
  );
  return stop;
}
