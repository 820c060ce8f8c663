import { ApprovalMode } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import { initialState, type UiState } from '../store/state.js';
import { facts } from '../testing/facts.test-helper.js';
import { Notifier } from './notifier.js';
import { notificationSequence } from './notify.js';

const idle = initialState(facts, ApprovalMode.DEFAULT);
const working: UiState = { ...idle, streaming: 'responding' };
const asking: UiState = {
  ...idle,
  streaming: 'waiting_for_confirmation',
  confirmation: {
    correlationId: 'c',
    toolName: 'run_shell\x1b]0;bad\x07',
    details: { type: 'info', title: 't', prompt: 'p' },
  },
};

function notifier({ enableNotifications = true, env = {} as NodeJS.ProcessEnv } = {}) {
  let now = 0;
  const written: string[] = [];
  const settings = () => ({ general: { enableNotifications, notificationMethod: 'auto' as const } });
  const made = new Notifier({ settings, write: (data) => written.push(data), env, now: () => now });
  return { made, written, pass: (ms: number) => (now += ms) };
}

it('a question during work notifies once, without control characters', () => {
  const { made, written } = notifier();
  made.update(working);
  made.update(asking);
  made.update({ ...asking });
  expect(written).toHaveLength(1);
  expect(written[0]).toMatch(/^\x1b\]777;notify;Gemini CLI: Action required;[^\x1b\x07]*\x07$/);
  made.update(working);
  made.update(asking);
  expect(written).toHaveLength(2);
});

it('the end of long work notifies; the end of short or no work does not', () => {
  const { made, written, pass } = notifier();
  made.update(idle);
  made.update(working);
  pass(1_000);
  made.update(idle);
  expect(written).toEqual([]);
  made.update(working);
  pass(60_000);
  made.update(idle);
  expect(written.join('')).toContain('Session complete');
});

it('nothing is sent while the window has the focus or when notifications are disabled', () => {
  const focused = notifier();
  focused.made.watch({ kind: 'focus', focused: true });
  focused.made.update(working);
  focused.made.update(asking);
  expect(focused.written).toEqual([]);
  focused.made.watch({ kind: 'focus', focused: false });
  focused.made.update(working);
  focused.made.update(asking);
  expect(focused.written).toHaveLength(1);
  const off = notifier({ enableNotifications: false });
  off.made.update(asking);
  expect(off.written).toEqual([]);
});

it('a dialog that the user opened does not notify', () => {
  const { made, written } = notifier();
  made.update({ ...idle, dialog: { name: 'help', props: {} } });
  expect(written).toEqual([]);
});

it('each terminal gets its own sequence, through tmux too', () => {
  const text = { title: 't', text: 'a;b' };
  expect(notificationSequence(text, 'auto', { TERM_PROGRAM: 'iTerm.app' })).toBe('\x1b]9;t: a,b\x07');
  expect(notificationSequence(text, 'auto', { WT_SESSION: '1' })).toBe('\x07');
  expect(notificationSequence(text, 'auto', { TERM: 'dumb' })).toBe('\x07');
  expect(notificationSequence(text, 'osc9', { TMUX: '/tmp/x' })).toBe(
    '\x1bPtmux;\x1b\x1b]9;t: a,b\x07\x1b\\',
  );
});
