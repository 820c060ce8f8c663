import { ApprovalMode } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import { initialState, type UiState } from '../../store/state.js';
import { facts } from '../../testing/facts.test-helper.js';
import { Announcements } from './announcements.js';

const idle = initialState(facts, ApprovalMode.DEFAULT);
const tool = {
  callId: '1',
  name: 'x',
  displayName: 'Shell',
  description: 'ls\x1b[31m',
  status: 'executing',
} as const;

function said(...states: UiState[]): string[][] {
  const spoken = new Announcements();
  return states.map((state) => spoken.lines(state));
}

it('each change is announced once; an unchanged state announces nothing', () => {
  const working: UiState = { ...idle, streaming: 'responding' };
  const lines = said(idle, working, { ...working, thought: 'hm' }, { ...working, startedAt: 5 }, idle, idle);
  expect(lines).toEqual([[], ['Working. Esc cancels.'], [], [], ['Ready.'], []]);
});

it('start notices are announced, later ones when they come', () => {
  const one = { ...idle, notices: ['a'] };
  expect(said(one, { ...one, notices: ['a', 'b'] }, idle)).toEqual([['Notice: a'], ['Notice: b'], []]);
});

it('a call is announced when it starts to run, without control characters', () => {
  const running: UiState = { ...idle, pending: [{ type: 'tool_group', tools: [tool] }] };
  const more: UiState = { ...idle, pending: [{ type: 'tool_group', tools: [{ ...tool, display: 'out' }] }] };
  const [, first = [], second] = said(idle, running, more);
  expect(first).toHaveLength(1);
  expect(first[0]).toMatch(/^Running: Shell ls/);
  expect(first[0]).not.toContain('\x1b');
  expect(second).toEqual([]);
});

it('modes, queue and toasts are announced in words', () => {
  const lines = said(
    idle,
    { ...idle, approvalMode: ApprovalMode.AUTO_EDIT },
    {
      ...idle,
      approvalMode: ApprovalMode.AUTO_EDIT,
      queue: ['next'],
      toast: { text: 'Press', tone: 'info' },
    },
  );
  expect(lines.slice(1)).toEqual([['Mode: auto-accept edits.'], ['Queued: next', 'Press']]);
});
