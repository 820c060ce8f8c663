import { ApprovalMode } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import { createComposer } from '../../composer/composer-store.js';
import type { Key } from '../../keys/key.js';
import { initialState } from '../../store/state.js';
import { Store } from '../../store/store.js';
import { Toasts } from '../context/toasts.js';
import { returnToInput } from '../input/prompt-input.js';
import { type AppActions, appKeys } from './app-keys.js';

const CTRL_C: Key = {
  kind: 'key',
  name: 'c',
  text: '',
  ctrl: true,
  alt: false,
  shift: false,
  cmd: false,
  sequence: '\u0003',
};
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

function appWith(isRunning: boolean) {
  const store = new Store(initialState(FACTS, ApprovalMode.DEFAULT));
  const done: string[] = [];
  const note = (what: string) => () => void done.push(what);
  const actions: AppActions = {
    cancel: () => {
      done.push('cancel');
      return isRunning;
    },
    takeQueueBack: () => {
      done.push('takeQueueBack');
      return true;
    },
    setApprovalMode: note('mode'),
    isPlanEnabled: () => true,
    showMore: note('more'),
    redraw: note('redraw'),
    suspend: note('suspend'),
    quit: note('quit'),
    scroll: note('scroll'),
    toggleMouse: note('mouse'),
    isInputEmpty: () => true,
    focusShell: note('focus'),
    sendToShell: note('shell'),
    moveToBackground: note('background'),
    showErrors: note('errors'),
  };
  const keys = appKeys(store, new Toasts(store, () => 0), actions);
  return { press: (key: Key) => keys(key), done };
}

it('Ctrl+C cancels a request, and queued messages return to the input', () => {
  const { press, done } = appWith(true);
  press(CTRL_C);
  expect(done).toEqual(['cancel', 'takeQueueBack']);
});

it('Ctrl+C pressed twice quits', () => {
  const { press, done } = appWith(false);
  press(CTRL_C);
  press(CTRL_C);
  expect(done).toEqual(['cancel', 'quit']);
});

it('returned messages do not replace what was typed meanwhile', () => {
  const composer = createComposer({ onSubmit: () => true });
  composer.setText('a draft');
  returnToInput(composer, 'queued');
  expect(composer.text()).toBe('queued\n\na draft');
});
