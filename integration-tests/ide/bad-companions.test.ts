/** Whatever lies where companions are looked for, the program works, and nothing of it reaches the model. */
import { expect, it } from 'vitest';
import { type CompanionOptions, text, userText } from '../test-utils.js';
import { editorRig } from './editor.js';

const STATE = { openFiles: [{ path: '/secret/plans.ts', timestamp: 1, isActive: true }], isTrusted: false };

it.each<[string, Partial<CompanionOptions>]>([
  ['a companion of another folder', { roots: ['/elsewhere'] }],
  ['a file that other users can change', { mode: 0o666 }],
  ['a file that is cut off', { rawFile: '{"port": 12' }],
  ['a file of an editor that has ended', { file: { port: 9 } }],
  ['a companion that refuses the token', { token: 'another' }],
  ['a companion that never answers', { before: () => true }],
  ['a companion that hangs up', { before: (request) => !!request.socket.destroy() }],
])('%s does no harm', async (_what, options) => {
  const { rig } = await editorRig({ state: STATE, ...options });
  rig.model.replies([text('done')]);
  const run = await rig.cli('-p', 'hello');
  expect([run.exitCode, run.stdout.trim(), run.stderr]).toEqual([0, 'done', '']);
  expect(userText(rig)).not.toContain('editor_context');
});
