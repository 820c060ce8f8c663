/** Texts about background processes that several tools share. */
import type { BackgroundProcess, ShellExecutionService } from '../../platform/shell/shell-service.js';
import { ToolErrorType } from '../tool-error.js';
import { type ToolResult, toolFailure } from '../tools.js';

type Exit = Pick<BackgroundProcess, 'exitCode' | 'signal'>;

export function notOurs(pid: number): ToolResult {
  const message =
    `Access denied: PID ${pid} is not a background process of this session. ` +
    'list_background_processes shows those that are.';
  return toolFailure(message, ToolErrorType.EXECUTION_FAILED);
}

/** Undefined when it runs. */
export function notRunning(service: ShellExecutionService, pid: number): ToolResult | undefined {
  const found = service.listBackground().find((process) => process.pid === pid);
  if (!found) return notOurs(pid);
  if (found.status === 'running') return undefined;
  const message = `Process ${pid} has already ended${exitText(found)}. read_background_output shows its output.`;
  return toolFailure(message, ToolErrorType.EXECUTION_FAILED);
}

export function exitText({ exitCode, signal }: Exit): string {
  const code = exitCode === null ? '' : ` (Exit Code: ${exitCode})`;
  return `${code}${signal ? ` (Signal: ${signal})` : ''}`;
}
