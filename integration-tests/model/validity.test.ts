import { describe, expect, it } from 'vitest';
import {
  blocked,
  callTool,
  chunk,
  emptyStop,
  finish,
  malformedCall,
  testRig,
  text,
  thought,
} from '../test-utils.js';

describe('An invalid answer', () => {
  it.each([
    [
      'no finish reason',
      [chunk({ candidates: [{ content: { role: 'model', parts: [{ text: 'half' }] } }] })],
    ],
    ['a malformed call', [malformedCall()]],
    ['an unexpected call', [finish('UNEXPECTED_TOOL_CALL')]],
    ['nothing', [emptyStop()]],
    ['an invisible text', [text('\u200b<!-- nothing -->')]],
  ])('with %s is requested again', async (_what, reply) => {
    const rig = await testRig();
    rig.model.replies(reply, [text('better')]);
    const run = await rig.cli('-p', 'x', '-o', 'json');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.json().response).toBe('better');
    expect(rig.model.requests).toHaveLength(2);
  });

  it('of thoughts only is requested again with a note', async () => {
    const rig = await testRig();
    rig.model.replies([thought('**Hm** only thinking')], [text('answer')]);
    const run = await rig.cli('-p', 'x');
    expect(run.stdout).toBe('answer\n');
    const sizes = rig.model.requests.map(({ body }) => JSON.stringify(body.contents).length);
    expect(sizes[1]).toBeGreaterThan(sizes[0] ?? 0);
  });

  it('is requested three more times, then INVALID_STREAM and exit code 1', async () => {
    const rig = await testRig();
    rig.model.otherwise(() => [emptyStop()]);
    const run = await rig.cli('-p', 'x', '-o', 'stream-json');
    expect(run.exitCode).toBe(1);
    expect(rig.model.requests).toHaveLength(4);
    const events = run.events();
    expect(events.filter(({ type }) => type === 'error').at(-1)).toMatchObject({ severity: 'error' });
    expect(events.at(-1)).toMatchObject({
      type: 'result',
      status: 'error',
      error: { type: 'INVALID_STREAM' },
    });
  });

  it('is not an empty STOP right after a tool result, which is a normal end', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A' } });
    rig.model.replies([callTool('read_file', { file_path: 'a.txt' })], [emptyStop()]);
    const { exitCode, stdout } = await rig.cli('-p', 'x');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(rig.model.requests).toHaveLength(2);
  });

  it('is not text with a call in the same chunk: both are used', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A' } });
    const both = chunk({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ text: 'see' }, { functionCall: { name: 'read_file', args: { file_path: 'a.txt' } } }],
          },
          finishReason: 'STOP',
        },
      ],
    });
    rig.model.replies([both], [text('ok')]);
    expect((await rig.cli('-p', 'x')).stdout).toBe('see\nok\n');
  });
});

describe('A refusal', () => {
  it.each(['SAFETY', 'RECITATION', 'PROHIBITED_CONTENT'])(
    '%s without text is reported, not repeated',
    async (reason) => {
      const rig = await testRig();
      rig.model.replies([finish(reason)]);
      const run = await rig.cli('-p', 'x', '-o', 'json');
      expect(run.exitCode).toBe(1);
      expect(run.json().error).toMatchObject({ type: 'INVALID_STREAM' });
      expect(rig.model.requests).toHaveLength(1);
    },
  );

  it.each(['SAFETY', 'BLOCKLIST', 'OTHER'])(
    'a prompt blocked for %s is an error naming the reason',
    async (reason) => {
      const rig = await testRig();
      rig.model.replies([blocked(reason)]);
      const run = await rig.cli('-p', 'x', '-o', 'json');
      expect(run.exitCode).toBe(1);
      expect(run.json().error?.message).toContain(reason);
      expect(rig.model.requests).toHaveLength(1);
    },
  );
});
