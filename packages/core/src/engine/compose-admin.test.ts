import { expect, it } from 'vitest';
import { EventStream } from '../bus/event-stream.js';
import type { AdminControls } from '../model/code-assist/admin-controls.js';
import { applyAdminControls } from './compose-admin.js';

const controls = (secureModeEnabled: boolean): AdminControls => ({
  secureModeEnabled,
  extensions: { enabled: true },
  mcp: { enabled: true, config: {}, requiredConfig: {} },
  skills: { enabled: true },
});

it('asks for a restart once the polled controls differ, whatever fails in between', async () => {
  const answers: (() => Promise<AdminControls>)[] = [
    async () => controls(false),
    async () => controls(false),
    () => Promise.reject(new Error('the network is down')),
    async () => controls(true),
  ];
  const events = new EventStream();
  const asked = new Promise((resolve) => {
    events.subscribe((event) => event.type === 'question' && resolve(event.question), { answers: true });
  });
  const applied: AdminControls[] = [];
  const closing = new AbortController();
  await applyAdminControls({
    account: {
      tier: 'standard',
      canUpgrade: false,
      credits: { state: () => undefined, spend: () => undefined },
      adminControls: () => (answers.shift() ?? (async () => controls(true)))(),
    },
    apply: (next) => void applied.push(next),
    events,
    signal: closing.signal,
    pollMs: 1,
  });
  expect(await asked).toEqual({ kind: 'admin_changed' });
  closing.abort();
  expect([applied, answers]).toEqual([[controls(false)], []]);
});

it('does nothing for an account that no organisation controls', async () => {
  const account = {
    tier: 'free',
    canUpgrade: true,
    credits: { state: () => undefined, spend: () => undefined },
  };
  const apply = () => expect.unreachable();
  const { signal } = new AbortController();
  await applyAdminControls({ account, apply, events: new EventStream(), signal });
});
