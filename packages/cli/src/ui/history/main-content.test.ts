import { ApprovalMode, type ConfirmationView } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import type { HistoryItem, ToolView } from '../../history/item.js';
import { initialState, type UiState } from '../store/state.js';
import { plainLook } from '../testing/plain-look.test-helper.js';
import { ContentWindow, shownPending } from './main-content.js';

const FACTS = {
  cwd: '/work',
  sandbox: 'no sandbox',
  model: 'm',
  sessionId: '',
  contextFiles: 0,
  contextFileName: 'GEMINI.md',
  skills: 0,
  mcpServers: 0,
  backgroundTasks: 0,
  trusted: true,
};

function stateOf(count: number, scrollOffset: number): UiState {
  const history = Array.from(
    { length: count },
    (_, at): HistoryItem => ({ id: at + 1, type: 'info', text: `note ${at + 1}` }),
  );
  return { ...initialState(FACTS, ApprovalMode.DEFAULT), history, scrollOffset };
}

function texts(lines: string[]): string[] {
  return lines.flatMap((line) => /note \d+/.exec(line)?.[0] ?? []);
}

it('the window shows the end, and earlier lines when scrolled', () => {
  const view = new ContentWindow();
  expect(texts(view.lines(stateOf(50, 0), plainLook(40), 4)).at(-1)).toBe('note 50');
  expect(texts(view.lines(stateOf(50, view.maxScroll), plainLook(40), 4))[0]).toBe('note 1');
});

it('the text being read does not move when lines arrive below', () => {
  const view = new ContentWindow();
  const before = texts(view.lines(stateOf(50, 20), plainLook(40), 4));
  expect(texts(view.lines(stateOf(53, 20), plainLook(40), 4))).toEqual(before);
  expect(view.offsetOf({ scrollOffset: 20 })).toBeGreaterThan(20);
});

it('a window at the end follows new lines', () => {
  const view = new ContentWindow();
  view.lines(stateOf(50, 0), plainLook(40), 4);
  expect(texts(view.lines(stateOf(53, 0), plainLook(40), 4)).at(-1)).toBe('note 53');
});

it('the window fills its height exactly, also with less content', () => {
  expect(new ContentWindow().lines(stateOf(1, 0), plainLook(40), 7)).toHaveLength(7);
  expect(new ContentWindow().lines(stateOf(90, 5), plainLook(40), 7)).toHaveLength(7);
});

it('two scroll steps between two frames both count', () => {
  const view = new ContentWindow();
  view.lines(stateOf(50, 20), plainLook(40), 4);
  expect(view.offsetOf({ scrollOffset: 17 })).toBe(17);
});

it('a call that is asked about is drawn by its question only', () => {
  const call = (callId: string): ToolView => ({
    callId,
    name: 'replace',
    displayName: 'Edit',
    description: `${callId}.ts`,
    status: 'awaiting_approval',
  });
  const details: ConfirmationView = { type: 'info', title: 'Confirm', prompt: 'x' };
  const state = (...tools: ToolView[]): UiState => ({
    ...stateOf(0, 0),
    pending: [{ type: 'tool_group', tools }],
    confirmation: { correlationId: '1', callId: 'a', toolName: 'replace', details },
  });
  expect(shownPending(state(call('a')))).toEqual([]);
  expect(shownPending(state(call('a'), call('b')))).toMatchObject([{ tools: [{ callId: 'b' }] }]);
  const open = state(call('a'));
  expect(shownPending({ ...open, confirmation: undefined })).toBe(open.pending);
});
