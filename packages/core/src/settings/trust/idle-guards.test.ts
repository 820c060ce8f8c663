/** Protective settings that have no effect yet. */
import { expect, it } from 'vitest';
import { idleGuards } from './idle-guards.js';

const hook = { matcher: '*', hooks: [{ type: 'command' as const, command: 'true' }] };

it.each([
  [{ hooks: { BeforeTool: [hook], AfterTool: [{ hooks: [] }] } }, ['Security: hooks (BeforeTool): ']],
  [{ security: { blockGitExtensions: true } }, ['Security: security.blockGitExtensions: ']],
  [{ security: { allowedExtensions: ['x'] } }, ['Security: security.allowedExtensions: ']],
  [{ mcpServers: { a: { command: 'x' }, b: { disabled: true } } }, ['mcpServers (a): MCP servers are not']],
])('warns about %j', (settings, lines) => {
  expect(idleGuards(settings)).toEqual(lines.map((line) => expect.stringContaining(line)));
});

it.each([
  [{}],
  [{ hooks: { BeforeTool: [hook] }, hooksConfig: { enabled: false } }],
  [{ hooks: { BeforeTool: [] } }],
  [{ mcpServers: { b: { command: 'x', disabled: true } } }],
  [{ security: { blockGitExtensions: false, allowedExtensions: [] } }],
])('does not warn about %j', (settings) => {
  expect(idleGuards(settings)).toEqual([]);
});
