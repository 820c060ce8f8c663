/** The question about a fallback model, as a front end sees it on the stream. */
import { createTestConfig } from '@gemini-cli/test-utils';
import { expect, it } from 'vitest';
import { ApiError } from '../model/errors/api-error.js';
import { FakeModel } from '../model/wrappers/fake.js';
import type { AgentEvent } from '../protocol/agent-events.js';

async function outOfQuota() {
  const quota = new ApiError(429, 'used up', [], undefined, true);
  const config = await createTestConfig({
    model: 'gemini-2.5-pro',
    interactive: true,
    contentGenerator: new FakeModel(Array.from({ length: 20 }, () => quota)),
  });
  const events: AgentEvent[] = [];
  const onQuestion: (() => void)[] = [];
  config.getEvents().subscribe(
    (event) => {
      events.push(event);
      if (event.type === 'question' && event.question.kind === 'model_fallback') onQuestion.shift()?.();
    },
    { answers: true },
  );
  return { config, events, onQuestion };
}

it('withdraws the fallback question when the user cancels the request, which ends', async () => {
  const { config, events, onQuestion } = await outOfQuota();
  onQuestion.push(() => config.getSession().abort());
  const seen: AgentEvent[] = [];
  for await (const event of config.getSession().send('hello')) seen.push(event);
  expect(seen.at(-1)).toMatchObject({ type: 'turn_finished', reason: 'cancelled' });
  expect(events).toContainEqual(expect.objectContaining({ type: 'question_settled', status: 'withdrawn' }));
});

it('does not make a reader that leaves wait for the fallback question', async () => {
  const { config, events } = await outOfQuota();
  for await (const event of config.getSession().send('hello')) if (event.type === 'question') break;
  expect(events.at(-1)).toMatchObject({ type: 'turn_finished', reason: 'cancelled' });
  expect(config.getSession().isBusy).toBe(false);
});
