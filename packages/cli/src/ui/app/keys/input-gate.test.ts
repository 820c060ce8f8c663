import { ApprovalMode } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import type { InputEvent } from '../../keys/key.js';
import { characterKey, controlKey } from '../../keys/make-key.js';
import { InputRouter } from '../../keys/router.js';
import { initialState } from '../../store/state.js';
import { Store } from '../../store/store.js';
import { InputGate } from './input-gate.js';

const CTRL_C = controlKey(3, '\u0003');
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

function gateWith() {
  const received: InputEvent[] = [];
  const router = new InputRouter();
  router.setOrder([(event) => received.push(event) > 0]);
  const store = new Store(initialState(FACTS, ApprovalMode.DEFAULT));
  const gate = new InputGate({
    store,
    router,
    now: () => 0,
    composer: { handle: () => true, isEmpty: () => true },
    onFailure: () => undefined,
    flush: () => undefined,
  });
  return { gate, received, store };
}

it('Ctrl+C does not wait while a dialog saves, and discards the keys typed before it', async () => {
  const { gate, received } = gateWith();
  let saved = () => {};
  gate.dialogBusy(new Promise<void>((resolve) => (saved = resolve)));
  gate.receive([characterKey('a')]);
  gate.receive([CTRL_C]);
  expect(received).toEqual([CTRL_C]);
  gate.receive([characterKey('b')]);
  expect(received).toEqual([CTRL_C]);
  saved();
  await expect.poll(() => received).toEqual([CTRL_C, characterKey('b')]);
});

it.each([
  ['a page that a server wants to open', 'url', 0],
  ['a form of a server', 'form', 2],
])(
  'Letters and the Enter after them do not answer the question about %s, unless it has fields',
  (_what, mode, count) => {
    const { gate, received, store } = gateWith();
    store.dispatch({ type: 'dialog_opened', dialog: { name: 'elicitation', props: { question: { mode } } } });
    gate.shown();
    gate.receive([characterKey('a')]);
    gate.receive([controlKey(13, '\r')]);
    expect(received).toHaveLength(count);
  },
);
