/** Loads what the first command needs while the first request waits for the model. */
import type { AgentSession } from '../../agent/agent-session.js';
import { createLog } from '../../platform/log.js';
import type { CommandContainment } from '../../platform/sandbox/containment/command-containment.js';
import type { ShellExecutionService } from '../../platform/shell/shell-service.js';
import type { PolicyEngine } from '../../policy/policy-engine.js';
import { ApprovalMode } from '../../protocol/confirmation.js';
import { RUN_SHELL_COMMAND } from '../../protocol/tool-names.js';
import type { ToolRegistry } from '../../tools/tool-registry.js';
import type { SnapshotServices } from '../compose-snapshots.js';

const log = createLog('warm-up');
/** The request has been sent by then, and few models have answered yet. */
const AFTER_MS = 80;

export interface WarmUpServices {
  session: AgentSession;
  policyEngine: PolicyEngine;
  toolRegistry: ToolRegistry;
  shellExecutionService: ShellExecutionService;
  containment: CommandContainment;
  snapshots: Pick<SnapshotServices, 'prepare'> | undefined;
  /** The `PATH` that commands are looked up in. */
  path: string | undefined;
}

/** @returns a function that stops waiting for the first request */
export function warmUpForCommands(services: WarmUpServices): () => void {
  const { policyEngine, toolRegistry } = services;
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    stop();
    load(services).catch(logFailure);
  };
  const unsubscribe = services.session.subscribe(
    (event) => {
      if (event.type === 'tool_requested' && event.request.name === RUN_SHELL_COMMAND) {
        stop();
        prepareFor(event.request.args['command'], services).catch(logFailure);
      }
      if (event.type !== 'model_turn_started' || timer) return;
      if (!toolRegistry.getTool(RUN_SHELL_COMMAND) || policyEngine.isAlwaysDenied(RUN_SHELL_COMMAND)) stop();
      else timer = setTimeout(begin, AFTER_MS).unref();
    },
    { content: false },
  );
  const stop = () => {
    clearTimeout(timer);
    unsubscribe();
  };
  return stop;
}

function logFailure(error: unknown): void {
  log.debug('loading ahead failed', error);
}

/** The command is judged now, which takes the main thread; that of the snapshots can start meanwhile. */
async function prepareFor(command: unknown, { snapshots, path }: WarmUpServices): Promise<void> {
  if (typeof command !== 'string') return;
  if (PLAIN.test(command)) {
    const { changesNothing } = await import('../../policy/shell/read-only.js');
    if (await changesNothing(command, path)) return;
  }
  await snapshots?.prepare();
}

/** Words and options: such a command is read without the grammar. */
const PLAIN = /^[\w\s./=:,@%+-]*$/;

async function load({
  policyEngine,
  shellExecutionService,
  containment,
  snapshots,
}: WarmUpServices): Promise<void> {
  const mode = policyEngine.getApprovalMode();
  // First: its thread starts while the others are loaded here.
  if (mode !== ApprovalMode.PLAN) await snapshots?.prepare();
  await Promise.all([
    shellExecutionService.warmUp({ screen: false }),
    policyEngine.prepareShell(),
    import('../../policy/shell/read-only.js'),
    import('../../tools/shell/run-contained.js'),
    // Tries the sandbox now, so that the first command does not wait for the result.
    mode === ApprovalMode.YOLO ? undefined : containment.check('read-only'),
  ]);
}
