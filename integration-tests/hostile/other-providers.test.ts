/** What models do wrong behind servers other than Google's. */
import { describe, expect, it } from 'vitest';
import { callTool, chunks, peakMemory, type Step, text } from '../test-utils.js';
import { ANTHROPIC, OPENAI, toolAnswers, type Wire, wireRig } from '../wires.js';

const OTHERS: [string, Wire][] = [
  ['OpenAI', OPENAI],
  ['Anthropic', ANTHROPIC],
];

describe.each(OTHERS)('%s', (_name, wire) => {
  it.each<[string, Step, RegExp]>([
    [
      'an unknown tool',
      callTool('read_fil', { file_path: 'a' }, 'c'),
      /read_fil.*not found[\s\S]*read_file/i,
    ],
    ['a missing parameter', callTool('read_file', {}, 'c'), /file_path/],
    [
      'a parameter of the wrong type',
      callTool('read_file', { file_path: 7 }, 'c'),
      /file_path must be a string/,
    ],
  ])('(%s): the model is told', async (_what, call, says) => {
    const { rig, server, args } = await wireRig(wire);
    server.replies([call], [text('ok')]);
    const run = await rig.cli('-p', 'x', ...args, '-o', 'stream-json');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(toolAnswers(server.requests.at(-1)?.body)).toEqual([
      { id: 'c', text: expect.stringMatching(says) },
    ]);
    expect(run.events().find(({ type }) => type === 'tool_result')).toMatchObject({ status: 'error' });
  });

  it.each<[string, unknown]>([
    ['a list', ['half.txt', 'x']],
    ['a text', 'half.txt'],
    ['a number', 7],
  ])('%s instead of arguments is requested again, never run', async (_what, given) => {
    const { rig, server, args } = await wireRig(wire);
    const call = callTool('write_file', wire === OPENAI ? JSON.stringify(given) : given, 'c');
    server.replies([text('see'), call], [text('recovered')]);
    const run = await rig.cli('-p', 'x', ...args, '--approval-mode', 'yolo', '-o', 'json');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.json().response).toBe('recovered');
    expect(run.json().stats?.tools.totalCalls).toBe(0);
  });

  it('runs a thousand calls in one turn and answers them in order', async () => {
    const { rig, server, args } = await wireRig(wire, { files: { 'a.txt': 'A' } });
    const ids = Array.from({ length: 1000 }, (_, index) => `c${index}`);
    const calls = ids.map((id, index) =>
      callTool('read_file', { file_path: index % 2 ? 'a.txt' : `no-${index}.txt` }, id),
    );
    server.replies(calls, [text('done')]);
    const run = await rig.cli('-p', 'x', ...args);
    expect({ code: run.exitCode, out: run.stdout }, run.stderr).toEqual({ code: 0, out: 'done\n' });
    expect(toolAnswers(server.requests.at(-1)?.body).map(({ id }) => id)).toEqual(ids);
  });

  it('stops the same call without end', async () => {
    const { rig, server, args } = await wireRig(wire, { files: { 'a.txt': 'A' } });
    server.replies(...Array.from({ length: 20 }, () => [callTool('read_file', { file_path: 'a.txt' })]));
    const run = await rig.cli('-p', 'x', ...args, '-o', 'stream-json');
    expect(server.requests).toHaveLength(10);
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.events().at(-1)).toMatchObject({ type: 'result', status: 'success' });
  });
});

describe('Another provider', () => {
  it('can send 50 MB of text with bounded memory', async () => {
    const { rig, server, args } = await wireRig(OPENAI);
    const piece = `${Array.from({ length: 1000 }, (_, index) => `words ${index}`).join(' ')}\n`;
    const count = Math.ceil(50_000_000 / piece.length);
    let peak = Number.NaN;
    function* pieces() {
      for (let index = 0; index < count; index++) {
        if (index === count - 1) peak = peakMemory(run.pid);
        yield piece;
      }
    }
    server.replies([chunks(pieces())]);
    const run = rig.spawn('-p', 'x', ...args, { timeoutMs: 60_000 });
    const { exitCode, stdoutBytes } = await run.done;
    expect(exitCode).toBe(0);
    expect(stdoutBytes.length).toBe(piece.length * count);
    expect(peak).toBeLessThan(400);
  }, 90_000);
});
