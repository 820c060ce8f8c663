import { describe, expect, it, onTestFinished } from 'vitest';
import {
  anthropicError,
  anthropicErrorEvent,
  callInPieces,
  callTool,
  cut,
  finish,
  type RigOptions,
  redactedThinking,
  startAnthropicServer,
  testRig,
  text,
  thinking,
  usage,
} from '../test-utils.js';

const MODEL = 'anthropic/claude-x';

/** The whole program against a scripted Messages API; no Google account is needed. */
async function anthropicRig(options: RigOptions = {}) {
  const claude = await startAnthropicServer();
  onTestFinished(async () => {
    await claude.close();
    expect(claude.refused).toEqual([]);
  });
  const rig = await testRig({
    ...options,
    env: {
      GEMINI_API_KEY: undefined,
      GOOGLE_GEMINI_BASE_URL: undefined,
      ANTHROPIC_API_KEY: 'sk-secret-of-the-test',
      ANTHROPIC_BASE_URL: claude.url,
      ...options.env,
    },
  });
  return { rig, claude };
}

describe('a Claude model', () => {
  it('answers with its tools declared and without a request to Google', async () => {
    const { rig, claude } = await anthropicRig();
    claude.replies([text('Hello '), text('there')]);
    const run = await rig.cli('-m', MODEL, '-p', 'hi');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toBe('Hello there\n');
    const { body, headers } = claude.lastRequest();
    expect(headers).toMatchObject({
      'x-api-key': 'sk-secret-of-the-test',
      'anthropic-version': '2023-06-01',
    });
    expect(body).toMatchObject({ model: 'claude-x', max_tokens: 8192, stream: true });
    expect(body.messages.at(-1)?.content.at(-1)?.text).toBe('hi');
    expect(body.system?.at(-1)).toMatchObject({ cache_control: { type: 'ephemeral' } });
    expect(body.tools?.map(({ name }) => name)).toContain('read_file');
    expect(rig.model.requests).toEqual([]);
  });

  it('uses tools and gets its signed thinking back with the results', async () => {
    const { rig, claude } = await anthropicRig({ files: { 'a.txt': 'A', 'b.txt': 'B' } });
    claude.replies(
      [
        thinking('Two files.\n\nBoth matter.', 'sig-1'),
        redactedThinking('aGlkZGVu'),
        text('I read them.'),
        callTool('read_file', { file_path: 'a.txt' }, 'toolu_1'),
        callTool('read_file', { file_path: 'b.txt' }, 'toolu_2'),
      ],
      [thinking('Write.', 'sig-2'), callTool('write_file', { file_path: 'c.txt', content: 'AB' }, 'toolu_3')],
      [text('done')],
    );
    const run = await rig.cli('-m', MODEL, '-p', 'join them', '--approval-mode', 'yolo');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toContain('done');
    expect(rig.read('c.txt')).toBe('AB');
    const [, answer, results, second, last] = claude.lastRequest().body.messages;
    expect(answer).toEqual({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Two files.\n\nBoth matter.', signature: 'sig-1' },
        { type: 'redacted_thinking', data: 'aGlkZGVu' },
        { type: 'text', text: 'I read them.' },
        { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { file_path: 'a.txt' } },
        { type: 'tool_use', id: 'toolu_2', name: 'read_file', input: { file_path: 'b.txt' } },
      ],
    });
    expect(results?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'toolu_1', content: 'A' },
      { type: 'tool_result', tool_use_id: 'toolu_2', content: 'B' },
    ]);
    expect(second?.content[0]).toEqual({ type: 'thinking', thinking: 'Write.', signature: 'sig-2' });
    expect(last?.content).toMatchObject([{ type: 'tool_result', tool_use_id: 'toolu_3' }]);
  });

  it('is told about a failed tool', async () => {
    const { rig, claude } = await anthropicRig();
    claude.replies([callTool('read_file', { file_path: 'none.txt' }, 'toolu_1')], [text('ok')]);
    expect((await rig.cli('-m', MODEL, '-p', 'x')).exitCode).toBe(0);
    expect(claude.lastRequest().body.messages.at(-1)?.content).toMatchObject([
      { type: 'tool_result', tool_use_id: 'toolu_1', is_error: true },
    ]);
  });

  it('has all its tokens counted, cached ones too', async () => {
    const { rig, claude } = await anthropicRig();
    claude.replies([
      text('ok'),
      usage({ promptTokenCount: 1000, cachedContentTokenCount: 900, candidatesTokenCount: 20 }),
    ]);
    const { stats } = (await rig.cli('-m', MODEL, '-p', 'x', '-o', 'json')).json();
    expect(JSON.stringify(stats)).toMatch(/"prompt":1000.*"cached":900/);
  });
});

describe('A failure', () => {
  it.each([
    ['429 with retry-after', [anthropicError(429, 'rate_limit_error', 'Slow down', { 'retry-after': '0' })]],
    ['529 with retry-after', [anthropicError(529, 'overloaded_error', 'Overloaded', { 'retry-after': '0' })]],
    ['overload inside the stream', [text('hal'), anthropicErrorEvent('overloaded_error', 'Overloaded')]],
    ['a stream that is cut', [text('hal'), cut()]],
    ['a call that cannot be read', [callInPieces('write_file', ['{"file_path": "x'])]],
    ['a call cut by the output limit', [callInPieces('write_file', []), finish('max_tokens')]],
  ])('(%s) is retried', async (_what, failing) => {
    const { rig, claude } = await anthropicRig();
    claude.replies(failing, [text('half of it and the rest')]);
    const run = await rig.cli('-m', MODEL, '-p', 'x', '--approval-mode', 'yolo');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toContain('half of it and the rest');
    expect(run.stderr).toMatch(/attempt 1\/\d+.*retrying in/i);
    const [first, second] = claude.requests;
    expect(second?.body.messages.slice(0, 1)).toEqual(first?.body.messages.slice(0, 1));
  });

  it.each([
    ['401', [anthropicError(401, 'authentication_error', 'invalid x-api-key')], 41, 'Check the API key'],
    ['404', [anthropicError(404, 'not_found_error', 'model: claude-x')], 404, 'Check the name of the model'],
    ['413', [anthropicError(413, 'request_too_large', 'too many bytes')], 413, '/compress'],
    [
      'an empty account',
      [anthropicError(400, 'invalid_request_error', 'Your credit balance is too low')],
      400,
      'Add credit',
    ],
  ])(
    '%s ends at once: provider, model, status and remedy in one message',
    async (_what, failing, code, remedy) => {
      const { rig, claude } = await anthropicRig();
      claude.replies(failing);
      const run = await rig.cli('-m', MODEL, '-p', 'x', '-o', 'json');
      // Refused credentials have an exit code of their own, which the JSON shows.
      expect(run.exitCode).toBe(code === 41 ? 41 : 1);
      expect(claude.requests).toHaveLength(1);
      const { error } = run.json();
      expect(error).toMatchObject({ code, message: expect.stringContaining(remedy) });
      expect(error?.message).toMatch(/anthropic\/claude-x: .*\(HTTP \d+, \w+\)/);
      expect(run.stdout + run.stderr).not.toContain('sk-secret-of-the-test');
    },
  );

  it('by a missing key is reported before anything is sent', async () => {
    const { rig } = await anthropicRig({
      env: { ANTHROPIC_API_KEY: undefined, ANTHROPIC_BASE_URL: 'https://claude.invalid' },
    });
    const run = await rig.cli('-m', MODEL, '-p', 'x');
    expect(run.exitCode).toBe(41);
    expect(run.stderr).toContain('ANTHROPIC_API_KEY');
  });
});
