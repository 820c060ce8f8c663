import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FatalBudgetError, FatalConfigError, FatalTurnLimitedError } from '../base/errors.js';
import { Ledger } from '../model/ledger.js';
import { type Budget, RunLimits } from './limits.js';

function limitsWith(budget: Budget, maxSessionTurns = -1) {
  const clock = { time: 0 };
  const ledger = new Ledger({
    priceOf: (model) => (model === 'known' ? { input: 1, output: 1 } : undefined),
  });
  const limits = new RunLimits(maxSessionTurns, budget, () => clock.time, ledger);
  const use = (total: number, model = 'known') =>
    ledger.add({
      model,
      role: 'main',
      usage: { prompt: total, candidates: 0, cached: 0, thoughts: 0, tool: 0, total },
    });
  return { limits, use, clock };
}

describe('RunLimits', () => {
  it('allows every call without a budget, whatever its price', () => {
    const { limits, use } = limitsWith({});
    use(1e9, 'unknown');
    limits.beforeRequest('unknown');
    limits.beforeModelCall();
  });

  it('stops the run at the token limit of the ledger', () => {
    const { limits, use } = limitsWith({ maxTokens: 100 });
    use(99);
    limits.beforeRequest('known');
    limits.beforeModelCall();
    use(1);
    expect(() => limits.beforeRequest('known')).toThrow(
      'Token budget reached (100 of 100). Raise model.budget.maxTokens or --max-tokens, or start a new session.',
    );
    expect(() => limits.beforeModelCall()).toThrow(FatalBudgetError);
  });

  it('stops the run at the cost limit of the ledger', () => {
    const { limits, use } = limitsWith({ maxCost: 0.5 });
    use(499_999);
    limits.beforeModelCall();
    use(1);
    expect(() => limits.beforeRequest('known')).toThrow('Cost budget reached ($0.5 of $0.5).');
    expect(() => limits.beforeModelCall()).toThrow(FatalBudgetError);
  });

  it('allows no call at all with a budget of zero', () => {
    expect(() => limitsWith({ maxCost: 0 }).limits.beforeModelCall()).toThrow(FatalBudgetError);
    expect(() => limitsWith({ maxTokens: 0 }).limits.beforeModelCall()).toThrow(FatalBudgetError);
  });

  it('refuses a model of unknown price when the cost is limited', () => {
    const { limits } = limitsWith({ maxCost: 1 });
    limits.requirePrice('known');
    expect(() => limits.requirePrice('ollama/x')).toThrow(FatalConfigError);
    expect(() => limits.beforeRequest('ollama/x')).toThrow(/"ollama\/x".*model\.prices/);
  });

  it('stops the run after tokens of unknown price were used', () => {
    const { limits, use } = limitsWith({ maxCost: 1 });
    use(1, 'unknown');
    expect(() => limits.beforeModelCall()).toThrow(FatalBudgetError);
  });

  it('stops the run when the time is over', () => {
    const { limits, clock } = limitsWith({ maxTimeMs: 1500 });
    clock.time = 1499;
    limits.beforeRequest('unknown');
    clock.time = 1500;
    expect(() => limits.beforeRequest('unknown')).toThrow(
      'Time budget reached (1.5 s of 1.5 s). Raise model.budget.maxTime',
    );
  });

  it('calls back when the time is over, and not after the request has ended', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { limits, clock } = limitsWith({ maxTimeMs: 1500 });
    clock.time = 1000;
    const ended: string[] = [];
    limits.whenTimeIsUp(({ message }) => ended.push(message));
    limits.whenTimeIsUp(() => ended.push('stopped'))();
    limitsWith({ maxTimeMs: 1e12 }).limits.whenTimeIsUp(() => ended.push('far away'));
    limitsWith({}).limits.whenTimeIsUp(() => ended.push('no limit'));
    vi.advanceTimersByTime(499);
    expect(ended).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(ended).toEqual([expect.stringContaining('Time budget reached (1.5 s of 1.5 s).')]);
  });

  it('counts turns of the session, not utility calls', () => {
    const { limits } = limitsWith({}, 1);
    limits.beforeRequest('known');
    limits.beforeModelCall();
    expect(() => limits.beforeModelCall()).toThrow(FatalTurnLimitedError);
  });
});
