import type { ShellExecutionService } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import type { Key } from '../../keys/key.js';
import { plainLook } from '../../testing/plain-look.test-helper.js';
import { TasksPane } from './tasks-pane.js';

type Task = ReturnType<ShellExecutionService['listBackground']>[number];

const RUNNING: Task = { pid: 7, command: 'serve', status: 'running', exitCode: null, signal: null };

function pane(tasks: Task[]) {
  const written: string[] = [];
  const service: Pick<ShellExecutionService, 'listBackground' | 'readBackground' | 'write'> = {
    listBackground: () => tasks,
    readBackground: () => undefined,
    write: (_pid, bytes) => {
      written.push(String(bytes));
      return true;
    },
  };
  // The pane uses these members only.
  const made = new TasksPane(
    () => service as ShellExecutionService,
    () => undefined,
  );
  return { made, written };
}

function key(name: string, text = ''): Key {
  return { kind: 'key', name, text, ctrl: false, alt: false, shift: false, cmd: false, sequence: text };
}

it('keys go to a task only while it runs', () => {
  const tasks = [RUNNING];
  const { made, written } = pane(tasks);
  made.handle(key('tab'));
  expect(made.handle(key('a', 'a'))).toBe(true);
  tasks[0] = { ...RUNNING, status: 'exited', exitCode: 0 };
  expect(made.handle(key('b', 'b'))).toBe(false);
  expect(written).toEqual(['a']);
});

it('Enter is for the input while the pane is only viewed', () => {
  expect(pane([RUNNING]).made.handle(key('enter'))).toBe(false);
});

it('the pane says how a task ended', () => {
  const { made } = pane([
    { ...RUNNING, status: 'exited', exitCode: 3 },
    { ...RUNNING, status: 'exited', signal: 'SIGTERM' },
  ]);
  const shown = made.lines(plainLook(60), 12).join('\n');
  expect(shown).toContain('exit 3');
  expect(shown).toContain('ended by SIGTERM');
});
