import type { AgentEventBody, CompletedToolCall } from '@gemini-cli/core';
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

function failedCall(type: string | undefined, message: string): AgentEventBody {
  const call: CompletedToolCall = {
    request: { callId: 'c', name: 'run_shell_command', args: {}, promptId: 'p' },
    status: 'error',
    response: { callId: 'c', responseParts: [], error: { message, ...(type && { type }) } },
    durationMs: 1,
    decision: 'auto_accept',
  };
  return { type: 'tool_finished', call };
}

describe('model text in a report', () => {
  const chunks = ['a\u001b', '[3', '1mb', '\u001b[0m\n'];

  it('has no terminal sequences, even if the stream splits one', () => {
    const { report, written } = makeReport();
    for (const text of chunks) report.handle({ type: 'content', text });
    expect(written.out).toBe('ab\n');
  });

  it('has no characters that reorder or hide text, except in JSON', () => {
    const text = 'a\u202eb\u200b\u{e0041}c\n';
    const plain = makeReport();
    plain.report.handle({ type: 'content', text });
    expect(plain.written.out).toBe('abc\n');
    const json = makeReport('stream-json');
    json.report.handle({ type: 'content', text });
    expect(json.written.out).not.toContain('\u202e');
    expect(JSON.parse(json.written.out).content).toBe(text);
  });

  it('keeps terminal sequences with raw output', () => {
    const { report, written } = makeReport('text', true);
    for (const text of chunks) report.handle({ type: 'content', text });
    expect(written.out).toBe(chunks.join(''));
  });

  it('is complete before the next event is reported', () => {
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

describe('failed tools in a report', () => {
  it('are reported on stderr in every format', () => {
    for (const format of ['text', 'json', 'stream-json'] as const) {
      const { report, written } = makeReport(format);
      report.handle(failedCall('shell_execute_error', 'no \u001b[31mluck'));
      expect(written.err).toBe('Error executing tool run_shell_command: no luck\n');
    }
  });

  it('cannot forge lines, colours, titles or names, nor can warnings', () => {
    const hostile = 'x\u001b]0;pwned\u0007\u001b[2K\r\n[ERROR] forged\u202e\u009b1A';
    const { report, written } = makeReport();
    const failure = failedCall('execution_failed', `server ${hostile}: branch ${hostile}`);
    if (failure.type === 'tool_finished') failure.call.request.name = `mcp_${hostile}`;
    report.handle(failure);
    report.handle({ type: 'warning', message: `file ${hostile}` });
    report.warn(`setting ${hostile}`);
    report.end({ type: 'Error', message: `model ${hostile}` });
    const own = written.err.replaceAll('\u001b[31m', '').replaceAll('\u001b[0m', '');
    expect(own).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(own.trimEnd().split('\n')).toHaveLength(4);
  });

  it('are not reported twice when they end the run', () => {
    const { report, written } = makeReport();
    report.handle(failedCall('no_space_left', 'disk full'));
    report.handle(failedCall('stop_execution', 'enough'));
    expect(written.err).toBe('');
  });
});

describe('the end of a report', () => {
  it('is written once, in the format of the settings', () => {
    const { report, written } = makeReport();
    report.configure({ env: process.env, format: 'stream-json', model: 'pro' });
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
