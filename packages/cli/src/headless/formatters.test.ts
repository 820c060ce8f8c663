import { type AgentEventBody, type CompletedToolCall, emptyMetrics, recordMetrics } from '@gemini-cli/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Output } from '../output/output.js';
import { JsonFormatter } from './format-json.js';
import { StreamJsonFormatter } from './format-stream-json.js';
import { TextFormatter } from './format-text.js';
import type { Formatter, RunResult } from './formatter.js';

const IDENTITY = { sessionId: 's1', model: 'auto' };
const ERROR = { type: 'FatalTurnLimitedError', message: 'too many turns', code: 53 };

const request = { callId: 'c1', name: 'read_file', args: { file_path: 'a.txt' }, promptId: 'p' };
const call: CompletedToolCall = {
  request,
  status: 'success',
  response: { callId: 'c1', responseParts: [], resultDisplay: 'read 2 lines' },
  durationMs: 5,
  decision: 'auto_accept',
};
const failedCall: CompletedToolCall = {
  ...call,
  status: 'error',
  response: { callId: 'c1', responseParts: [], error: { message: 'no such file', type: 'file_not_found' } },
};

const CONVERSATION: AgentEventBody[] = [
  { type: 'turn_started', sessionId: 's1', promptId: 'p', model: 'm', parts: [] },
  { type: 'model_turn_started', turn: 1, model: 'm' },
  { type: 'thought', subject: 'Hm', description: 'well' },
  { type: 'content', text: 'Let me ' },
  { type: 'content', text: 'look.' },
  { type: 'tool_requested', request },
  { type: 'tool_finished', call },
  { type: 'model_turn_started', turn: 2, model: 'm' },
  { type: 'content', text: 'Two lines.' },
  { type: 'warning', message: 'model changed', from: 'a', to: 'b', reason: 'quota' },
  { type: 'turn_finished', reason: 'completed' },
];

const STOPPED: AgentEventBody[] = [
  { type: 'content', text: 'So far.' },
  { type: 'warning', code: 'stopped', message: 'Agent execution stopped: enough' },
  { type: 'hook_message', name: 'lint', event: 'AfterTool', level: 'info', message: 'all good' },
  { type: 'hook_message', name: 'fmt', event: 'AfterTool', level: 'warning', message: 'exited with code 3' },
];

class Recorder implements Output {
  out = '';
  err = '';
  stdout(text: string) {
    this.out += text;
  }
  stderr(line: string) {
    this.err += `${line}\n`;
  }
}

function play(
  make: (output: Output) => Formatter,
  events: AgentEventBody[],
  result: Partial<RunResult> = {},
) {
  const output = new Recorder();
  const formatter = make(output);
  const metrics = emptyMetrics();
  formatter.begin(IDENTITY, 'count @a.txt');
  for (const event of events) {
    recordMetrics(metrics, event);
    formatter.handle(event);
  }
  formatter.end(IDENTITY, { metrics, durationMs: 12, ...result });
  return output;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-02T03:04:05.678Z') });
  vi.stubEnv('NO_COLOR', '');
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe('the format text', () => {
  const make = (output: Output) => new TextFormatter(output);

  it('writes only model text, each turn on its own lines', () => {
    const { out, err } = play(make, CONVERSATION);
    expect(out).toBe('Let me look.\nTwo lines.\n');
    expect(err).toBe('[WARNING] model changed\n');
  });

  it('writes nothing at all for an empty answer', () => {
    expect(play(make, [{ type: 'content', text: '' }]).out).toBe('');
  });

  it('adds no newline after one', () => {
    expect(play(make, [{ type: 'content', text: 'a\n' }]).out).toBe('a\n');
  });

  it('starts a new line when a retry discards the text so far', () => {
    const retry = { type: 'retry', attempt: 1, maxAttempts: 3, delayMs: 0, message: 'again' } as const;
    const { out, err } = play(make, [
      { type: 'content', text: 'half' },
      { ...retry, discardsOutput: true },
      { type: 'content', text: 'whole' },
    ]);
    expect(out).toBe('half\nwhole\n');
    expect(err).toBe('[WARNING] again\n');
  });

  it('ends a failed run with one red line, or a plain one with NO_COLOR', () => {
    expect(play(make, [], { error: ERROR }).err).toBe('\u001b[31mtoo many turns\u001b[0m\n');
    vi.stubEnv('NO_COLOR', '1');
    expect(play(make, [], { error: ERROR })).toMatchObject({ out: '', err: 'too many turns\n' });
  });

  it('removes control sequences of servers and file names from stderr', () => {
    vi.stubEnv('NO_COLOR', '1');
    const error = { type: 'ApiError', message: 'bad \u001b]52;c;eA==\u0007\u202ename' };
    expect(play(make, [], { error }).err).toBe('bad name\n');
  });

  it('joins a message of several lines into one', () => {
    vi.stubEnv('NO_COLOR', '1');
    const error = { type: 'ApiError', message: '[API Error: one\r\n  two\rthree]\n' };
    expect(play(make, [], { error }).err).toBe('[API Error: one two three]\n');
  });
});

describe('the format json', () => {
  const make = (output: Output) => new JsonFormatter(output);

  it('prints one object with the text of the last model turn', () => {
    const { out, err } = play(make, CONVERSATION);
    expect(out.startsWith('{\n  "session_id": "s1",\n  "response": "Two lines.",\n  "stats": {')).toBe(true);
    expect(out.endsWith('\n}\n')).toBe(true);
    const { stats, ...rest } = JSON.parse(out);
    expect(rest).toEqual({ session_id: 's1', response: 'Two lines.', warnings: ['model changed'] });
    expect(stats.tools.totalCalls).toBe(1);
    expect(err).toBe('');
  });

  it('omits text that a retry discarded', () => {
    const { out, err } = play(make, [
      { type: 'content', text: 'half' },
      { type: 'retry', attempt: 1, maxAttempts: 3, delayMs: 0, message: 'again', discardsOutput: true },
      { type: 'content', text: 'whole' },
    ]);
    expect(JSON.parse(out).response).toBe('whole');
    expect(err).toBe('[WARNING] again\n');
  });

  it('prints a failure on both streams', () => {
    const { out, err } = play(make, [], { error: ERROR });
    expect(JSON.parse(out)).toEqual({ session_id: 's1', stats: emptyMetrics(), error: ERROR });
    expect(err).toBe(out);
  });

  it('prints only the error when the run never began', () => {
    const output = new Recorder();
    new JsonFormatter(output).end(IDENTITY, { error: ERROR, metrics: emptyMetrics(), durationMs: 1 });
    expect(JSON.parse(output.out)).toEqual({ session_id: 's1', error: ERROR });
  });

  it('escapes every control character and keeps the value', () => {
    const text = 'a\u0007\u009b\u202e\u2028z';
    const { out } = play(make, [{ type: 'content', text }]);
    expect(out).toContain('"response": "a\\u0007\\u009b\\u202e\\u2028z"');
    expect(JSON.parse(out).response).toBe(text);
  });
});

describe('the format stream-json', () => {
  const make = (output: Output) => new StreamJsonFormatter(output);
  const timestamp = '2030-01-02T03:04:05.678Z';
  const linesOf = (output: Recorder) =>
    output.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const noTokens = { total_tokens: 0, input_tokens: 0, output_tokens: 0, cached: 0, input: 0 };

  it('prints the whole conversation, one event per line', () => {
    expect(linesOf(play(make, CONVERSATION))).toEqual([
      { type: 'init', timestamp, session_id: 's1', model: 'auto' },
      { type: 'message', timestamp, role: 'user', content: 'count @a.txt' },
      { type: 'message', timestamp, role: 'assistant', content: 'Let me ', delta: true },
      { type: 'message', timestamp, role: 'assistant', content: 'look.', delta: true },
      {
        type: 'tool_use',
        timestamp,
        tool_name: 'read_file',
        tool_id: 'c1',
        parameters: { file_path: 'a.txt' },
      },
      { type: 'tool_result', timestamp, tool_id: 'c1', status: 'success', output: 'read 2 lines' },
      { type: 'message', timestamp, role: 'assistant', content: 'Two lines.', delta: true },
      {
        type: 'error',
        timestamp,
        severity: 'warning',
        message: 'model changed',
        from: 'a',
        to: 'b',
        reason: 'quota',
      },
      {
        type: 'result',
        timestamp,
        status: 'success',
        stats: { ...noTokens, duration_ms: 12, tool_calls: 1, models: {} },
      },
    ]);
  });

  it('reports failed and cancelled calls as errors', () => {
    const response = { callId: 'c2', responseParts: [] };
    const cancelled: CompletedToolCall = { ...call, status: 'cancelled', response };
    const output = play(make, [
      { type: 'tool_finished', call: failedCall },
      { type: 'tool_finished', call: cancelled },
    ]);
    expect(linesOf(output).slice(2, 4)).toEqual([
      {
        type: 'tool_result',
        timestamp,
        tool_id: 'c1',
        status: 'error',
        error: { type: 'file_not_found', message: 'no such file' },
      },
      {
        type: 'tool_result',
        timestamp,
        tool_id: 'c2',
        status: 'error',
        error: { type: 'TOOL_EXECUTION_ERROR', message: 'The call was cancelled.' },
      },
    ]);
  });

  it('prints init first and the failed result last, even if the run never began', () => {
    const output = new Recorder();
    new StreamJsonFormatter(output).end(IDENTITY, { error: ERROR, metrics: emptyMetrics(), durationMs: 7 });
    expect(linesOf(output)).toEqual([
      { type: 'init', timestamp, session_id: 's1', model: 'auto' },
      { type: 'error', timestamp, severity: 'error', message: 'too many turns' },
      {
        type: 'result',
        timestamp,
        status: 'error',
        error: { type: 'FatalTurnLimitedError', message: 'too many turns' },
        stats: { ...noTokens, duration_ms: 7, tool_calls: 0, models: {} },
      },
    ]);
  });

  it('reports that a retry discards text already printed', () => {
    const retry = { type: 'retry', attempt: 1, maxAttempts: 3, delayMs: 0, message: 'Again.' } as const;
    const output = play(make, [
      { ...retry, discardsOutput: false },
      { ...retry, discardsOutput: true },
    ]);
    expect(output.err).toBe('[WARNING] Again.\n[WARNING] Again.\n');
    expect(linesOf(output).filter((line) => line.type === 'error')).toEqual([
      {
        type: 'error',
        timestamp,
        severity: 'warning',
        message: 'Again. The text of this model turn so far is void.',
      },
    ]);
  });
});

describe('a stop by a hook, and messages of hooks', () => {
  it('are lines on stderr in text; the stop is no warning', () => {
    const { out, err } = play((output) => new TextFormatter(output), STOPPED);
    expect(out).toBe('So far.\n');
    expect(err.split('\n')).toEqual([
      'Agent execution stopped: enough',
      '[INFO] lint: all good',
      '[WARNING] fmt: exited with code 3',
      '',
    ]);
  });

  it('are warnings of the object in json; plain messages stay on stderr', () => {
    const { out, err } = play((output) => new JsonFormatter(output), STOPPED);
    expect(JSON.parse(out)).toMatchObject({
      response: 'So far.',
      warnings: ['Agent execution stopped: enough', 'fmt: exited with code 3'],
    });
    expect(err).toBe('[INFO] lint: all good\n');
  });

  it('are error events of severity warning in stream-json, which ends with success', () => {
    const { out, err } = play((output) => new StreamJsonFormatter(output), STOPPED);
    const events = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.slice(3)).toMatchObject([
      { type: 'error', severity: 'warning', message: 'Agent execution stopped: enough' },
      { type: 'error', severity: 'warning', message: 'fmt: exited with code 3' },
      { type: 'result', status: 'success' },
    ]);
    expect(err).toBe('[INFO] lint: all good\n');
  });
});
