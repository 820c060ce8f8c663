import { ApprovalMode } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import type { InputEvent } from '../../keys/key.js';
import { InputRouter } from '../../keys/router.js';
import { initialState } from '../../store/state.js';
import { Store } from '../../store/store.js';
import { facts } from '../../testing/facts.test-helper.js';
import { key } from '../../testing/keys.test-helper.js';
import { Toasts } from '../context/toasts.js';
import type { AppActions } from './app-keys.js';
import { keyOrder } from './key-order.js';

/** The parts write down what they are offered; `taker` takes it. */
function offering(event: InputEvent, taker?: string, change: (store: Store) => void = () => undefined) {
  const log: string[] = [];
  const offered = (name: string) => {
    log.push(name);
    return name === taker;
  };
  const store = new Store(initialState(facts, ApprovalMode.DEFAULT));
  change(store);
  const router = new InputRouter();
  router.add(() => offered('older component'));
  router.add(() => offered('newer component'));
  const actions = new Proxy<AppActions>(Object.create(null), {
    get: (_, name) => () => offered(`action ${String(name)}`),
  });
  const order = keyOrder({
    context: { store, toasts: new Toasts(store, () => 0), now: () => 0 },
    router,
    actions,
    appearance: { themes: { handleAnswer: () => offered('theme') } },
    clipboard: { textOfAnswer: (sequence) => (offered('clipboard') ? sequence : undefined) },
    tasks: { handle: () => offered('task pane') },
    input: {
      composer: { handle: () => offered('composer'), paste: (text) => log.push(`pasted ${text}`) },
    },
    notifier: { watch: () => offered('notifier') && false },
  });
  router.setOrder(order);
  router.dispatch(event);
  return log;
}

const showTasks = (store: Store) => store.dispatch({ type: 'switched', what: 'showTasks', to: true });
const focusShell = (store: Store) => store.dispatch({ type: 'switched', what: 'isShellFocused', to: true });
const openDialog = (store: Store) =>
  store.dispatch({ type: 'dialog_opened', dialog: { name: 'theme', props: {} } });
const answer = { kind: 'answer', sequence: 'x' } as const;

it('offers a key to the dialog, the task pane, the composer and the app, in this order', () => {
  expect(offering(key('ctrl+o'), undefined, showTasks)).toEqual([
    'newer component',
    'older component',
    'task pane',
    'composer',
    'action showMore',
  ]);
});

it('stops at the part that takes the key', () => {
  expect(offering(key('a'), 'older component')).toEqual(['newer component', 'older component']);
  expect(offering(key('a'), 'composer', showTasks).at(-1)).toBe('composer');
});

it('lets neither the composer nor the task pane see keys while a dialog is open', () => {
  const log = offering(key('a'), undefined, (store) => {
    showTasks(store);
    openDialog(store);
  });
  expect(log).toEqual(['newer component', 'older component', 'notifier']);
});

it('gives every key to a focused shell command before the composer', () => {
  expect(offering(key('a'), undefined, focusShell).slice(2)).toEqual(['action sendToShell']);
});

it('keeps answers of the terminal from dialogs and the composer', () => {
  expect(offering(answer)).toEqual(['theme', 'clipboard']);
  expect(offering(answer, 'clipboard')).toEqual(['theme', 'clipboard', 'pasted x']);
});
