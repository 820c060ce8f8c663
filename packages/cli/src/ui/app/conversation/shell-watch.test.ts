import { ApprovalMode } from '@gemini-cli/core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { initialState } from '../../store/state.js';
import { Store } from '../../store/store.js';
import { ShellWatch } from './shell-watch.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched(command: string) {
  const facts = {
    cwd: '/',
    sandbox: '',
    model: '',
    sessionId: '',
    contextFiles: 0,
    contextFileName: '',
    skills: 0,
    mcpServers: 0,
    backgroundTasks: 0,
    trusted: true,
  };
  const store = new Store(initialState(facts, ApprovalMode.DEFAULT));
  const watch = new ShellWatch(store);
  const request = { callId: '1', name: 'run_shell_command', args: { command }, promptId: 'p' };
  watch.observe({ type: 'tool_requested', request });
  watch.observe({ type: 'tool_status', callId: '1', status: 'executing' });
  return { store, watch, request, isWaiting: () => store.getState().isShellWaiting };
}

it('a command that is silent for five seconds may wait for the user', () => {
  const { isWaiting } = watched('read x');
  vi.advanceTimersByTime(4_900);
  expect(isWaiting()).toBe(false);
  vi.advanceTimersByTime(200);
  expect(isWaiting()).toBe(true);
});

it('a command can get the keyboard from its start on, also while it prints', () => {
  const { store, watch } = watched('top');
  expect(store.getState().isShellRunning).toBe(true);
  watch.observe({ type: 'tool_output', callId: '1', output: 'more' });
  expect(store.getState().isShellRunning).toBe(true);
});

it('output of the command removes the hint that it may wait', () => {
  const { watch, isWaiting } = watched('read x');
  vi.advanceTimersByTime(6_000);
  watch.observe({ type: 'tool_output', callId: '1', output: 'more' });
  expect(isWaiting()).toBe(false);
});

it('a command with redirected output may stay silent longer', () => {
  const { isWaiting } = watched('make > log');
  vi.advanceTimersByTime(6_000);
  expect(isWaiting()).toBe(false);
  vi.advanceTimersByTime(15_000);
  expect(isWaiting()).toBe(true);
});

it('the end of the command removes hint and focus', () => {
  const { store, watch, request, isWaiting } = watched('read x');
  vi.advanceTimersByTime(6_000);
  store.dispatch({ type: 'switched', what: 'isShellFocused', to: true });
  watch.observe({
    type: 'tool_finished',
    call: {
      request,
      status: 'success',
      response: { callId: '1', responseParts: [] },
      durationMs: 1,
      decision: 'accept',
    },
  });
  expect(isWaiting()).toBe(false);
  expect(store.getState()).toMatchObject({ isShellFocused: false, isShellRunning: false });
  vi.advanceTimersByTime(60_000);
  expect(isWaiting()).toBe(false);
});
