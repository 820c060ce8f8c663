/** `--output-schema`: one JSON value that fits, or an error that says why not. */
import { describe, expect, it } from 'vitest';
import { callTool, testRig, text } from '../test-utils.js';

const SCHEMA = JSON.stringify({
  type: 'object',
  properties: { answer: { type: 'integer' } },
  required: ['answer'],
  additionalProperties: false,
});
const FILES = { 'schema.json': SCHEMA, 'a.txt': '42\n' };
const ARGS = ['-p', 'how many?', '--output-schema', 'schema.json'];

describe('An answer with a schema', () => {
  it('is the JSON value and nothing else, whatever text is around it', async () => {
    const rig = await testRig({ files: FILES });
    rig.model.replies(
      [text('Let me look. '), callTool('read_file', { file_path: 'a.txt' })],
      [text('Here it is:\n```json\n{"answer": 42}\n```\nDone.')],
    );
    const run = await rig.cli(...ARGS);
    expect(run, run.stderr).toMatchObject({ exitCode: 0, stdout: '{"answer": 42}\n' });
  });

  it('is repaired when it does not fit', async () => {
    const rig = await testRig({ files: FILES });
    rig.model.replies([text('{"answer": "many"}')], [text('forty-two')], [text('{"answer": 42}')]);
    const run = await rig.cli(...ARGS, '-o', 'json');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.json().response).toBe('{"answer": 42}');
    expect(JSON.stringify(rig.model.requests[1]?.body.contents.at(-1))).toContain('integer');
  });

  it.each(['text', 'json', 'stream-json'])('that never fits is an error in %s', async (format) => {
    const rig = await testRig({ files: FILES });
    rig.model.replies([text('no')], [text('still no')], [text('never')]);
    const run = await rig.cli(...ARGS, '-o', format);
    expect(run.exitCode).toBe(1);
    expect(rig.model.requests).toHaveLength(3);
    if (format === 'text') expect(run.stderr).toContain('--output-schema');
    if (format === 'json') expect(run.json().error?.type).toBe('OUTPUT_SCHEMA');
    if (format === 'stream-json') {
      expect(run.events().at(-1)).toMatchObject({ status: 'error', error: { type: 'OUTPUT_SCHEMA' } });
    }
  });

  it.each([
    ['is missing', undefined],
    ['is not JSON', '{'],
    ['is not a schema', '{"type": "no such type"}'],
    ['refers to the network', '{"$ref": "https://example.com/schema.json"}'],
  ])('whose schema %s ends the run before anything is sent', async (_what, content) => {
    const rig = await testRig({ files: content === undefined ? {} : { 'schema.json': content } });
    const run = await rig.cli(...ARGS);
    expect(run.exitCode).toBe(42);
    expect(run.stderr).toContain('schema.json');
    expect(rig.model.requests).toEqual([]);
  });
});
