import { describe, expect, it } from 'vitest';
import {
  callTool,
  chunk,
  chunks,
  peakMemory,
  runTool,
  runTools,
  testRig,
  text,
  toolResponses,
} from '../test-utils.js';

describe('A call that the program cannot make', () => {
  it('to an unknown tool is answered with similar names', async () => {
    const rig = await testRig();
    const { answer, result, run } = await runTool(rig, 'read_fil', { file_path: 'a' });
    expect(answer.error).toMatch(/read_fil.*not found[\s\S]*read_file/i);
    expect(result).toMatchObject({ status: 'error', error: { type: 'tool_not_registered' } });
    expect(run.exitCode).toBe(0);
  });

  it.each([
    ['a missing parameter', 'read_file', {}, /file_path/],
    ['a wrong type', 'read_file', { file_path: 7 }, /params\.file_path must be a string/],
    [
      'a wrong type deep inside',
      'write_todos',
      {
        todos: [
          { description: 'a', status: 'pending' },
          { description: 'b', status: 'later' },
        ],
      },
      /params\.todos\[1\]\.status/,
    ],
    ['a number out of range', 'read_file', { file_path: 'a', start_line: 0 }, /params\.start_line/],
    ['a list instead of an object', 'read_file', ['a'], /params/],
    ['text instead of an object', 'read_file', 'a.txt', /params/],
    ['nothing', 'read_file', null, /params|file_path/],
  ])(
    'with malformed arguments (%s) is answered with the place of the mistake',
    async (_what, name, args, place) => {
      const rig = await testRig({ files: { a: 'x' } });
      rig.model.replies([callTool(name, args)], [text('ok')]);
      const run = await rig.cli('-p', 'x', '-m', 'gemini-2.5-flash', '-o', 'stream-json');
      expect(run.exitCode, run.stderr).toBe(0);
      expect(toolResponses(rig)[0]?.response.error).toMatch(place);
      expect(run.events().find(({ type }) => type === 'tool_result')).toMatchObject({
        error: { type: 'invalid_tool_params' },
      });
    },
  );

  it('without a name neither crashes nor is ignored', async () => {
    const rig = await testRig();
    rig.model.replies([
      chunk({
        candidates: [
          { content: { role: 'model', parts: [{ functionCall: { args: {} } }] }, finishReason: 'STOP' },
        ],
      }),
    ]);
    rig.model.otherwise(() => [text('ok')]);
    const run = await rig.cli('-p', 'x', '-o', 'stream-json');
    expect(run.events().at(-1)).toMatchObject({ type: 'result' });
    expect(run.stderr).not.toMatch(/TypeError|^\s+at /m);
  });
});

describe('Too much output', () => {
  it('of a thousand calls in one turn is run and answered in order', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A' } });
    const calls = Array.from({ length: 1000 }, (_, index) =>
      callTool('read_file', { file_path: index % 2 ? 'a.txt' : `no-${index}.txt` }, `c${index}`),
    );
    const { answers, run } = await runTools(rig, calls);
    expect(run.exitCode).toBe(0);
    expect(answers.map(({ id }) => id)).toEqual(calls.map((_, index) => `c${index}`));
    expect(answers.filter(({ response }) => response.output === 'A')).toHaveLength(500);
  });

  it('of 50 MB of text arrives whole, with bounded memory', async () => {
    const rig = await testRig();
    const piece = `${Array.from({ length: 1000 }, (_, index) => `words ${index}`).join(' ')}\n`;
    const count = Math.ceil(50_000_000 / piece.length);
    let peak = Number.NaN;
    function* pieces() {
      for (let index = 0; index < count; index++) {
        if (index === count - 1) peak = peakMemory(run.pid);
        yield piece;
      }
    }
    rig.model.replies([chunks(pieces())]);
    const run = rig.spawn('-p', 'x', { timeoutMs: 60_000 });
    const { exitCode, stdoutBytes } = await run.done;
    expect(exitCode).toBe(0);
    expect(stdoutBytes.length).toBe(piece.length * count);
    expect(peak).toBeLessThan(400);
  }, 90_000);

  it('of a tool is cut before it is sent to the model', async () => {
    const rig = await testRig({ files: { 'wide.txt': `${'x'.repeat(1990)}\n`.repeat(1900) } });
    const { answer } = await runTool(rig, 'read_file', { file_path: 'wide.txt' });
    expect(answer.output?.length).toBeLessThan(60_000);
  });

  it('of a thousand equal calls in one turn: none runs, all are answered', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A' } });
    const calls = Array.from({ length: 1000 }, (_, index) =>
      callTool('read_file', { file_path: 'a.txt' }, `c${index}`),
    );
    const { answers, run } = await runTools(rig, calls);
    expect(run.exitCode).toBe(0);
    expect(answers.map(({ id }) => id)).toEqual(calls.map((_, index) => `c${index}`));
    expect(answers.filter(({ response }) => response.error?.includes('part of a loop'))).toHaveLength(1000);
  });

  it('of the same call without end is stopped', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A' } });
    rig.model.otherwise(() => [callTool('read_file', { file_path: 'a.txt' })]);
    const run = await rig.cli('-p', 'x', '-o', 'stream-json');
    expect(rig.model.requests).toHaveLength(10);
    expect(run.events().at(-1)).toMatchObject({ type: 'result' });
  });
});

describe('hostile text', () => {
  it('with control characters reaches neither terminal nor JSON', async () => {
    const rig = await testRig();
    rig.model.repeat(2, [text('safe\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\\x1b[?1049h\x9b2J')]);
    const plain = await rig.cli('-p', 'x');
    expect(plain.stdout).toBe('safelink\n');
    const json = await rig.cli('-p', 'x', '-o', 'stream-json');
    expect(json.stdout).not.toMatch(/[\x1b\x9b]/);
  });

  it("in a server's error message is made harmless", async () => {
    const rig = await testRig();
    rig.model.replies([
      {
        do: 'respond',
        status: 400,
        headers: {},
        body: JSON.stringify({ error: { code: 400, message: 'bad \x1b]52;c;AAAA\x07 thing\x1b[2J' } }),
      },
    ]);
    const run = await rig.cli('-p', 'x', { env: { NO_COLOR: '1' } });
    expect(run.stderr).toContain('bad');
    expect(run.stderr).not.toContain('\x1b');
  });
});
