import type { AgentRunView, ShellExecutionService } from '@gemini-cli/core';
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
    { shells: () => service as ShellExecutionService, agents: () => undefined },
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

it('an agent is listed with its steps, hears a typed line, and is stopped', () => {
  const said: string[] = [];
  const stopped: string[] = [];
  const run: AgentRunView = {
    id: 'helper-1',
    name: 'helper',
    prompt: 'look\u001b[2J around',
    status: 'running',
    isBackground: true,
    startedAt: 0,
    progress: {
      isSubagentProgress: true,
      agentName: 'helper',
      recentActivity: [{ type: 'tool_call', content: 'ReadFile a.txt', status: 'completed' }],
    },
  };
  const agents = {
    list: () => [run, { ...run, id: 'other', isBackground: false }],
    say: (id: string, text: string) => said.push(`${id}: ${text}`) > 0,
    stop: (id: string) => stopped.push(id) > 0,
  };
  const made = new TasksPane({ shells: () => undefined, agents: () => agents }, () => undefined);
  const shown = () => made.lines(plainLook(60), 12).join('\n');
  expect(shown()).toContain('helper-1  running  agent helper: look around');
  expect(shown()).toContain('ReadFile a.txt');
  expect(shown()).not.toContain('other');
  made.handle(key('tab'));
  for (const letter of 'hix') made.handle(key(letter, letter));
  made.handle(key('backspace'));
  expect(shown()).toContain('> hi');
  made.handle(key('enter', '\r'));
  expect(said).toEqual(['helper-1: hi']);
  made.handle({ ...key('tab'), shift: true });
  made.handle({ ...key('k'), ctrl: true });
  expect(stopped).toEqual(['helper-1']);
});
