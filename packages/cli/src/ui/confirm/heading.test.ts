import { expect, it } from 'vitest';
import { headingOf } from './heading.js';

it.each([
  ['edit', 'Confirm Edit: src/a.ts', 'Edit', 'Edit src/a.ts'],
  ['edit', 'Confirm Write: src/a.ts', 'WriteFile', 'WriteFile src/a.ts'],
  ['edit', 'Confirm Edit: ~/GEMINI.md', 'SaveMemory', 'SaveMemory ~/GEMINI.md'],
  ['exec', 'Confirm Shell Command', 'Shell', 'Shell'],
  ['exec', 'Confirm Shell Expansion', 'Custom command', 'Custom command: Confirm Shell Expansion'],
  ['info', 'Enter Plan Mode', 'Enter Plan Mode', 'Enter Plan Mode'],
  ['info', 'Confirm Web Fetch', 'WebFetch', 'WebFetch'],
  ['info', 'Confirm: SaveMemory', 'SaveMemory', 'SaveMemory'],
  ['info', 'Confirm', 'A Tool', 'A Tool: Confirm'],
] as const)('a question of type %s titled %j of the tool %j', (type, title, name, heading) => {
  expect(headingOf({ details: { type, title }, name })).toBe(heading);
});

it('names the sub-agent, and shows hidden characters', () => {
  const details = { type: 'edit', title: 'Confirm Edit: a\u202e.ts' } as const;
  expect(headingOf({ details, name: 'Edit', subagent: 'helper' })).toBe('Edit (agent helper) a\\u{202E}.ts');
});
