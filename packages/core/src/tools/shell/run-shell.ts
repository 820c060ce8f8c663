/** Runs the command of one call and waits until it ends or moves to the background. */

import { statSync } from 'node:fs';
import { messageOf } from '../../base/errors.js';
import { LONGEST_TIMER_MS } from '../../base/longest-timer.js';
import { SandboxError } from '../../platform/sandbox/types.js';
import type { ShellResult } from '../../platform/shell/shell-execution.js';
import type { Isolate } from '../../platform/shell/shell-service.js';
import { pathOf } from '../path-param.js';
import { ToolErrorType } from '../tool-error.js';
import { type ExecuteOptions, type ToolResult, toolFailure } from '../tools.js';
import type { ShellToolParams } from './params.js';
import { shellToolResult } from './result-text.js';
import type { ShellHost } from './shell.js';

const DEFAULT_DELAY_MS = 200;

export interface ShellRun {
  result: ToolResult;
  /** Absent when nothing was started. */
  shell?: ShellResult;
  /** Why it could not be isolated, and therefore was not started. */
  refusal?: SandboxError;
}

export async function runShell(
  host: ShellHost,
  params: ShellToolParams,
  { abortSignal, updateOutput, setExecutionIdCallback, callId }: ExecuteOptions,
  isolate?: Isolate,
): Promise<ShellRun> {
  const { command, is_background } = params;
  const cwd = params.dir_path === undefined ? host.getTargetDir() : pathOf(host, params.dir_path);
  const problem = directoryProblem(host, cwd, params.dir_path !== undefined);
  if (problem) return { result: problem };

  const settings = host.getShellSettings();
  const elsewhere = isolate || is_background ? undefined : host.getCommandTerminal?.();
  const ran = await elsewhere?.run({
    command,
    cwd,
    environment: params.environment,
    signal: abortSignal,
    timeoutMs: params.timeout_ms,
    ...(callId !== undefined && { callId }),
  });
  if (ran) return finished(ran);
  const service = host.getShellExecutionService();
  const { pid, result } = await service.execute({
    command,
    cwd,
    settings,
    isTrustedFolder: host.isTrustedFolder(),
    environment: params.environment,
    signal: abortSignal,
    timeoutMs: params.timeout_ms,
    onOutput: updateOutput,
    isolate,
  });
  if (pid) setExecutionIdCallback?.(pid);
  if (pid && is_background && !(await endsWithin(result, params.delay_ms ?? DEFAULT_DELAY_MS))) {
    try {
      await service.moveToBackground(pid);
    } catch (error) {
      await service.kill(pid);
      const message = `The command was stopped: it cannot run in the background without a log (${messageOf(error)}).`;
      return { result: toolFailure(message, ToolErrorType.SHELL_EXECUTE_ERROR) };
    }
  }
  const shell = await result;
  if (shell.error instanceof SandboxError) return { result: notIsolated(shell.error), refusal: shell.error };
  return finished(shell);

  function finished(shell: ShellResult): ShellRun {
    const text = shellToolResult(shell, {
      command,
      isBackground: is_background === true,
      timeoutMs: params.timeout_ms,
      inactivitySeconds: settings.inactivityTimeoutSeconds,
      backgroundAfterSeconds: settings.backgroundAfterSeconds,
      debug: host.getDebugMode(),
    });
    return { result: text, shell };
  }
}

/** Never falls back to a run without isolation. */
function notIsolated({ reason, remedy }: SandboxError): ToolResult {
  const message = `The command was not run: commands must be sandboxed here. ${reason} Only the user can change that: ${remedy}`;
  return toolFailure(message, ToolErrorType.SHELL_EXECUTE_ERROR);
}

/** The folder may have changed since the call was approved. */
function directoryProblem(host: ShellHost, cwd: string, isChosen: boolean): ToolResult | undefined {
  const refusal = isChosen ? host.validatePathAccess(cwd, 'read') : null;
  if (refusal) return toolFailure(refusal, ToolErrorType.PATH_NOT_IN_WORKSPACE);
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  return toolFailure(`The folder ${cwd} does not exist any more.`, ToolErrorType.SHELL_EXECUTE_ERROR);
}

function endsWithin(result: Promise<ShellResult>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), Math.min(ms, LONGEST_TIMER_MS));
    void result.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
