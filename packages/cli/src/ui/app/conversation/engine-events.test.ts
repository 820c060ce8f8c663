import { ApprovalMode, EventStream } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import { initialState } from '../../store/state.js';
import { Store } from '../../store/store.js';
import { listenToEngine } from './engine-events.js';

const FACTS = {
  cwd: '/work',
  sandbox: 'no sandbox',
  model: 'auto',
  sessionId: '',
  contextFiles: 0,
  contextFileName: 'GEMINI.md',
  skills: 0,
  mcpServers: 0,
  backgroundTasks: 0,
  trusted: true,
};
const OFFER = {
  kind: 'model_fallback',
  from: 'a',
  to: 'b',
  canWait: false,
  reason: 'used up',
  errorClass: 'quota',
} as const;

/** A screen whose dialogs are answered by the test. */
function listening() {
  const events = new EventStream();
  const log: string[] = [];
  const shown: unknown[] = [];
  let answer: (value: unknown) => void = () => undefined;
  const stop = listenToEngine(events, {
    store: new Store(initialState(FACTS, ApprovalMode.DEFAULT)),
    add: () => undefined,
    submit: () => undefined,
    observe: () => undefined,
    ask: (name, props) => {
      log.push(`opened ${name}`);
      shown.push(props);
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
    withdraw: (name) => {
      log.push(`withdrawn ${name}`);
      answer(undefined);
    },
  });
  return { events, log, shown, stop, answer: (value: unknown) => answer(value) };
}

it('closes the dialog of a question that is withdrawn with its request', async () => {
  const { events, log } = listening();
  const controller = new AbortController();
  const reply = events.ask(OFFER, { signal: controller.signal });
  controller.abort();
  expect(await reply).toEqual({ status: 'withdrawn' });
  expect(log).toEqual(['opened fallback', 'withdrawn fallback']);
});

it('answers with what the dialog was closed with', async () => {
  const { events, log, answer } = listening();
  const reply = events.ask(OFFER);
  answer('retry_once');
  expect(await reply).toEqual({ status: 'answered', answer: 'retry_once' });
  expect(log).toEqual(['opened fallback']);
});

it.each([
  [{ canWait: true, errorClass: 'unavailable' }, 'capacity'],
  [{ canWait: false, errorClass: 'quota' }, 'quota'],
  [{ canWait: false, errorClass: 'unavailable' }, 'unavailable'],
])('shows the situation of %j as %s', async (failure, kind) => {
  const { events, shown, answer } = listening();
  const reply = events.ask({ ...OFFER, ...failure });
  answer('stop');
  await reply;
  expect(shown).toMatchObject([{ situation: { kind, model: 'a', fallback: 'b' } }]);
});

it('gives up a question that it cannot show, so that the next one is not kept waiting', async () => {
  const { events } = listening();
  const reply = events.ask({ kind: 'tool_confirmation', toolName: 't', args: {} });
  expect(await reply).toEqual({ status: 'withdrawn' });
});

it('ends what is open when the terminal stops listening', async () => {
  const { events, log, stop } = listening();
  const reply = events.ask(OFFER);
  stop();
  expect(await reply).toEqual({ status: 'unanswerable' });
  expect(log).toEqual(['opened fallback', 'withdrawn fallback']);
});
