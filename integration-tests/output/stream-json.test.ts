import { describe, expect, it } from 'vitest';
import { apiError, callTool, testRig, text, usage, waitUntil } from '../test-utils.js';

const MODEL = 'gemini-2.5-flash';
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('stream-json format', () => {
  it('emits init, the prompt, chunks and the result', async () => {
    const rig = await testRig();
    rig.model.replies([
      text('Hel'),
      text('lo'),
      usage({
        promptTokenCount: 100,
        candidatesTokenCount: 20,
        cachedContentTokenCount: 30,
        totalTokenCount: 120,
      }),
    ]);
    const run = await rig.cli('-p', 'say hello', '-m', MODEL, '-o', 'stream-json');
    const tokens = { total_tokens: 120, input_tokens: 100, output_tokens: 20, cached: 30, input: 70 };
    const events = run.events();
    expect(events).toEqual([
      { type: 'init', timestamp, session_id: expect.any(String), model: MODEL },
      { type: 'message', timestamp, role: 'user', content: 'say hello' },
      { type: 'message', timestamp, role: 'assistant', content: 'Hel', delta: true },
      { type: 'message', timestamp, role: 'assistant', content: 'lo', delta: true },
      {
        type: 'result',
        timestamp,
        status: 'success',
        stats: {
          ...tokens,
          duration_ms: expect.any(Number),
          tool_calls: 0,
          models: { [MODEL]: tokens },
          cost_usd: expect.any(Number),
        },
      },
    ]);
    expect(run.stdout).toBe(`${events.map((event) => JSON.stringify(event)).join('\n')}\n`);
  });

  it('emits every call with its arguments and its result under the same id', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\ntwo\n' } });
    rig.model.replies(
      [
        callTool('read_file', { file_path: 'a.txt', start_line: 1, end_line: 1 }, 'id-1'),
        callTool('read_file', { file_path: 'no.txt' }, 'id-2'),
      ],
      [text('ok')],
    );
    const run = await rig.cli('-p', 'x', '-o', 'stream-json');
    const events = run.events();
    expect(events.map(({ type }) => type)).toEqual([
      'init',
      'message',
      'tool_use',
      'tool_use',
      'tool_result',
      'tool_result',
      'message',
      'result',
    ]);
    const uses = events.filter(({ type }) => type === 'tool_use');
    expect(uses).toMatchObject([
      { tool_name: 'read_file', parameters: { file_path: 'a.txt', start_line: 1, end_line: 1 } },
      { tool_name: 'read_file', parameters: { file_path: 'no.txt' } },
    ]);
    const results = events.filter(({ type }) => type === 'tool_result');
    const byId = new Map(results.map((result) => [result['tool_id'], result]));
    expect(byId.get(uses[0]?.['tool_id'])).toMatchObject({
      status: 'success',
      output: 'Read lines 1-1 of 2 from a.txt',
    });
    expect(byId.get(uses[1]?.['tool_id'])).toMatchObject({
      status: 'error',
      error: { type: 'file_not_found', message: expect.stringContaining('no.txt') },
    });
    expect(events.at(-1)).toMatchObject({ status: 'success', stats: { tool_calls: 2 } });
  });

  it('shows the prompt as it was before references were expanded', async () => {
    const rig = await testRig({ files: { 'a.txt': 'secret text' } });
    rig.model.replies([text('ok')]);
    const events = (await rig.cli('-p', 'explain @a.txt', '-o', 'stream-json')).events();
    expect(events[1]).toMatchObject({ role: 'user', content: 'explain @a.txt' });
  });

  it('flushes each event at once', async () => {
    const rig = await testRig();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    rig.model.replies([text('early'), waitUntil(released), text('late')]);
    const run = rig.spawn('-p', 'x', '-o', 'stream-json');
    await run.waitForStdout('"early"');
    release();
    expect((await run.done).exitCode).toBe(0);
  });

  it('ends with a result also when the API fails, with the real duration', async () => {
    const rig = await testRig();
    rig.model.replies([apiError(403, 'Key not allowed here.')]);
    const run = await rig.cli('-p', 'x', '-o', 'stream-json');
    expect(run.exitCode).toBe(1);
    const events = run.events();
    expect(events[0]).toMatchObject({ type: 'init' });
    expect(events.at(-1)).toMatchObject({
      type: 'result',
      status: 'error',
      error: { message: expect.stringMatching(/^\[API Error: Key not allowed here\. \(HTTP 403 from /) },
    });
    const stats = events.at(-1)?.['stats'] as { duration_ms: number };
    expect(stats.duration_ms).toBeGreaterThan(0);
  });

  it('ends with a result when there are no credentials', async () => {
    const rig = await testRig({ env: { GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined } });
    const run = await rig.cli('-p', 'x', '-o', 'stream-json');
    expect(run.exitCode).toBe(41);
    const events = run.events();
    expect(events[0]).toMatchObject({ type: 'init' });
    expect(events.at(-1)).toMatchObject({
      type: 'result',
      status: 'error',
      error: { type: 'FatalAuthenticationError' },
    });
  });

  it('keeps newlines, quotes and characters beyond the BMP', async () => {
    const rig = await testRig();
    const odd = 'a "b"\n\\ \u2028 😀 é';
    rig.model.replies([text(odd)]);
    const events = (await rig.cli('-p', 'x', '-o', 'stream-json')).events();
    expect(events[2]).toMatchObject({ content: odd });
  });
});
