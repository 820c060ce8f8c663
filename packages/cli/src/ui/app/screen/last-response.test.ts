import { ApprovalMode } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import type { HistoryItemWithoutId } from '../../../history/item.js';
import { initialState } from '../../store/state.js';
import { Store } from '../../store/store.js';
import { facts } from '../../testing/facts.test-helper.js';
import { plainLook } from '../../testing/plain-look.test-helper.js';
import { Toasts } from '../context/toasts.js';
import { LastResponse } from './last-response.js';

const output = (lines: number): HistoryItemWithoutId => ({
  type: 'tool_group',
  tools: [
    {
      callId: '1',
      name: 'run_shell_command',
      displayName: 'Shell',
      description: 'seq',
      status: 'success',
      display: Array.from({ length: lines }, (_, index) => `line ${index}`).join('\n'),
    },
  ],
});

function made(...items: HistoryItemWithoutId[]) {
  const store = new Store(initialState(facts, ApprovalMode.DEFAULT));
  const printed: string[] = [];
  const last = new LastResponse({
    store,
    toasts: new Toasts(store, () => 0),
    look: () => ({ ...plainLook(), expanded: store.getState().isExpanded }),
    print: (lines) => printed.push(...lines),
  });
  store.subscribe(() => last.update());
  store.dispatch({ type: 'busy' });
  for (const item of items) store.dispatch({ type: 'item_added', item });
  store.dispatch({ type: 'idle' });
  return { store, last, printed };
}

it('a response that was cut is announced and written in full once', () => {
  const { store, last, printed } = made({ type: 'user', text: 'x' }, output(60));
  expect(store.getState().toast?.text).toContain('Press Ctrl+O to show more lines');
  last.toggle();
  expect(printed.filter((line) => line.includes('line 7'))).toHaveLength(1);
  const { length } = printed;
  last.toggle();
  last.toggle();
  expect(printed).toHaveLength(length);
});

it('a list that is folded into one line is not announced, but Ctrl+O shows it', () => {
  const files = Array.from({ length: 9 }, (_, index) => `src/${index}.ts`);
  const tool = { callId: '1', name: 'glob', displayName: 'FindFiles', description: '*.ts' };
  const display = { summary: 'Found 9 files', files };
  const found: HistoryItemWithoutId = {
    type: 'tool_group',
    tools: [{ ...tool, status: 'success', display }],
  };
  const { store, last, printed } = made({ type: 'user', text: 'x' }, found);
  expect(store.getState().toast).toBeUndefined();
  last.toggle();
  expect(printed.join('\n')).toContain('src/8.ts');
});

it('a folded paste is written in full by Ctrl+O, and not announced', () => {
  const { store, last, printed } = made({ type: 'user', text: 'a\nb', shown: '[Pasted Text: 2 lines]' });
  expect(store.getState().toast).toBeUndefined();
  last.toggle();
  expect(printed).toContain('  b');
});

it('a toast about a second key press is not replaced', () => {
  const { store } = made({ type: 'user', text: 'x' });
  store.dispatch({ type: 'busy' });
  store.dispatch({ type: 'item_added', item: output(60) });
  store.dispatch({ type: 'toast', toast: { text: 'Press Ctrl+C again to exit.', tone: 'warning' } });
  store.dispatch({ type: 'idle' });
  expect(store.getState().toast?.text).toBe('Press Ctrl+C again to exit.');
});

it('a short response, and what came before the last prompt, are not written again', () => {
  const short = made({ type: 'user', text: 'x' }, output(3));
  expect(short.store.getState().toast).toBeUndefined();
  const older = made(output(60), { type: 'user', text: 'x' }, output(3));
  older.last.toggle();
  expect(older.printed).toEqual([]);
});

it('the next response is folded again', () => {
  const { store, last } = made({ type: 'user', text: 'x' }, output(60));
  last.toggle();
  expect(store.getState().isExpanded).toBe(true);
  store.dispatch({ type: 'busy' });
  expect(store.getState().isExpanded).toBe(false);
});

it('a response after a clear is written in full, although its items count from 1 again', () => {
  const { store, last, printed } = made({ type: 'user', text: 'x' }, output(60));
  last.toggle();
  const { length } = printed;
  store.dispatch({ type: 'cleared' });
  store.dispatch({ type: 'busy' });
  store.dispatch({ type: 'item_added', item: output(60) });
  store.dispatch({ type: 'idle' });
  last.toggle();
  expect(printed.length).toBeGreaterThan(length);
});
