import { describe, expect, it } from 'vitest';
import type { TokenUsage } from '../protocol/messages.js';
import { Ledger, type Price } from './ledger.js';

const PRICES: Record<string, Price> = {
  pro: { input: 1.25, cachedInput: 0.31, output: 10 },
  lite: { input: 0.1, output: 0.4 },
};
const ledger = () => new Ledger({ priceOf: (model) => PRICES[model] });
const tokens = (given: Partial<TokenUsage>): TokenUsage => {
  const usage = { prompt: 0, candidates: 0, cached: 0, thoughts: 0, tool: 0, total: 0, ...given };
  return { ...usage, total: usage.prompt + usage.candidates + usage.thoughts + usage.tool };
};

describe('Ledger', () => {
  it('adds up tokens exactly, in all and by model and role', () => {
    const book = ledger();
    book.add({ model: 'pro', role: 'main', usage: tokens({ prompt: 1000, candidates: 11, thoughts: 7 }) });
    book.add({ model: 'pro', role: 'main', usage: tokens({ prompt: 2000, candidates: 3, cached: 900 }) });
    book.add({ model: 'pro', role: 'subagent', usage: tokens({ prompt: 5 }) });
    book.add({ model: 'lite', role: 'subagent', usage: tokens({ prompt: 50, tool: 4 }) });
    expect(book.totalTokens).toBe(3080);
    expect(book.totals()).toMatchObject({
      calls: 4,
      tokens: { prompt: 3055, candidates: 14, cached: 900, thoughts: 7, tool: 4, total: 3080 },
    });
    expect([...book.byModel()].map(([name, sum]) => [name, sum.calls, sum.tokens.total])).toEqual([
      ['pro', 3, 3026],
      ['lite', 1, 54],
    ]);
    expect([...book.byRole()].map(([name, sum]) => [name, sum.calls, sum.tokens.total])).toEqual([
      ['main', 2, 3021],
      ['subagent', 2, 59],
    ]);
    expect(book.rows().map(({ model, role, calls }) => [model, role, calls])).toEqual([
      ['pro', 'main', 2],
      ['pro', 'subagent', 1],
      ['lite', 'subagent', 1],
    ]);
  });

  it('charges cached input at its own price and thoughts as output', () => {
    const book = ledger();
    book.add({
      model: 'pro',
      role: 'main',
      usage: tokens({ prompt: 1_000_000, cached: 400_000, candidates: 10_000, thoughts: 20_000 }),
    });
    expect(book.totals().cost).toBe(1.174);
  });

  it('charges cached input as input where it has no price, and tools of the provider too', () => {
    const book = ledger();
    book.add({ model: 'lite', role: 'main', usage: tokens({ prompt: 10, cached: 5, tool: 10 }) });
    expect(book.totals().cost).toBe(0.000002);
  });

  it('prices each call by itself, because long prompts may cost more', () => {
    const book = new Ledger({
      priceOf: (_model, promptTokens = 0) => ({ input: promptTokens > 200_000 ? 4 : 2, output: 0 }),
    });
    book.add({ model: 'pro', role: 'main', usage: tokens({ prompt: 200_000 }) });
    book.add({ model: 'pro', role: 'main', usage: tokens({ prompt: 250_000 }) });
    expect(book.totals().cost).toBe(1.4);
  });

  it('rounds off binary fractions', () => {
    const book = ledger();
    for (let call = 0; call < 3; call++)
      book.add({ model: 'lite', role: 'main', usage: tokens({ prompt: 1 }) });
    expect(book.totals().cost).toBe(0.0000003);
  });

  it('has no cost as soon as tokens without a price were used', () => {
    const book = ledger();
    expect(book.totalCost).toBe(0);
    book.add({ model: 'lite', role: 'main', usage: tokens({ prompt: 1000 }) });
    expect(book.totalCost).toBe(0.0001);
    book.add({ model: 'ollama/x', role: 'main', usage: tokens({}) });
    expect(book.totalCost).toBe(0.0001);
    book.add({ model: 'ollama/x', role: 'main', usage: tokens({ prompt: 1 }) });
    expect(book.totalCost).toBeUndefined();
    expect(book.byModel().get('lite')?.cost).toBe(0.0001);
    expect(book.byModel().get('ollama/x')).not.toHaveProperty('cost');
  });

  it('accepts any name as a model', () => {
    const book = ledger();
    book.add({ model: '__proto__', role: 'constructor', usage: tokens({ prompt: 1 }) });
    expect(book.byModel().get('__proto__')?.tokens.total).toBe(1);
    expect(book.byRole().get('constructor')?.calls).toBe(1);
  });
});
