import { describe, expect, it } from 'vitest';
import type { AgentEventBody } from '../../protocol/agent-events.js';
import type { CompletedToolCall } from '../../protocol/tool-calls.js';
import { Traces } from '../export/traces.js';
import { Recorded } from '../recorded.test-helper.js';
import { AgentEventObserver } from './from-agent-events.js';

const started: AgentEventBody = {
  type: 'turn_started',
  sessionId: 's',
  promptId: 'p',
  model: 'm',
  parts: [{ text: 'fix ' }, { text: 'it' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
};
const failure = { model: 'm', role: 'main', latencyMs: 1, attempt: 2 } as const;

function observe(...events: AgentEventBody[]): Recorded {
  const recorder = new Recorded();
  let time = 1000;
  const observer = new AgentEventObserver({
    recorder,
    traces: new Traces(),
    now: () => (time += 10),
    authType: () => 'gemini-api-key',
    approvalMode: () => 'yolo',
  });
  for (const event of events) observer.handle(event);
  return recorder;
}

function finished(overrides: Partial<CompletedToolCall> = {}): AgentEventBody {
  const request = { callId: 'c1', name: 'list_directory', args: { dir_path: '.' }, promptId: 'p' };
  const output = { functionResponse: { name: 'list_directory', response: { output: 'a\nb' } } };
  const call: CompletedToolCall = {
    request,
    response: { callId: 'c1', responseParts: [output] },
    status: 'success',
    durationMs: 7,
    decision: 'auto_accept',
    ...overrides,
  };
  return { type: 'tool_finished', call };
}

describe('a user request', () => {
  it('is recorded as a prompt, the end of a conversation, and a span over both', () => {
    const recorded = observe(
      started,
      { type: 'model_turn_started', turn: 1, model: 'm' },
      { type: 'content', text: 'do' },
      { type: 'content', text: 'ne' },
      { type: 'turn_finished', reason: 'completed' },
    );
    const [span] = recorded.spans;
    expect(recorded.events).toEqual([
      {
        name: 'gemini_cli.user_prompt',
        attributes: { prompt_length: 6, prompt_id: 'p', prompt: 'fix it' },
        within: span?.context,
      },
      {
        name: 'gemini_cli.conversation_finished',
        attributes: { approvalMode: 'yolo', turnCount: 1 },
        within: span?.context,
      },
    ]);
    expect(recorded.spans).toEqual([
      {
        name: 'user_prompt',
        context: {
          traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
          spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
        },
        startMs: 1010,
        endMs: 1030,
        attributes: {
          'gen_ai.prompt.name': 'p',
          'gen_ai.request.model': 'm',
          'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'fix it' }] }],
          'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: 'done' }] }],
        },
      },
    ]);
  });

  it('has an error in its span when it fails', () => {
    const error = { type: 'ApiError', message: 'no' };
    expect(observe(started, { type: 'turn_finished', reason: 'error', error }).spans).toMatchObject([
      { name: 'user_prompt', error: 'no' },
    ]);
    expect(observe(started, { type: 'turn_finished', reason: 'cancelled' }).spans).toMatchObject([
      { name: 'user_prompt', error: 'cancelled' },
    ]);
  });

  it('drops a discarded answer, of this model turn only', () => {
    const recorded = observe(
      started,
      { type: 'model_turn_started', turn: 1, model: 'm' },
      { type: 'content', text: 'one ' },
      { type: 'model_turn_started', turn: 2, model: 'm' },
      { type: 'content', text: 'wrong' },
      { type: 'retry', attempt: 0, maxAttempts: 0, delayMs: 0, message: '', discardsOutput: true },
      { type: 'content', text: 'two' },
      { type: 'turn_finished', reason: 'completed' },
    );
    expect(recorded.spans[0]?.attributes['gen_ai.output.messages']).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'one two' }] },
    ]);
    expect(recorded.named('gemini_cli.conversation_finished')).toEqual([
      { approvalMode: 'yolo', turnCount: 2 },
    ]);
    expect(recorded.measures).toEqual([]);
  });
});

describe('retries', () => {
  const retry = { type: 'retry', attempt: 2, maxAttempts: 4, delayMs: 2000, message: '' } as const;

  it('are network retries for refused requests', () => {
    const recorded = observe(started, {
      ...retry,
      discardsOutput: false,
      cause: 'request',
      errorType: 'ApiError',
      model: 'm',
    });
    expect(recorded.named('gemini_cli.network_retry_attempt')).toEqual([
      { attempt: 2, max_attempts: 4, error_type: 'ApiError', delay_ms: 2000, model: 'm' },
    ]);
    expect(recorded.measured('gemini_cli.network_retry.count')).toEqual([
      { value: 1, attributes: { model: 'm', attempt: 2 } },
    ]);
  });

  it('are content retries for bad answers, and a failure when they run out', () => {
    const bad = { error: { type: 'INVALID_STREAM', message: 'empty' }, cause: 'stream' } as const;
    const recorded = observe(
      started,
      { type: 'model_turn_started', turn: 1, model: 'm' },
      { type: 'api_failure', ...failure, ...bad, errorType: 'NO_RESPONSE_TEXT', isFinal: false },
      { ...retry, discardsOutput: false, cause: 'stream', errorType: 'NO_RESPONSE_TEXT', model: 'm' },
      { type: 'api_failure', ...failure, ...bad, errorType: 'NO_FINISH_REASON', isFinal: true },
    );
    expect(recorded.events.slice(1).map(({ name, attributes }) => [name, attributes])).toEqual([
      ['gemini_cli.chat.invalid_chunk', { 'error.message': 'empty' }],
      [
        'gemini_cli.chat.content_retry',
        { attempt_number: 2, error_type: 'NO_RESPONSE_TEXT', retry_delay_ms: 2000, model: 'm' },
      ],
      ['gemini_cli.chat.invalid_chunk', { 'error.message': 'empty' }],
      [
        'gemini_cli.chat.content_retry_failure',
        { total_attempts: 2, final_error_type: 'NO_FINISH_REASON', total_duration_ms: 10, model: 'm' },
      ],
    ]);
    expect(recorded.measures.map(({ name, value }) => [name, value])).toEqual([
      ['gemini_cli.chat.invalid_chunk.count', 1],
      ['gemini_cli.chat.content_retry.count', 1],
      ['gemini_cli.chat.invalid_chunk.count', 1],
      ['gemini_cli.chat.content_retry_failure.count', 1],
    ]);
  });

  it('count neither refused requests nor cut connections as bad answers', () => {
    const error = { type: 'ApiError', message: 'cut' };
    const recorded = observe(
      started,
      { type: 'api_failure', ...failure, error, cause: 'request', errorType: 'ApiError', isFinal: true },
      { type: 'api_failure', ...failure, error, cause: 'stream', errorType: 'Error', isFinal: false },
    );
    expect(recorded.events.map(({ name }) => name)).toEqual(['gemini_cli.user_prompt']);
  });
});

describe('tool calls', () => {
  it('are recorded with arguments, decision, times and size', () => {
    const recorded = observe(
      started,
      { type: 'model_turn_started', turn: 1, model: 'm' },
      { type: 'tool_requested', request: { callId: 'c1', name: 'list_directory', args: {}, promptId: 'p' } },
      { type: 'tool_status', callId: 'c1', status: 'scheduled' },
      { type: 'tool_status', callId: 'c1', status: 'executing' },
      finished(),
      { type: 'turn_finished', reason: 'completed' },
    );
    const [call] = recorded.named('gemini_cli.tool_call');
    expect(call).toEqual({
      function_name: 'list_directory',
      function_args: { dir_path: '.' },
      duration_ms: 7,
      success: true,
      decision: 'auto_accept',
      prompt_id: 'p',
      tool_type: 'native',
      content_length: 3,
      start_time: expect.any(Number),
      end_time: expect.any(Number),
    });
    expect(Number(call?.['end_time']) - Number(call?.['start_time'])).toBe(7);
    const [tool, batch, prompt] = recorded.spans;
    expect([tool?.name, batch?.name, prompt?.name]).toEqual([
      'tool_call',
      'schedule_tool_calls',
      'user_prompt',
    ]);
    expect([tool?.parent, batch?.parent]).toEqual([batch?.context, prompt?.context]);
    expect(new Set(recorded.spans.map(({ context }) => context.traceId)).size).toBe(1);
    expect(recorded.measures).toEqual([
      { name: 'gemini_cli.tool.queue.depth', value: 1, attributes: {} },
      {
        name: 'gemini_cli.tool.execution.breakdown',
        value: 10,
        attributes: { function_name: 'list_directory', phase: 'preparation' },
      },
      {
        name: 'gemini_cli.tool.execution.breakdown',
        value: 7,
        attributes: { function_name: 'list_directory', phase: 'execution' },
      },
      {
        name: 'gemini_cli.tool.call.count',
        value: 1,
        attributes: {
          function_name: 'list_directory',
          success: true,
          decision: 'auto_accept',
          tool_type: 'native',
        },
      },
      { name: 'gemini_cli.tool.call.latency', value: 7, attributes: { function_name: 'list_directory' } },
    ]);
  });

  it('are also recorded when they failed or were refused', () => {
    const error = { message: 'denied', type: 'policy_violation' };
    const recorded = observe(
      started,
      finished({
        status: 'error',
        decision: 'reject',
        durationMs: 0,
        response: { callId: 'c1', responseParts: [], error },
      }),
    );
    expect(recorded.named('gemini_cli.tool_call')).toMatchObject([
      {
        success: false,
        decision: 'reject',
        error: 'denied',
        error_type: 'policy_violation',
        content_length: 0,
      },
    ]);
    expect(recorded.spans).toMatchObject([{ name: 'tool_call', error: 'denied' }]);
  });

  it('are recorded with the tool that really ran and its origin', () => {
    const recorded = observe(
      started,
      finished({
        executed: { name: 'read_file', args: { file_path: 'lib/a.py' } },
        origin: { type: 'mcp', serverName: 'srv' },
        extension: { name: 'ext', id: 'e1' },
        truncation: { originalLength: 90_000, truncatedLength: 40_000, threshold: 40_000, lines: 12 },
      }),
    );
    expect(recorded.named('gemini_cli.tool_call')).toMatchObject([
      {
        function_name: 'read_file',
        function_args: { file_path: 'lib/a.py' },
        tool_type: 'mcp',
        mcp_server_name: 'srv',
        extension_name: 'ext',
        extension_id: 'e1',
      },
    ]);
    expect(recorded.named('gemini_cli.tool_output_truncated')).toEqual([
      {
        tool_name: 'read_file',
        original_content_length: 90_000,
        truncated_content_length: 40_000,
        threshold: 40_000,
        lines: 12,
        prompt_id: 'p',
      },
    ]);
    const file = { operation: 'read', extension: '.py', programming_language: 'Python' };
    expect(recorded.named('gemini_cli.file_operation')).toEqual([{ tool_name: 'read_file', ...file }]);
    expect(recorded.measured('gemini_cli.file.operation.count')).toEqual([{ value: 1, attributes: file }]);
  });

  it('are recorded with the number of changed lines', () => {
    const diffStat = {
      model_added_lines: 3,
      model_removed_lines: 1,
      model_added_chars: 30,
      model_removed_chars: 10,
      user_added_lines: 2,
      user_removed_lines: 0,
      user_added_chars: 0,
      user_removed_chars: 0,
    };
    const resultDisplay = {
      fileDiff: '',
      fileName: 'a.ts',
      filePath: '/w/a.ts',
      originalContent: null,
      newContent: 'one\ntwo\nthree',
      isNewFile: true,
      diffStat,
    };
    const request = { callId: 'c1', name: 'write_file', args: {}, promptId: 'p' };
    const recorded = observe(
      started,
      finished({ request, response: { callId: 'c1', responseParts: [], resultDisplay } }),
    );
    expect(recorded.named('gemini_cli.tool_call')[0]?.['metadata']).toEqual({
      model_added_lines: 3,
      model_removed_lines: 1,
      user_added_lines: 2,
      user_removed_lines: 0,
    });
    expect(recorded.named('gemini_cli.file_operation')).toEqual([
      {
        tool_name: 'write_file',
        operation: 'create',
        lines: 3,
        extension: '.ts',
        programming_language: 'TypeScript',
      },
    ]);
    expect(recorded.measured('gemini_cli.lines.changed')).toEqual([
      { value: 5, attributes: { function_name: 'write_file', type: 'added' } },
      { value: 1, attributes: { function_name: 'write_file', type: 'removed' } },
    ]);
  });
});
