import { ApprovalMode, EventStream } from '@gemini-cli/core';
import { expect, it, vi } from 'vitest';
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
  const store = new Store(initialState(FACTS, ApprovalMode.DEFAULT));
  const added: unknown[] = [];
  const log: string[] = [];
  const shown: unknown[] = [];
  const recorded: unknown[] = [];
  let answer: (value: unknown) => void = () => undefined;
  const stop = listenToEngine(events, {
    store,
    add: (item) => void added.push(item),
    report: () => undefined,
    observe: () => undefined,
    openPage: async (url) => void log.push(`page ${url}`),
    changeAuth: () => void log.push('sign-in'),
    quit: () => void log.push('quit'),
    telemetry: () => ({ event: (name, attributes) => void recorded.push([name, attributes]) }),
    restart: () => void log.push('restarted'),
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
  return { events, store, added, log, shown, recorded, stop, answer: (value: unknown) => answer(value) };
}

it('keeps a notice in the conversation where the user needs it for a while', () => {
  const { events, store, added } = listening();
  events.notice('Loading.');
  events.notice('Sign in: https://x.example', { isKept: true });
  expect(store.getState().notices).toEqual(['Loading.']);
  expect(added).toEqual([{ type: 'info', text: 'Sign in: https://x.example' }]);
});

it('closes the dialog of a question that is withdrawn with its request', async () => {
  const { events, log } = listening();
  const controller = new AbortController();
  const reply = events.ask(OFFER, { signal: controller.signal });
  controller.abort();
  expect(await reply).toEqual({ status: 'withdrawn' });
  expect(log).toEqual(['opened fallback', 'withdrawn fallback']);
});

it.each([
  [
    'usable',
    'retry_with_credits',
    [
      ['gemini_cli.overage_menu_shown', { model: 'a' }],
      ['gemini_cli.overage_option_selected', { model: 'a', selected_option: 'retry_with_credits' }],
    ],
  ],
  [
    'empty',
    'manage_credits',
    [
      ['gemini_cli.empty_wallet_menu_shown', { model: 'a' }],
      ['gemini_cli.credit_purchase_click', { model: 'a', source: 'empty_wallet_menu' }],
    ],
  ],
] as const)('records the question about %s credits and its answer', async (credits, choice, expected) => {
  const { events, recorded, answer } = listening();
  const reply = events.ask({ ...OFFER, credits });
  answer(choice);
  await reply;
  expect(recorded).toEqual(expected);
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

it.each([
  [{ credits: 'usable' as const }, { kind: 'credits', hasCredits: true }, 'retry_with_credits', []],
  [
    { credits: 'empty' as const },
    { kind: 'credits', hasCredits: false },
    'manage_credits',
    ['one.google.com'],
  ],
  [{ canUpgrade: true }, { kind: 'quota', canUpgrade: true }, 'upgrade', ['codeassist.google.com']],
])('offers what the account allows: %j', async (remedy, situation, chosen, pages) => {
  const { events, log, shown, answer } = listening();
  const reply = events.ask({ ...OFFER, ...remedy });
  answer(chosen);
  const expected = chosen === 'manage_credits' ? 'stop' : chosen;
  expect(await reply).toEqual({ status: 'answered', answer: expected });
  expect(shown).toMatchObject([{ situation }]);
  const opened = log.filter((line) => line.startsWith('page https://'));
  expect(opened).toEqual(pages.map((host) => expect.stringContaining(host)));
});

const REFUSED = { kind: 'account_problem', reason: 'r', link: 'https://solve.example' } as const;

it('opens the page of a verification, and tries again when the user has verified', async () => {
  const { events, log, shown, answer } = listening();
  const reply = events.ask({ ...REFUSED, problem: 'verification' });
  answer('verify');
  await vi.waitUntil(() => shown.length === 2, 10_000);
  answer('verified');
  expect(await reply).toEqual({ status: 'answered', answer: 'retry' });
  expect(log).toEqual(['opened fallback', 'page https://solve.example', 'opened fallback']);
});

it.each([
  ['appeal', 'page https://solve.example'],
  ['change_auth', 'sign-in'],
  ['exit', 'quit'],
])('does %s for a blocked account, and stops the request', async (chosen, done) => {
  const { events, log, answer } = listening();
  const reply = events.ask({ ...REFUSED, problem: 'blocked' });
  answer(chosen);
  expect(await reply).toEqual({ status: 'answered', answer: 'stop' });
  expect(log).toEqual(['opened fallback', done]);
});

it('restarts the engine when the administrator has changed something', async () => {
  const { events, log, shown, answer } = listening();
  const reply = events.ask({ kind: 'admin_changed' });
  answer('restart');
  expect(await reply).toEqual({ status: 'answered', answer: true });
  expect([shown, log]).toEqual([[{ situation: { kind: 'admin' } }], ['opened fallback', 'restarted']]);
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
