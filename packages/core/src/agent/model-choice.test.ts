import { describe, expect, it } from 'vitest';
import { FatalAuthenticationError } from '../base/errors.js';
import type { Next } from '../model/fallback/fallback.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import type { FallbackIntent } from '../protocol/questions.js';
import { ModelChoice, type ModelChoiceOptions } from './model-choice.js';

const next = (model: string, action: Next['action'] = 'switch'): Next => ({
  model,
  action,
  canWait: true,
  errorClass: 'quota',
  reason: 'The quota is used up.',
});
const { signal } = new AbortController();
const failed = { model: 'first', error: new Error('no'), isLast: true, signal };
const prompt = { parts: [{ text: 'x' }], history: [], promptId: 'p', signal };

/** Offers the models of the list, one after the other. */
function choiceWith(offers: Next[], options: Partial<ModelChoiceOptions> = {}) {
  const log: string[] = [];
  const failures: number[] = [];
  const choice = new ModelChoice({
    first: 'first',
    requested: () => 'auto',
    route: async ({ failedTurns }) => {
      failures.push(failedTurns);
      return { model: 'routed', source: 'local-rule', reasoning: '', latencyMs: 0 };
    },
    planner: {
      startPrompt: () => undefined,
      attemptsFor: () => undefined,
      after: () => offers.shift(),
      accept: (model, span) => void log.push(`left ${model} ${span}`),
      succeeded: () => undefined,
      unusable: (model, isForGood) => void log.push(`unusable ${model}${isForGood ? ' for good' : ''}`),
      reset: () => void log.push('reset'),
    },
    approvalMode: () => ApprovalMode.DEFAULT,
    prepare: async () => undefined,
    ...options,
  });
  return { choice, log, failures };
}

describe('ModelChoice', () => {
  it('follows the router, and keeps a switch until the next prompt', async () => {
    const { choice } = choiceWith([next('second')]);
    expect(choice.model).toBe('first');
    await choice.startPrompt(prompt);
    expect(choice.model).toBe('routed');
    await choice.switchAfter(failed);
    expect(choice.model).toBe('second');
    await choice.startPrompt(prompt);
    expect(choice.model).toBe('routed');
  });

  it('skips a model that cannot be set up, and says why', async () => {
    const { choice, log } = choiceWith([next('second'), next('third'), next('fourth')], {
      prepare: async (model) => {
        if (model === 'second') throw new FatalAuthenticationError('set SECOND_KEY');
        if (model === 'third') throw new Error('no network');
      },
    });
    expect(await choice.switchAfter(failed)).toMatchObject({
      model: 'fourth',
      reason:
        'The quota is used up. second cannot be used: set SECOND_KEY. third cannot be used: no network.',
    });
    expect(log).toEqual(['unusable second for good', 'unusable third']);
  });

  it('reports skipped models when none is left', async () => {
    const notices: string[] = [];
    const { choice } = choiceWith([next('second')], {
      prepare: async () => Promise.reject(new FatalAuthenticationError('set SECOND_KEY')),
      notice: (message) => void notices.push(message),
    });
    expect(await choice.switchAfter(failed)).toBeUndefined();
    expect(await choice.switchAfter(failed)).toBeUndefined();
    expect(notices).toEqual(['second cannot be used: set SECOND_KEY.']);
  });

  it.each<[FallbackIntent | undefined, string | undefined, string[]]>([
    ['retry_always', 'second', ['left first always']],
    ['retry_once', 'second', ['left first once']],
    ['stop', undefined, []],
    [undefined, undefined, []],
  ])('asks the user, who answers %s', async (intent, model, marks) => {
    const { choice, log } = choiceWith([next('second', 'ask')], intent && { ask: async () => intent });
    expect(await choice.switchAfter(failed)).toEqual(model && expect.objectContaining({ model }));
    expect(log).toEqual(marks);
  });

  it.each([
    ['the same model is tried again', true, 'keep_trying'],
    ['nothing follows where waiting is useless', false, undefined],
  ])('asks a user who wants to keep trying: %s', async (_what, canWait, result) => {
    const offers: unknown[] = [];
    const { choice } = choiceWith([{ action: 'ask', canWait, errorClass: 'overloaded', reason: 'Busy.' }], {
      ask: async (offer) => {
        offers.push(offer);
        return 'retry_later';
      },
    });
    expect(await choice.switchAfter(failed)).toBe(result);
    expect(offers).toEqual([{ from: 'first', canWait, errorClass: 'overloaded', reason: 'Busy.' }]);
    expect(choice.model).toBe('first');
  });

  it('forgets failures when the user chooses a model by hand', () => {
    const { choice, log } = choiceWith([]);
    choice.choose('mine');
    expect(choice.model).toBe('mine');
    expect(log).toEqual(['reset']);
  });

  it('counts consecutive prompts that failed', async () => {
    const { choice, failures } = choiceWith([]);
    await choice.startPrompt(prompt);
    await choice.startPrompt(prompt);
    await choice.startPrompt(prompt);
    choice.endPrompt();
    await choice.startPrompt(prompt);
    expect(failures).toEqual([0, 1, 2, 0]);
  });
});
