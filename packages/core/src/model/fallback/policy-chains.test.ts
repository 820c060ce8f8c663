import { describe, expect, it } from 'vitest';
import { MODEL_DEFINITIONS } from '../catalog/data.js';
import { FULL_ACCESS } from '../catalog/resolutions.js';
import { readChains, readFallbacks } from './chain-settings.js';
import { type ChainConfig, resolvePolicyChain } from './policy-chains.js';

const asked = (model: string, rest: Partial<ChainConfig> = {}) => ({ getModel: () => model, ...rest });
const active = (model: string) => ({ getActiveModel: () => model });
const models = (config: ChainConfig) => resolvePolicyChain(config).map(({ model }) => model);

const STABLE = { ...FULL_ACCESS, hasAccessToPreview: false, useLatestFlash: false };
const OLD_FLASH = { ...FULL_ACCESS, useLatestFlash: false, useGemini3_1: false };

describe('resolvePolicyChain', () => {
  it('returns a single-model chain for a custom model', () => {
    const chain = resolvePolicyChain(asked('custom-model'));
    expect(chain).toHaveLength(1);
    expect(chain[0]).toMatchObject({ model: 'custom-model', isLastResort: true });
  });

  it('returns the default chain when the model is "auto"', () => {
    expect(models(asked('auto', { access: STABLE }))).toEqual(['gemini-2.5-pro', 'gemini-3.5-flash']);
    expect(models(asked('auto'))).toEqual(['gemini-3.1-pro-preview', 'gemini-3.8-flash']);
  });

  it.each<[string, ChainConfig, string[]]>([
    [
      'auto, older flash',
      asked('auto', { access: OLD_FLASH }),
      ['gemini-3-pro-preview', 'gemini-3-flash-preview'],
    ],
    [
      'auto that asks flash',
      asked('auto', active('gemini-3.8-flash')),
      ['gemini-3.8-flash', 'gemini-3.1-pro-preview'],
    ],
    [
      'auto that asks pro',
      asked('auto', active('gemini-3.1-pro-preview')),
      ['gemini-3.1-pro-preview', 'gemini-3.8-flash'],
    ],
    ['auto of 2.5', asked('auto-gemini-2.5'), ['gemini-2.5-pro', 'gemini-2.5-flash']],
    ['2.5 pro', asked('gemini-2.5-pro'), ['gemini-2.5-pro', 'gemini-3.5-flash']],
    ['2.5 flash has nothing behind it', asked('gemini-2.5-flash'), ['gemini-2.5-flash']],
    ['3 pro', asked('gemini-3-pro-preview'), ['gemini-3-pro-preview', 'gemini-3.8-flash']],
    [
      '3 flash wraps around',
      asked('gemini-3-flash-preview'),
      ['gemini-3-flash-preview', 'gemini-3.1-pro-preview'],
    ],
    ['an alias', asked('pro', { access: OLD_FLASH }), ['gemini-3-pro-preview', 'gemini-3-flash-preview']],
    ['lite', asked('flash-lite'), ['gemini-3.5-flash-lite', 'gemini-3.5-flash', 'gemini-2.5-pro']],
    [
      'lite of 2.5',
      asked('gemini-2.5-flash-lite'),
      ['gemini-2.5-flash-lite', 'gemini-3.5-flash', 'gemini-2.5-pro'],
    ],
    ['Gemma', asked('gemma-4-31b-it'), ['gemma-4-31b-it']],
    ['another provider', asked('openai/gpt-5'), ['openai/gpt-5']],
    [
      'Vertex stays there',
      asked('vertex/gemini-2.5-pro'),
      ['vertex/gemini-2.5-pro', 'vertex/gemini-3.5-flash'],
    ],
    ['auto on Vertex', asked('vertex/auto'), ['vertex/gemini-3.1-pro-preview', 'vertex/gemini-3.8-flash']],
  ])('%s', (_name, config, expected) => {
    expect(models(config)).toEqual(expected);
  });

  it.each([...Object.keys(MODEL_DEFINITIONS), 'pro', 'flash', 'flash-lite', 'custom', 'a/b', ''])(
    'for "%s" has one last resort and no model twice, with every kind of access',
    (name) => {
      for (let bits = 0; bits < 32; bits++) {
        const access = {
          hasAccessToPreview: (bits & 1) > 0,
          useGemini3_1: (bits & 2) > 0,
          useLatestFlash: (bits & 4) > 0,
          useLatestFlashLite: (bits & 8) > 0,
          useCustomTools: (bits & 16) > 0,
        };
        const chain = resolvePolicyChain(asked(name, { access }));
        expect(chain.filter((policy) => policy.isLastResort)).toHaveLength(1);
        expect(new Set(chain.map(({ model }) => model)).size).toBe(chain.length);
      }
    },
  );

  it('tries auto pro three times and does not ask about temporary problems', () => {
    const [pro, flash] = resolvePolicyChain(asked('auto'));
    expect(pro).toMatchObject({ maxAttempts: 3, isLastResort: false });
    expect(pro?.actions).toEqual({
      terminal: 'prompt',
      transient: 'silent',
      not_found: 'prompt',
      unknown: 'prompt',
    });
    expect(pro?.stateTransitions.transient).toBe('sticky_retry');
    expect(flash).toMatchObject({ maxAttempts: 10, isLastResort: true });
  });

  it('asks about everything with a named model, about nothing in plan mode and utility calls', () => {
    const actions = (config: ChainConfig) => [
      ...new Set(resolvePolicyChain(config).flatMap((p) => Object.values(p.actions))),
    ];
    expect(actions(asked('gemini-2.5-pro'))).toEqual(['prompt']);
    expect(actions(asked('gemini-2.5-pro', { isPlanMode: true }))).toEqual(['silent']);
    expect(actions(asked('flash-lite'))).toEqual(['silent']);
  });
});

describe('chains of the user', () => {
  const { chains, problems } = readChains({
    'openai/gpt-5': ['openai/gpt-5', 'anthropic/claude-sonnet-4-5', 'pro'],
    preview: [
      { model: 'gemini-3-pro-preview', maxAttempts: 2, actions: { terminal: 'silent', transient: 'odd' } },
      { model: 'ollama/x', isLastResort: true, stateTransitions: { unknown: 'sticky_retry' } },
    ],
    two: [
      { model: 'a', isLastResort: true },
      { model: 'b', isLastResort: true },
    ],
    holes: ['a', 7],
    none: [],
    text: 'x',
  });

  it('are checked', () => {
    expect(Object.keys(chains)).toEqual(['openai/gpt-5', 'preview']);
    expect(problems.map((text) => text.split(' ')[0])).toEqual(
      ['two', 'holes', 'none', 'text'].map((name) => `modelConfigs.modelChains.${name}`),
    );
    expect(readChains(undefined)).toEqual({ chains: {}, problems: [] });
    expect(readChains([1])).toEqual({ chains: {}, problems: [] });
    expect(chains['preview']?.[0]?.actions).toMatchObject({ terminal: 'silent', transient: 'prompt' });
    expect(chains['preview']?.[1]?.stateTransitions).toMatchObject({
      unknown: 'sticky_retry',
      terminal: 'terminal',
    });
  });

  it.each<[string, string[]]>([
    ['openai/gpt-5', ['openai/gpt-5', 'anthropic/claude-sonnet-4-5', 'gemini-3.1-pro-preview']],
    ['anthropic/claude-sonnet-4-5', ['anthropic/claude-sonnet-4-5', 'gemini-3.1-pro-preview']],
    ['gemini-3-pro-preview', ['gemini-3-pro-preview', 'ollama/x']],
    ['gemini-2.5-pro', ['gemini-2.5-pro', 'gemini-3.5-flash']],
  ])('apply to %s', (model, expected) => {
    expect(models(asked(model, { chains }))).toEqual(expected);
  });
});

it('reads fallbacks as names or with their error classes', () => {
  expect(
    readFallbacks([
      'a/b',
      { model: 'c', on: ['quota', 'moon'] },
      { model: 7 },
      null,
      '',
      { model: 'd', on: 'quota' },
    ]),
  ).toEqual([{ model: 'a/b' }, { model: 'c', on: ['quota'] }, { model: 'd' }]);
  expect(readFallbacks('a')).toEqual([]);
});
