import { ApprovalMode, type ConfirmationView, PolicyDecision } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import { initialState } from '../../store/state.js';
import { Store } from '../../store/store.js';
import { facts } from '../../testing/facts.test-helper.js';
import { type ModeHost, switchMode } from './mode-switch.js';

const info: ConfirmationView = {
  type: 'info',
  title: 't',
  prompt: 'p',
};

function made({ details = info, allows = ApprovalMode.YOLO, refuses = false } = {}) {
  const store = new Store(initialState(facts, ApprovalMode.DEFAULT));
  const confirmation = { correlationId: 'c', toolName: 'x', details, args: { a: 1 } };
  store.dispatch({ type: 'confirmation_opened', confirmation });
  const answers: unknown[] = [];
  let mode = ApprovalMode.DEFAULT;
  const config: ModeHost = {
    setApprovalMode: (next: ApprovalMode) => {
      if (refuses) throw new Error('Not here.');
      mode = next;
    },
    getApprovalMode: () => mode,
    getPolicyEngine: () => ({
      check: async () => ({ decision: mode === allows ? PolicyDecision.ALLOW : PolicyDecision.ASK_USER }),
    }),
    getEvents: () => ({
      answer: (id, value) => answers.push([id, value]) > 0,
      dismiss: () => false,
    }),
  };
  const refusals: string[] = [];
  const to = (next: ApprovalMode) => switchMode(next, config, store, (why) => refusals.push(why));
  return { store, answers, refusals, to };
}

it('a mode that allows the call answers the open question with yes', async () => {
  const { store, answers, to } = made();
  await to(ApprovalMode.YOLO);
  expect(answers).toEqual([['c', { outcome: 'proceed_once' }]]);
  expect(store.getState()).toMatchObject({ confirmation: undefined, approvalMode: ApprovalMode.YOLO });
});

it('a mode that does not allow the call leaves the question open', async () => {
  const { store, answers, to } = made();
  await to(ApprovalMode.AUTO_EDIT);
  expect(answers).toEqual([]);
  expect(store.getState().confirmation).toBeDefined();
});

it('no mode answers a question that wants words', async () => {
  const details: ConfirmationView = {
    type: 'ask_user',
    title: 't',
    questions: [],
  };
  const { store, to } = made({ details });
  await to(ApprovalMode.YOLO);
  expect(store.getState().confirmation).toBeDefined();
});

it('a refused mode is reported, and the screen keeps showing the old one', async () => {
  const { store, refusals, answers, to } = made({ refuses: true });
  await to(ApprovalMode.YOLO);
  expect(refusals).toEqual(['Not here.']);
  expect(store.getState().approvalMode).toBe(ApprovalMode.DEFAULT);
  expect(answers).toEqual([]);
});
