import { describe, expect, it } from 'vitest';
import { FULL_ACCESS } from '../catalog/resolutions.js';
import { ModelCatalog } from '../catalog.js';
import { ApiError, CONTEXT_TOO_LONG, ConnectionError } from '../errors/api-error.js';
import { errorClassOf } from '../errors/error-class.js';
import { UtilityAvailability } from '../utility/utility-availability.js';
import { ModelAvailability } from './availability.js';
import { readChains, readFallbacks } from './chain-settings.js';
import { type FallbackOptions, FallbackPlanner } from './fallback.js';

const PRO = 'gemini-3.1-pro-preview';
const FLASH = 'gemini-3.8-flash';
const network = (code: string) => Object.assign(new Error('x'), { code, syscall: 'connect' });

const ERRORS = {
  rate_limit: new ApiError(429, 'slow down', [], 20_000),
  quota: new ApiError(429, 'too much', [{ violations: [{ quotaId: 'RequestsPerDay' }] }]),
  overloaded: new ApiError(503, 'busy'),
  unavailable: new ApiError(500, 'oops'),
  context_too_long: new ApiError(400, 'long', [{ reason: CONTEXT_TOO_LONG }]),
};
const CAPACITY = new ApiError(429, 'x', [{ reason: 'MODEL_CAPACITY_EXHAUSTED' }]);

describe('errorClassOf', () => {
  it.each<[string, unknown, string | undefined]>([
    ['429', new ApiError(429, 'x'), 'rate_limit'],
    ['429 with a delay', ERRORS.rate_limit, 'rate_limit'],
    ['429 that asks for hours', new ApiError(429, 'x', [], 7_200_000), 'quota'],
    ['daily quota', ERRORS.quota, 'quota'],
    ['no credit', new ApiError(402, 'x', [], undefined, true), 'quota'],
    ['503', ERRORS.overloaded, 'overloaded'],
    ['503 for a day', new ApiError(503, 'x', [], 86_400_000), 'overloaded'],
    ['503 with a quota of zero', new ApiError(503, 'limit: 0'), 'quota'],
    ['529', new ApiError(529, 'x'), 'overloaded'],
    ['no room', CAPACITY, 'overloaded'],
    ['500', ERRORS.unavailable, 'unavailable'],
    ['499', new ApiError(499, 'x'), 'unavailable'],
    ['404', new ApiError(404, 'x'), 'unavailable'],
    ['a refused connection', network('ECONNREFUSED'), 'unavailable'],
    ['a local server that does not run', new ApiError(0, 'x', [{ reason: 'ECONNREFUSED' }]), 'unavailable'],
    ['a cut connection', network('ECONNRESET'), 'unavailable'],
    ['too long', ERRORS.context_too_long, 'context_too_long'],
    ['too long for Anthropic', new ApiError(413, 'x', [{ reason: CONTEXT_TOO_LONG }]), 'context_too_long'],
    [
      'too long for Gemini',
      new ApiError(
        400,
        'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).',
      ),
      'context_too_long',
    ],
    ['400', new ApiError(400, 'x'), undefined],
    ['401', new ApiError(401, 'x'), undefined],
    ['403', new ApiError(403, 'x'), undefined],
    ['a bug', new TypeError('x'), undefined],
    ['nothing', undefined, undefined],
  ])('%s', (_name, error, expected) => {
    expect(errorClassOf(error)).toBe(expected);
  });
});

interface Bed extends Partial<Omit<FallbackOptions, 'fallbacks' | 'chains'>> {
  requested?: string;
  fallbacks?: unknown[];
  chains?: unknown;
}

function bed({ requested = 'gemini-2.5-pro', fallbacks = [], chains, ...rest }: Bed = {}) {
  let now = new Date(2026, 0, 2, 10, 0, 0).getTime();
  const availability = new ModelAvailability(() => now);
  const planner = new FallbackPlanner({
    catalog: new ModelCatalog(),
    availability,
    fallbacks: readFallbacks(fallbacks),
    chains: readChains(chains).chains,
    requestedModel: () => requested,
    access: () => FULL_ACCESS,
    isInteractive: false,
    now: () => now,
    ...rest,
  });
  return { planner, availability, pass: (ms: number) => (now += ms) };
}

describe('model.fallbacks', () => {
  const fallbacks = [
    'openai/gpt-5',
    { model: 'anthropic/claude-sonnet-4-5', on: ['quota', 'unavailable'] },
    'ollama/x',
  ];

  it.each<[keyof typeof ERRORS, string, string | undefined]>([
    ['rate_limit', 'gemini-2.5-pro', 'openai/gpt-5'],
    ['overloaded', 'openai/gpt-5', 'ollama/x'],
    ['quota', 'openai/gpt-5', 'anthropic/claude-sonnet-4-5'],
    ['unavailable', 'anthropic/claude-sonnet-4-5', 'ollama/x'],
    ['unavailable', 'ollama/x', undefined],
  ])('switch after %s of %s: %s, at once', (error, model, next) => {
    for (const isInteractive of [true, false]) {
      const { planner } = bed({ fallbacks, isInteractive });
      const found = planner.after({ model, error: ERRORS[error], canRetry: true });
      expect(found?.model).toBe(next);
      if (next) expect(found).toMatchObject({ action: 'switch', errorClass: error });
    }
  });

  it('skip unavailable models', () => {
    const { planner, availability } = bed({ fallbacks });
    availability.markTerminal('openai/gpt-5', 'quota');
    expect(planner.after({ model: 'gemini-2.5-pro', error: ERRORS.quota })?.model).toBe(
      'anthropic/claude-sonnet-4-5',
    );
  });

  it.each([new ApiError(400, 'x'), new ApiError(401, 'x'), new ApiError(403, 'x'), new Error('x')])(
    'do not apply to %s',
    (error) => {
      expect(bed({ fallbacks }).planner.after({ model: 'gemini-2.5-pro', error })).toBeUndefined();
    },
  );

  it('may name aliases, and the failed model itself', () => {
    const { planner } = bed({ requested: 'pro', fallbacks: ['gemini/pro', 'flash'] });
    expect(planner.after({ model: PRO, error: ERRORS.quota })?.model).toBe(FLASH);
  });

  it('never move a long conversation to a model with the same or a smaller window', () => {
    const catalog = new ModelCatalog({
      dynamic: false,
      providers: { a: { contextWindow: 8_000 }, b: { contextWindow: 2_000_000 } },
    });
    const { planner } = bed({ catalog, fallbacks: ['a/x', 'gemini-2.5-flash', 'b/x'] });
    const error = ERRORS.context_too_long;
    expect(planner.after({ model: 'gemini-2.5-pro', error })?.model).toBe('b/x');
    expect(planner.current('gemini-2.5-pro')).toBe('gemini-2.5-pro');
  });

  it('stay in use for the next prompts as long as the outage lasts', () => {
    const { planner, pass } = bed({ fallbacks: ['openai/gpt-5'] });
    planner.after({ model: 'gemini-2.5-pro', error: ERRORS.rate_limit });
    planner.startPrompt();
    expect(planner.current('gemini-2.5-pro')).toBe('openai/gpt-5');
    pass(20_000);
    expect(planner.current('gemini-2.5-pro')).toBe('gemini-2.5-pro');
  });

  it('are not asked in the next prompt when they lack a key, until the user chooses again', () => {
    const { planner } = bed({ fallbacks: ['openai/gpt-5', 'ollama/x', 'ollama/y'] });
    const failed = { model: 'gemini-2.5-pro', error: ERRORS.quota };
    expect(planner.after(failed)?.model).toBe('openai/gpt-5');
    planner.unusable('openai/gpt-5', true);
    planner.unusable('ollama/x', false);
    expect(planner.after(failed)?.model).toBe('ollama/y');
    planner.startPrompt();
    expect(planner.current('gemini-2.5-pro')).toBe('ollama/x');
    planner.reset();
    expect(planner.after(failed)?.model).toBe('openai/gpt-5');
  });

  it('are not used at the start of a prompt for an error class they exclude', () => {
    const { planner, availability } = bed({
      fallbacks: [
        { model: 'a/x', on: ['quota'] },
        { model: 'b/x', on: ['overloaded'] },
      ],
    });
    expect(planner.after({ model: 'gemini-2.5-pro', error: ERRORS.quota })?.model).toBe('a/x');
    availability.markTerminal('a/x', 'quota');
    planner.startPrompt();
    expect(planner.current('gemini-2.5-pro')).toBe('gemini-2.5-pro');
  });

  it('give way to the chain of an auto name when none matches', () => {
    const { planner } = bed({ requested: 'auto', fallbacks: [{ model: 'a/x', on: ['quota'] }] });
    expect(planner.after({ model: PRO, error: ERRORS.overloaded, canRetry: true })).toBeUndefined();
    expect(planner.after({ model: PRO, error: ERRORS.overloaded })).toMatchObject({
      model: FLASH,
      action: 'switch',
    });
  });
});

describe('an auto name', () => {
  it.each<[string, unknown, boolean, string]>([
    ['quota, alone', ERRORS.quota, false, 'switch'],
    ['quota, with a user', ERRORS.quota, true, 'ask'],
    ['overloaded, with a user', ERRORS.overloaded, true, 'switch'],
    ['no room, with a user', CAPACITY, true, 'ask'],
    ['not found, alone', new ApiError(404, 'x'), false, 'switch'],
  ])('follows its chain: %s', (_name, error, isInteractive, action) => {
    const { planner } = bed({ requested: 'auto', isInteractive });
    expect(planner.after({ model: PRO, error })).toMatchObject({ model: FLASH, action });
  });

  it('waits for its retries, and has fewer of them for pro', () => {
    const { planner } = bed({ requested: 'auto' });
    expect(planner.after({ model: PRO, error: ERRORS.overloaded, canRetry: true })).toBeUndefined();
    expect([PRO, FLASH].map((model) => planner.attemptsFor(model))).toEqual([3, 10]);
  });

  it('asks a model with a temporary problem once more in the next prompt, once', () => {
    const { planner } = bed({ requested: 'auto' });
    planner.after({ model: PRO, error: ERRORS.unavailable });
    expect(planner.current(PRO)).toBe(FLASH);
    planner.startPrompt();
    expect([planner.current(PRO), planner.attemptsFor(PRO)]).toEqual([PRO, 1]);
    planner.succeeded(PRO);
    expect(planner.attemptsFor(PRO)).toBe(3);
  });

  it('returns to the first model when the time is over', () => {
    const { planner, pass } = bed({ requested: 'auto' });
    planner.after({ model: PRO, error: CAPACITY });
    planner.startPrompt();
    expect(planner.current(PRO)).toBe(FLASH);
    pass(30_000);
    expect(planner.current(PRO)).toBe(PRO);
  });

  it('falls back to the last resort when nothing is available', () => {
    const { planner, availability } = bed({ requested: 'auto' });
    availability.markTerminal(FLASH, 'quota');
    availability.markTerminal(PRO, 'quota');
    expect(planner.current(PRO)).toBe(FLASH);
    expect(planner.after({ model: PRO, error: ERRORS.quota })?.model).toBe(FLASH);
    expect(planner.after({ model: FLASH, error: ERRORS.quota })).toBeUndefined();
  });

  it('does not switch for a conversation that is too long', () => {
    const { planner } = bed({ requested: 'auto' });
    expect(planner.after({ model: PRO, error: ERRORS.context_too_long })).toBeUndefined();
  });
});

describe('a model named explicitly', () => {
  it('never switches where the user cannot be asked', () => {
    const { planner, availability } = bed();
    for (const error of Object.values(ERRORS)) {
      expect(planner.after({ model: 'gemini-2.5-pro', error })).toBeUndefined();
    }
    expect(availability.stateOf('gemini-2.5-pro').kind).toBe('healthy');
    availability.markTerminal('gemini-2.5-pro', 'quota');
    expect(planner.current('gemini-2.5-pro')).toBe('gemini-2.5-pro');
  });

  it('is replaced only after asking, and marked only with consent', () => {
    const { planner, availability } = bed({ isInteractive: true });
    const failed = { model: 'gemini-2.5-pro', error: ERRORS.quota };
    expect(planner.after(failed)).toMatchObject({ model: 'gemini-3.5-flash', action: 'ask' });
    expect(availability.stateOf('gemini-2.5-pro').kind).toBe('healthy');
    planner.accept('gemini-2.5-pro', 'once');
    planner.startPrompt();
    expect(planner.current('gemini-2.5-pro')).toBe('gemini-2.5-pro');
    planner.after(failed);
    planner.accept('gemini-2.5-pro', 'always');
    planner.startPrompt();
    expect(planner.current('gemini-2.5-pro')).toBe('gemini-3.5-flash');
    planner.reset();
    expect(planner.current('gemini-2.5-pro')).toBe('gemini-2.5-pro');
  });

  it('without another model offers to keep trying, if that may help', () => {
    const { planner } = bed({ isInteractive: true, requested: 'my-own-model' });
    const after = (error: unknown) => planner.after({ model: 'my-own-model', error });
    expect(after(ERRORS.overloaded)).toMatchObject({
      action: 'ask',
      canWait: true,
      errorClass: 'overloaded',
    });
    expect(after(ERRORS.overloaded)?.model).toBeUndefined();
    expect(after(network('ECONNREFUSED'))).toMatchObject({ action: 'ask', canWait: true });
    expect([after(ERRORS.quota), after(new ApiError(404, 'x'))]).toEqual([undefined, undefined]);
    const alone = bed({ requested: 'my-own-model' }).planner;
    expect(alone.after({ model: 'my-own-model', error: ERRORS.overloaded })).toBeUndefined();
  });

  it('is not replaced by a model of the server that cannot be reached', () => {
    const { planner } = bed({ isInteractive: true });
    const failed = planner.after({ model: 'gemini-2.5-pro', error: network('ECONNREFUSED') });
    expect(failed).toMatchObject({ action: 'ask', canWait: true });
    expect(failed?.model).toBeUndefined();
    const own = bed({ requested: 'openai/a', chains: { mine: ['openai/a', 'openai/b', 'gemini-2.5-pro'] } });
    expect(own.planner.after({ model: 'openai/a', error: network('ENOTFOUND') })?.model).toBe(
      'gemini-2.5-pro',
    );
  });

  it('switches silently in plan mode', () => {
    const { planner } = bed({ isInteractive: true, isPlanMode: () => true });
    expect(planner.after({ model: 'gemini-2.5-pro', error: ERRORS.quota })?.action).toBe('switch');
  });

  it.each([
    ['a bare list', ['openai/a', 'openai/b'], 'switch'],
    ['a silent action', [{ model: 'openai/a', actions: { terminal: 'silent' } }, 'openai/b'], 'switch'],
    ['an action that asks', [{ model: 'openai/a' }, 'openai/b'], undefined],
  ])('follows a chain of the user: %s', (_name, chain, action) => {
    const { planner } = bed({ requested: 'openai/a', chains: { mine: chain } });
    expect(planner.after({ model: 'openai/a', error: ERRORS.quota })?.action).toBe(action);
    planner.startPrompt();
    expect(planner.current('openai/a')).toBe(action ? 'openai/b' : 'openai/a');
  });
});

describe('the reason for a switch', () => {
  it.each<[unknown, string]>([
    [ERRORS.quota, 'The quota of m is used up'],
    [new ApiError(429, 'x', [], 3_600_000 * 4), 'The quota of m is used up (until 14:00)'],
    [
      new ApiError(429, 'Your quota will reset after 24h5m.'),
      'The quota of m is used up (until 2026-01-03 10:05)',
    ],
    [new ApiError(429, 'x', [], 1e300), 'The quota of m is used up'],
    [ERRORS.rate_limit, 'm gets too many requests (until 10:00:20)'],
    [ERRORS.overloaded, 'm is overloaded'],
    [new ApiError(500, 'line 1\nline 2'), 'm is not available: line 1 line 2'],
    [
      new ConnectionError('ECONNREFUSED', 'm (Gemini API): connection refused. Check it.', undefined),
      'm (Gemini API): connection refused. Check it.',
    ],
    [ERRORS.context_too_long, 'The conversation is too long for m'],
  ])('names the cause after %s', (error, reason) => {
    const { planner } = bed({ requested: 'm', fallbacks: ['other/x'] });
    expect(planner.after({ model: 'm', error })?.reason).toBe(reason);
  });
});

it('never leads back to a failed model, and every sequence of failures ends', () => {
  // A fixed generator of numbers: the same cases on every run.
  let seed = 42;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const names = [
    'auto',
    'pro',
    'flash',
    'gemini-2.5-pro',
    'a/x',
    'b/x',
    'c/x',
    FLASH,
    'auto-gemini-2.5',
    'flash-lite',
  ];
  const errors = [...Object.values(ERRORS), CAPACITY, new ApiError(404, 'x'), network('ECONNREFUSED')];
  const catalog = new ModelCatalog();
  for (let round = 0; round < 500; round++) {
    const pick = () => names[random(names.length)] as string;
    const requested = pick();
    const fallbacks = Array.from({ length: random(5) }, pick);
    const chains = random(3) === 0 ? { [requested]: [requested, pick(), pick()] } : undefined;
    const { planner } = bed({ requested, fallbacks, chains, isInteractive: random(2) === 0 });
    for (let prompt = 0; prompt < 3; prompt++) {
      planner.startPrompt();
      let model = planner.current(catalog.resolve(requested));
      const failed = new Set<string>();
      for (;;) {
        failed.add(model);
        const error = errors[random(errors.length)];
        const next = planner.after({ model, error, canRetry: random(2) === 0 });
        if (next?.model === undefined) break;
        if (next.action === 'ask') planner.accept(model, random(2) === 0 ? 'always' : 'once');
        expect(failed).not.toContain(next.model);
        model = next.model;
      }
      expect(failed.size).toBeLessThanOrEqual(names.length + 5);
    }
  }
});

it('lets utility calls follow their chain silently', () => {
  const { availability } = bed();
  const small = new UtilityAvailability({
    catalog: new ModelCatalog(),
    availability,
    access: () => FULL_ACCESS,
    now: () => 0,
  });
  const lite = 'gemini-3.5-flash-lite';
  expect(small.pick(lite)).toBe(lite);
  small.failed(lite, new ApiError(400, 'bad'));
  expect(small.pick(lite)).toBe(lite);
  small.failed(lite, ERRORS.quota);
  expect(small.pick(lite)).toBe('gemini-3.5-flash');
  small.failed('gemini-3.5-flash', ERRORS.overloaded);
  expect(small.pick(lite)).toBe('gemini-2.5-pro');
  small.failed('gemini-2.5-pro', ERRORS.quota);
  expect(small.pick(lite)).toBe('gemini-2.5-pro');
});
