import type { Settings } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import { ChatExtras } from './chat-extras.js';

function extras(ui: Settings['ui']) {
  const added: string[] = [];
  const made = new ChatExtras(
    () => ui,
    (item) => added.push('text' in item ? item.text : item.type),
  );
  return { made, added };
}
const start = { type: 'turn_started', sessionId: 's', promptId: 'p', model: 'a', parts: [] } as const;
const turn = (model: string) => ({ type: 'model_turn_started', turn: 1, model }) as const;

it('citations are shown only if the setting asks for them', () => {
  const citation = { type: 'citation', text: 'x' } as const;
  expect(extras({}).made.pass(citation)).toBe(false);
  expect(extras({ showCitations: true }).made.pass(citation)).toBe(true);
});

it('a retried error gets a line of its own if the setting asks for it', () => {
  const retry = {
    type: 'retry',
    attempt: 1,
    maxAttempts: 3,
    delayMs: 0,
    message: 'Server error 503',
    discardsOutput: false,
  } as const;
  const [low, full] = [extras({}), extras({ errorVerbosity: 'full' })];
  for (const { made } of [low, full]) expect(made.pass(retry)).toBe(true);
  expect([low.added, full.added]).toEqual([[], ['Server error 503']]);
});

it('the model is named once per prompt and when it changes', () => {
  const { made, added } = extras({ showModelInfoInChat: true });
  for (const event of [start, turn('a'), turn('a'), turn('b'), start, turn('b')])
    expect(made.pass(event)).toBe(true);
  expect(added).toEqual(['Answered by a', 'Answered by b', 'Answered by b']);
  const quiet = extras({});
  quiet.made.pass(turn('a'));
  expect(quiet.added).toEqual([]);
});
