import { describe, expect, it } from 'vitest';
import { apiError, callTool, testRig, text, usage, version } from '../test-utils.js';

const MODEL = 'gemini-2.5-flash';

describe('json format', () => {
  it('prints one indented object with session, response and statistics', async () => {
    const rig = await testRig();
    rig.model.replies([
      text('Hel'),
      text('lo'),
      usage({
        promptTokenCount: 100,
        candidatesTokenCount: 20,
        cachedContentTokenCount: 30,
        thoughtsTokenCount: 4,
        toolUsePromptTokenCount: 2,
        totalTokenCount: 126,
      }),
    ]);
    const run = await rig.cli('-p', 'x', '-m', MODEL, '-o', 'json');
    expect(run.stderr).toBe('');
    const output = run.json();
    expect(run.stdout).toBe(`${JSON.stringify(output, null, 2)}\n`);
    const tokens = { input: 70, prompt: 100, candidates: 20, total: 126, cached: 30, thoughts: 4, tool: 2 };
    const latency = expect.any(Number);
    expect(output).toEqual({
      session_id: expect.stringMatching(/^[A-Za-z0-9_-]+$/),
      response: 'Hello',
      stats: {
        models: {
          [MODEL]: {
            api: { totalRequests: 1, totalErrors: 0, totalLatencyMs: latency },
            tokens,
            roles: { main: { totalRequests: 1, totalErrors: 0, totalLatencyMs: latency, tokens } },
          },
        },
        tools: {
          totalCalls: 0,
          totalSuccess: 0,
          totalFail: 0,
          totalDurationMs: 0,
          totalDecisions: { accept: 0, reject: 0, modify: 0, auto_accept: 0 },
          byName: {},
        },
        cost_usd: expect.any(Number),
        files: { totalLinesAdded: 0, totalLinesRemoved: 0 },
      },
    });
  });

  it('gives the text of the last turn only, and counts calls and changed lines', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    rig.model.replies(
      [text('first I look'), callTool('read_file', { file_path: 'a.txt' })],
      [
        callTool('write_file', { file_path: 'b.txt', content: 'x\ny\n' }),
        callTool('read_file', { file_path: 'no.txt' }),
      ],
      [text('all done')],
    );
    const output = (await rig.cli('-p', 'x', '-o', 'json', '--approval-mode', 'yolo')).json();
    expect(output.response).toBe('all done');
    const { tools, files } = output.stats ?? {};
    expect(tools).toMatchObject({
      totalCalls: 3,
      totalSuccess: 2,
      totalFail: 1,
      byName: { read_file: { count: 2, success: 1, fail: 1 }, write_file: { count: 1, success: 1, fail: 0 } },
    });
    expect(files).toEqual({ totalLinesAdded: 2, totalLinesRemoved: 0 });
  });

  it('counts under the model version the server reports', async () => {
    const rig = await testRig();
    rig.model.replies([text('hi'), version('gemini-2.5-flash-001')]);
    const output = (await rig.cli('-p', 'x', '-m', MODEL, '-o', 'json')).json();
    expect(Object.keys(output.stats?.models ?? {})).toEqual(['gemini-2.5-flash-001']);
  });

  it('removes terminal sequences from the response', async () => {
    const rig = await testRig();
    rig.model.replies([text('a\x1b[31mb\x1b[0m')]);
    expect((await rig.cli('-p', 'x', '-o', 'json')).json().response).toBe('ab');
  });

  it('prints the error object on stdout and on stderr', async () => {
    const rig = await testRig();
    rig.model.replies([apiError(400, 'The request was bad.')]);
    const run = await rig.cli('-p', 'x', '-o', 'json');
    expect(run.exitCode).toBe(1);
    const output = run.json();
    expect(output.session_id).toEqual(expect.any(String));
    expect(output.error).toMatchObject({
      message: expect.stringContaining('The request was bad.'),
      code: 400,
    });
    expect(JSON.parse(run.stderr)).toEqual(output);
  });

  it('keeps stdout pure in debug mode', async () => {
    const rig = await testRig();
    rig.model.replies([text('hi')]);
    expect((await rig.cli('-p', 'x', '-o', 'json', '--debug')).json().response).toBe('hi');
  });

  it('is chosen by the setting output.format too, and the flag wins', async () => {
    const rig = await testRig({ settings: { output: { format: 'json' } } });
    rig.model.repeat(2, [text('hi')]);
    expect((await rig.cli('-p', 'x')).json().response).toBe('hi');
    expect((await rig.cli('-p', 'x', '-o', 'text')).stdout).toBe('hi\n');
  });

  it('carries an error that comes before the model is asked', async () => {
    const rig = await testRig({ env: { GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined } });
    const run = await rig.cli('-p', 'x', '-o', 'json');
    expect(run.exitCode).toBe(41);
    expect(run.json().error).toMatchObject({ type: 'FatalAuthenticationError', code: 41 });
  });
});
