/** Records a finished tool call: the call, its file changes, and the truncation of its output. */
import type { CompletedToolCall } from '../../protocol/tool-calls.js';
import type { FileDiff } from '../../protocol/tool-display.js';
import { newSpan, type Traces } from '../export/traces.js';
import { JsonText, type SpanContext, type TelemetryRecorder } from '../record.js';
import { fileOperations } from './file-operations.js';

export interface ToolCallContext {
  recorder: TelemetryRecorder;
  traces: Traces;
  endMs: number;
  parent?: SpanContext;
}

export function recordToolCall(call: CompletedToolCall, context: ToolCallContext): void {
  const { request, response, durationMs, decision, origin, extension } = call;
  const { recorder, traces, endMs, parent } = context;
  const { name, args } = call.executed ?? request;
  const success = call.status === 'success';
  const startMs = endMs - durationMs;
  const span = newSpan(parent);
  const toolType = origin?.type ?? 'native';
  recorder.event(
    'gemini_cli.tool_call',
    {
      function_name: name,
      function_args: new JsonText(() => args),
      duration_ms: durationMs,
      success,
      decision,
      error: response.error?.message,
      error_type: response.error?.type,
      prompt_id: request.promptId,
      tool_type: toolType,
      mcp_server_name: origin?.serverName,
      extension_name: extension?.name,
      extension_id: extension?.id,
      content_length: contentLength(call),
      start_time: startMs,
      end_time: endMs,
      metadata: metadataOf(call),
    },
    span,
  );
  recorder.count('gemini_cli.tool.call.count', 1, {
    function_name: name,
    success,
    decision,
    tool_type: toolType,
  });
  recorder.histogram('gemini_cli.tool.call.latency', durationMs, { function_name: name });
  recordTruncation(call, name, recorder, span);
  if (success) recordFiles(call, name, args, recorder, span);
  recorder.span({
    name: 'tool_call',
    context: span,
    parent,
    startMs,
    endMs,
    attributes: {
      'gen_ai.prompt.name': request.promptId,
      'gen_ai.tool.name': name,
      'gen_ai.tool.call_id': request.callId,
      'gen_ai.tool.description': traces.descriptionOf(name),
      'gen_ai.input.messages': new JsonText(() => args),
      'gen_ai.output.messages': new JsonText(() => responses(call)),
    },
    ...(!success && { error: response.error?.message ?? call.status }),
  });
}

function recordTruncation(
  { truncation, request }: CompletedToolCall,
  toolName: string,
  recorder: TelemetryRecorder,
  span: SpanContext,
): void {
  if (!truncation) return;
  const attributes = {
    tool_name: toolName,
    original_content_length: truncation.originalLength,
    truncated_content_length: truncation.truncatedLength,
    threshold: truncation.threshold,
    lines: truncation.lines,
    prompt_id: request.promptId,
  };
  recorder.event('gemini_cli.tool_output_truncated', attributes, span);
}

function recordFiles(
  call: CompletedToolCall,
  toolName: string,
  args: Record<string, unknown>,
  recorder: TelemetryRecorder,
  span: SpanContext,
): void {
  const { resultDisplay } = call.response;
  for (const file of fileOperations(toolName, args, resultDisplay)) {
    recorder.event('gemini_cli.file_operation', { tool_name: toolName, ...file }, span);
    recorder.count('gemini_cli.file.operation.count', 1, file);
  }
  const stat = diffOf(call)?.diffStat;
  if (!stat) return;
  const added = stat.model_added_lines + stat.user_added_lines;
  const removed = stat.model_removed_lines + stat.user_removed_lines;
  if (added) recorder.count('gemini_cli.lines.changed', added, { function_name: toolName, type: 'added' });
  if (removed)
    recorder.count('gemini_cli.lines.changed', removed, { function_name: toolName, type: 'removed' });
}

function metadataOf(call: CompletedToolCall): Record<string, number> | undefined {
  const stat = diffOf(call)?.diffStat;
  if (!stat) return undefined;
  const { model_added_lines, model_removed_lines, user_added_lines, user_removed_lines } = stat;
  return { model_added_lines, model_removed_lines, user_added_lines, user_removed_lines };
}

function diffOf({ response: { resultDisplay } }: CompletedToolCall): FileDiff | undefined {
  return typeof resultDisplay === 'object' && 'fileDiff' in resultDisplay ? resultDisplay : undefined;
}

/** The number of characters that the model receives. */
function contentLength(call: CompletedToolCall): number {
  return responses(call).reduce((sum, { output, error }) => {
    const text = output ?? error;
    return sum + (typeof text === 'string' ? text.length : 0);
  }, 0);
}

function responses({ response }: CompletedToolCall): Record<string, unknown>[] {
  return response.responseParts.flatMap(({ functionResponse }) =>
    functionResponse ? [functionResponse.response] : [],
  );
}
