/** Runs a command in its sandbox and, where that refused something, asks whether it may be run again with more. */
import type { MessageBus } from '../../bus/message-bus.js';
import type { SandboxedLine, ToolSandbox } from '../../platform/sandbox/tool-sandbox.js';
import type { SandboxPermissions } from '../../protocol/confirmation.js';
import { ToolErrorType } from '../tool-error.js';
import { type ExecuteOptions, type ToolResult, toolFailure } from '../tools.js';
import { askAfterFailure, inWords } from './expansion-request.js';
import type { ShellToolParams } from './params.js';
import { runShell } from './run-shell.js';
import type { ShellHost } from './shell.js';

export interface SandboxedCall {
  host: ShellHost;
  params: ShellToolParams;
  line: SandboxedLine;
  options: ExecuteOptions;
  messageBus: MessageBus;
  /** What the user has granted for this call so far. */
  granted: SandboxPermissions[];
}

/** Each failure may reveal one more missing permission. */
const MAX_RUNS = 4;
/** bwrap's message when a socket it was to cover was removed meanwhile; the command has not started. */
const NOT_STARTED = /^bwrap: Can't create file at \/[^\n]*$/;

export async function runSandboxed(sandbox: ToolSandbox, call: SandboxedCall): Promise<ToolResult> {
  const { host, params, line, options, messageBus, granted } = call;
  const asked = params.additional_permissions;
  const missing = asked && (await sandbox.missing(line, asked, granted));
  if (missing) return notGranted(missing);
  for (let runs = 1; ; runs++) {
    const { result, shell } = await runShell(host, params, options, sandbox.isolate(line, granted));
    if (!shell || shell.endedBy || shell.error || options.abortSignal.aborted) return result;
    if (shell.exitCode === 1 && NOT_STARTED.test(shell.output.trim()) && runs < MAX_RUNS) continue;
    const needs = await sandbox.needsAfter(line, shell, granted);
    if (!needs || runs === MAX_RUNS) return result;
    const talk = { messageBus, args: params, signal: options.abortSignal };
    const answer = await askAfterFailure(sandbox, line, needs, granted, talk);
    if (answer !== 'granted') return withNote(result, needs, answer);
  }
}

const HOW_TO_GRANT =
  'The user is not asked in this mode. Do without it, or tell the user, who can allow it in ' +
  '~/.gemini/policies/sandbox.toml.';

function notGranted(missing: SandboxPermissions): ToolResult {
  const message = `The command was not run: additional_permissions were not granted (${inWords(missing)}). ${HOW_TO_GRANT}`;
  return toolFailure(message, ToolErrorType.SANDBOX_EXPANSION_REQUIRED);
}

function withNote(result: ToolResult, needs: SandboxPermissions, why: 'refused' | 'unanswered'): ToolResult {
  const end = why === 'refused' ? 'The user did not allow it.' : HOW_TO_GRANT;
  const note = `The sandbox seems to have refused what the command needs: ${inWords(needs)}. ${end}`;
  return { ...result, llmContent: `${String(result.llmContent)}\n${note}` };
}
