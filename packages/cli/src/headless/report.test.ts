import type { AgentEvent, CompletedToolCall } from '@gemini-cli/core';
import { describe, expect, it } from 'vitest';
import type { OutputFormat } from './formatter.js';
import { Report } from './report.js';

function makeReport(format: OutputFormat = 'text', raw = false) {
  const written = { out: '', err: '' };
  const output = {
    stdout: (text: string) => {
      written.out += text;
    },
    stderr: (line: string) => {
      written.err += `${line}\n`;
    },
  };
  const report = new Report({ format, raw, output, identity: { sessionId: 's', model: 'auto' } });
  return { report, written };
}

function failedCall(type: string | undefined, message: string): AgentEvent {
  const call: CompletedToolCall = {
    request: { callId: 'c', name: 'run_shell_command', args: {}, promptId: 'p' },
    status: 'error',
    response: { callId: 'c', responseParts: [], error: { message, ...(type && { type }) } },
    durationMs: 1,
    decision: 'auto_accept',
  };
  return { type: 'tool_finished', call };
}

describe('model text', () => {
  const chunks = ['a\u001b', '[3', '1mb', '\u001b[0m\n'];

  it('has no terminal sequences, wherever the stream is cut', () => {
    const { report, written } = makeReport();
    for (const text of chunks) report.handle({ type: 'content', text });
    expect(written.out).toBe('ab\n');
  });

  it('keeps them when raw output was asked for', () => {
    const { report, written } = makeReport('text', true);
    for (const text of chunks) report.handle({ type: 'content', text });
    expect(written.out).toBe(chunks.join(''));
  });

  it('is complete before the next event is told', () => {
    const { report, written } = makeReport('stream-json');
    report.handle({ type: 'content', text: 'x\ud83d' });
    report.handle({ type: 'warning', message: 'w' });
    const types = written.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(types).toEqual(['message', 'message', 'error']);
  });
});

describe('failed tools', () => {
  it('are named on stderr in every format', () => {
    for (const format of ['text', 'json', 'stream-json'] as const) {
      const { report, written } = makeReport(format);
      report.handle(failedCall('shell_execute_error', 'no \u001b[31mluck'));
      expect(written.err).toBe('Error executing tool run_shell_command: no luck\n');
    }
  });

  it('are not named twice when they end the run', () => {
    const { report, written } = makeReport();
    report.handle(failedCall('no_space_left', 'disk full'));
    report.handle(failedCall('stop_execution', 'enough'));
    expect(written.err).toBe('');
  });
});

describe('the end', () => {
  it('is told once, in the format the settings chose', () => {
    const { report, written } = makeReport();
    report.configure({ format: 'stream-json', model: 'pro' });
    report.end();
    report.end({ type: 'FatalCancellationError', message: 'Operation cancelled.' });
    const lines = written.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ type, model, status }) => ({ type, model, status }))).toEqual([
      { type: 'init', model: 'pro', status: undefined },
      { type: 'result', model: undefined, status: 'success' },
    ]);
  });
});
