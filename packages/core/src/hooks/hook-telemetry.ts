/** Records every run of a hook. */
import { JsonText, type TelemetryRecorder } from '../telemetry/record.js';
import { hookName } from './registry.js';
import type { HookExecutionResult, HookInput } from './types.js';

export function recordHookCall(
  recorder: TelemetryRecorder,
  result: HookExecutionResult,
  input: HookInput,
): void {
  const { hookConfig, eventName, duration, success, output, exitCode, stdout, stderr } = result;
  recorder.event('gemini_cli.hook_call', {
    hook_event_name: eventName,
    hook_type: hookConfig.type,
    hook_name: hookName(hookConfig),
    duration_ms: Math.round(duration),
    success,
    ...(exitCode !== undefined && { exit_code: exitCode }),
    hook_input: new JsonText(() => input),
    hook_output: new JsonText(() => output ?? {}),
    stdout: stdout ?? '',
    stderr: stderr ?? result.warning ?? '',
  });
}
