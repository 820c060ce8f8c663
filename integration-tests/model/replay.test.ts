import { describe, expect, it } from 'vitest';
import { callTool, type TestRig, testRig, text, thought, usage } from '../test-utils.js';

const OFFLINE = { GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined };
const lines = (...entries: object[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('\n');
const stream = (...parts: object[]) => ({
  method: 'generateContentStream',
  response: [{ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }] }],
});

function replay(rig: TestRig, ...more: string[]) {
  return rig.cli('-p', 'x', '-m', 'any-name', ...more, { env: OFFLINE });
}

describe('--fake-responses', () => {
  it('answers from the file, with tools and without network or key', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A' } });
    const file = rig.writeHome(
      'r.jsonl',
      lines(
        stream({ text: 'see' }, { functionCall: { name: 'read_file', args: { file_path: 'a.txt' } } }),
        stream({ text: 'done' }),
      ),
    );
    const run = await replay(rig, '--fake-responses', file, '-o', 'json');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.json()).toMatchObject({ response: 'done', stats: { tools: { totalSuccess: 1 } } });
  });

  it('takes chunks with any field missing', async () => {
    const rig = await testRig();
    const response = [
      { candidates: [{ content: { parts: [{ text: 'a' }] } }] },
      { candidates: [{ content: {} }] },
      { usageMetadata: { totalTokenCount: 3 } },
      { candidates: [{ content: { parts: [{ text: 'b' }] }, finishReason: 'STOP' }] },
    ];
    const file = rig.writeHome('r.jsonl', lines({ method: 'generateContentStream', response }));
    expect((await replay(rig, '--fake-responses', file)).stdout).toBe('ab\n');
  });

  it.each([
    ['too few entries', [], 'No more mock responses for generateContentStream, got request:'],
    ['an entry of the wrong method', [{ method: 'generateContent', response: {} }], 'generateContent'],
  ])('with %s reports an API error and exits with 1', async (_what, entries, message) => {
    const rig = await testRig();
    const file = rig.writeHome('r.jsonl', lines(...entries));
    const run = await replay(rig, '--fake-responses', file, '-o', 'json');
    expect(run.exitCode).toBe(1);
    expect(run.json().error?.message).toContain(message);
  });

  it('ignores left-over entries, and every process starts at the first', async () => {
    const rig = await testRig();
    const file = rig.writeHome('r.jsonl', lines(stream({ text: 'one' }), stream({ text: 'two' })));
    expect((await replay(rig, '--fake-responses', file)).stdout).toBe('one\n');
    expect((await replay(rig, '--fake-responses', file)).stdout).toBe('one\n');
  });

  it('names a missing file', async () => {
    const rig = await testRig();
    const run = await replay(rig, '--fake-responses', rig.path('absent.jsonl'));
    expect(run.exitCode).not.toBe(0);
    expect(run.stderr).toContain('absent.jsonl');
  });
});

describe('--fake-responses-non-strict', () => {
  it('takes the first entry of the wanted method', async () => {
    const rig = await testRig();
    const file = rig.writeHome(
      'r.jsonl',
      lines(
        { method: 'generateContent', response: {} },
        { method: 'countTokens', response: { totalTokens: 1 } },
        stream({ text: 'found' }),
      ),
    );
    expect((await replay(rig, '--fake-responses-non-strict', file)).stdout).toBe('found\n');
  });
});

describe('--record-responses', () => {
  it('writes what can be replayed, candidates and usage only', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A' } });
    const file = rig.path('../home/recorded.jsonl');
    rig.model.replies(
      [
        thought('**T** hm'),
        callTool('read_file', { file_path: 'a.txt' }, { id: 'c', thoughtSignature: 's' }),
      ],
      [text('the '), text('answer'), usage({ totalTokenCount: 9 })],
    );
    const live = await rig.cli('-p', 'x', '-m', 'any-name', '--record-responses', file);
    expect(live.stdout).toBe('the answer\n');
    const recorded = rig
      .read('../home/recorded.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(recorded).toHaveLength(2);
    expect(recorded[1]).toEqual({
      method: 'generateContentStream',
      response: [
        { candidates: [{ content: { role: 'model', parts: [{ text: 'the ' }] }, index: 0 }] },
        {
          candidates: [
            { content: { role: 'model', parts: [{ text: 'answer' }] }, finishReason: 'STOP', index: 0 },
          ],
          usageMetadata: { totalTokenCount: 9 },
        },
      ],
    });
    expect((await replay(rig, '--fake-responses', file)).stdout).toBe('the answer\n');
    expect(rig.model.requests).toHaveLength(2);
  });
});
