import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testRig, text } from './test-utils.js';

it('what the model was sent can be read, with ids that a resumed session keeps', async () => {
  const rig = await testRig();
  const folder = join(rig.workspace, 'trace');
  const env = { GEMINI_CONTEXT_TRACE_DIR: folder, GEMINI_CONTEXT_TRACE_ENABLED: 'true' };
  rig.model.replies([text('One.')], [text('Two.')]);
  expect((await rig.cli('-p', 'first question', { env })).exitCode).toBe(0);
  expect((await rig.cli('-p', 'second question', '--resume', 'latest', { env })).exitCode).toBe(0);
  const rendered = readFileSync(join(folder, 'trace.log'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { renderedContext } = JSON.parse(line.slice(line.indexOf('| Details: ') + 11));
      const file = renderedContext.$asset;
      const turns = file ? JSON.parse(readFileSync(join(folder, 'assets', file), 'utf8')) : renderedContext;
      return turns.filter((turn: { content: unknown }) => JSON.stringify(turn.content).includes('question'));
    });
  expect(rendered.map((turns) => turns.length)).toEqual([1, 2]);
  expect(rendered[1][0].id).toBe(rendered[0][0].id);
});

it('nothing is traced unless the trace is enabled', async () => {
  const rig = await testRig();
  rig.model.replies([text('One.')]);
  await rig.cli('-p', 'x', { env: { GEMINI_CONTEXT_TRACE_DIR: join(rig.workspace, 'trace') } });
  expect(rig.exists('trace')).toBe(false);
});
