/** Runs a command without asking the user, contained; when the containment makes it fail, asks the user after all. */
import { visibleName, visibleText } from '../../base/visible-text.js';
import type { MessageBus } from '../../bus/message-bus.js';
import type { CommandContainment } from '../../platform/sandbox/containment/command-containment.js';
import { CONTAINED_LIMITS } from '../../platform/sandbox/containment/types.js';
import { isRefusedByContainment } from '../../platform/sandbox/permissions/expansion.js';
import type { SandboxedLine } from '../../platform/sandbox/tool-sandbox.js';
import {
  type Containment,
  ToolConfirmationOutcome,
  type ToolExecuteConfirmationDetails,
} from '../../protocol/confirmation.js';
import { RUN_SHELL_COMMAND } from '../../protocol/tool-names.js';
import { ToolErrorType } from '../tool-error.js';
import { type ExecuteOptions, type ToolResult, toolFailure } from '../tools.js';
import type { ShellToolParams } from './params.js';
import { runShell } from './run-shell.js';
import type { ShellHost } from './shell.js';

export interface ContainedCall {
  host: ShellHost;
  params: ShellToolParams;
  line: SandboxedLine;
  kind: Containment;
  options: ExecuteOptions;
  messageBus: MessageBus;
  /** The ordinary question about this command. */
  question: () => Promise<ToolExecuteConfirmationDetails>;
}

/** bwrap's message when a path it was to cover was removed meanwhile; the command has not started. */
const NOT_STARTED = /^bwrap: [^\n]*$/;
const MAX_STARTS = 3;

export async function runContained(
  containment: CommandContainment | undefined,
  call: ContainedCall,
): Promise<ToolResult> {
  if (!containment) return notContained('There is nothing here that could hold it.');
  const { host, line, kind, options } = call;
  const timeout_ms = Math.min(call.params.timeout_ms ?? CONTAINED_LIMITS.wallMs, CONTAINED_LIMITS.wallMs);
  const params = { ...call.params, timeout_ms };
  for (let starts = 1; ; starts++) {
    const { result, shell, refusal } = await runShell(host, params, options, containment.isolate(line, kind));
    if (refusal) return notContained(refusal.reason);
    if (!shell || shell.endedBy || shell.error || options.abortSignal.aborted) return result;
    if (shell.exitCode === 1 && NOT_STARTED.test(shell.output.trim())) {
      if (starts < MAX_STARTS) continue;
      return notContained(shell.output.trim());
    }
    if (!isRefusedByContainment(shell)) return result;
    const answer = await askToRunAgain(call);
    return answer.isYes ? { ...result, runAgainUncontained: true } : withNote(result, kind, answer.words);
  }
}

/** Never falls back to a run without containment. */
function notContained(why: string): ToolResult {
  const message = `The command was not run: without a question it runs only if it is contained, which failed. ${why}`;
  return toolFailure(message, ToolErrorType.SHELL_EXECUTE_ERROR);
}

const WHY_ASKED =
  'It ran without the right to write or to use the network, and failed. Run it again without these limits?';

interface Answer {
  isYes: boolean;
  /** Why the user refused. */
  words?: string;
}

async function askToRunAgain({ messageBus, question, params, options }: ContainedCall): Promise<Answer> {
  if (!messageBus.hasAnswerer) return { isYes: false };
  const { ProceedOnce, Cancel } = ToolConfirmationOutcome;
  const details = await question();
  const { abortSignal: signal } = options;
  const reply = await messageBus.confirm(
    {
      toolCall: { name: RUN_SHELL_COMMAND, args: { ...params } },
      details: {
        ...details,
        command: visibleText(details.command),
        rootCommand: visibleName(details.rootCommand),
        rootCommands: details.rootCommands.map(visibleName),
        systemMessage: visibleText([details.systemMessage, WHY_ASKED].filter(Boolean).join('\n')),
        offeredOutcomes: [ProceedOnce, Cancel],
      },
    },
    { signal },
  );
  if (reply.status !== 'answered' || signal.aborted) return { isYes: false };
  const { outcome, payload } = reply.answer;
  return outcome === Cancel ? { isYes: false, words: payload?.feedback } : { isYes: true };
}

function withNote(result: ToolResult, kind: Containment, words: string | undefined): ToolResult {
  const rights = kind === 'workspace' ? 'wrote only to the project' : 'had no right to write';
  const note = `It ran unasked and therefore contained: it ${rights} and had no network. A command that needs more asks the user.`;
  const said = words ? `\nThe user does not want it to run without these limits: ${words}` : '';
  return { ...result, llmContent: `${String(result.llmContent)}\n${note}${said}` };
}
