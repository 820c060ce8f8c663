import { ApprovalMode } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import { footerLines } from '../../layout/footer.js';
import { initialState } from '../../store/state.js';
import { Store } from '../../store/store.js';
import { plainLook } from '../../testing/plain-look.test-helper.js';
import { UsageFacts } from './usage-facts.js';

const USAGE = {
  type: 'usage',
  role: 'main',
  model: 'pro',
  usage: { prompt: 500, candidates: 1, cached: 0, thoughts: 0, tool: 0, total: 501 },
  latencyMs: 0,
} as const;
const FINISHED = { type: 'turn_finished', reason: 'completed' } as const;

function watched(quota: () => Promise<{ model: string; remainingFraction: number }[]>) {
  const facts = {
    cwd: '/',
    sandbox: '',
    model: 'pro',
    sessionId: '',
    contextFiles: 0,
    contextFileName: '',
    skills: 0,
    mcpServers: 0,
    backgroundTasks: 0,
    trusted: true,
  };
  const store = new Store(initialState(facts, ApprovalMode.DEFAULT));
  const usage = new UsageFacts(store, () => ({
    getModelCatalog: () => ({ contextWindow: () => 2_000 }),
    refreshUserQuota: quota,
  }));
  const footer = (...items: ('context-used' | 'quota')[]) =>
    footerLines(store.getState(), plainLook(80), { footer: { items } }).join('\n');
  return { store, usage, footer };
}

it('the footer shows how much of the context window the last request used', () => {
  const { store, usage, footer } = watched(async () => []);
  expect(footer('context-used').trim()).toBe('');
  store.dispatch(USAGE);
  usage.observe(USAGE);
  expect(footer('context-used')).toMatch(/context\s+25% used/);
});

it('the footer shows the used quota of the model after each request', async () => {
  let remainingFraction = 0.75;
  const { usage, footer } = watched(async () => [
    { model: 'flash', remainingFraction: 0.1 },
    { model: 'pro', remainingFraction },
  ]);
  usage.observe(FINISHED);
  await expect.poll(() => footer('quota')).toMatch(/quota\s+25% used/);
  remainingFraction = 0;
  usage.observe(FINISHED);
  await expect.poll(() => footer('quota')).toMatch(/quota\s+limit reached/);
});

it('the footer shows no quota when the service does not report it', async () => {
  const { usage, footer } = watched(() => Promise.reject(new Error('no such method')));
  usage.observe(FINISHED);
  await Promise.resolve();
  expect(footer('quota').trim()).toBe('');
});
