import type { AgentEventBody } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import { PromptFate } from './prompt-fate.js';

const started: AgentEventBody = {
  type: 'turn_started',
  sessionId: 's',
  promptId: 'p',
  model: 'm',
  parts: [],
};
const overflow: AgentEventBody = {
  type: 'context_window_will_overflow',
  estimatedRequestTokenCount: 2,
  remainingTokenCount: 1,
};

function after(...events: AgentEventBody[]): PromptFate {
  const fate = new PromptFate();
  for (const event of events) fate.observe(event);
  return fate;
}

it('a prompt cancelled before anything came back returns to the input', () => {
  expect(after(started).returns({ isCancelled: true })).toBe(true);
});

it('a prompt that was answered in part, or failed, stays in the conversation', () => {
  expect(after(started, { type: 'content', text: 'So' }).returns({ isCancelled: true })).toBe(false);
  expect(after(started).returns({ isCancelled: false })).toBe(false);
});

it('a prompt that was not sent returns', () => {
  expect(after().returns({ isCancelled: false })).toBe(true);
  expect(after(started, overflow).returns({ isCancelled: false })).toBe(true);
  const late = after(started, { type: 'content', text: 'So' }, overflow);
  expect(late.returns({ isCancelled: false })).toBe(false);
});
