/** Protective settings that have no effect yet. */
import { expect, it } from 'vitest';
import { idleGuards } from './idle-guards.js';

it.each([
  [{ security: { blockGitExtensions: true } }, ['Security: security.blockGitExtensions: ']],
  [{ security: { allowedExtensions: ['x'] } }, ['Security: security.allowedExtensions: ']],
])('warns about %j', (settings, lines) => {
  expect(idleGuards(settings)).toEqual(lines.map((line) => expect.stringContaining(line)));
});

it.each([
  [{}],
  [{ hooks: { BeforeTool: [{ hooks: [{ type: 'command' as const, command: 'true' }] }] } }],
  [{ mcpServers: { b: { command: 'x' } } }],
  [{ security: { blockGitExtensions: false, allowedExtensions: [] } }],
])('does not warn about %j', (settings) => {
  expect(idleGuards(settings)).toEqual([]);
});
