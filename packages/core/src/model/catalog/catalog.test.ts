import { describe, expect, it } from 'vitest';
import { acceptsMediaInToolResponse, ModelCatalog, resolveModel } from '../catalog.js';
import { priceOf, readPrices } from './prices.js';
import { FULL_ACCESS, type ModelAccess } from './resolutions.js';

const catalog = new ModelCatalog();
const NO_PREVIEW = { ...FULL_ACCESS, hasAccessToPreview: false, useGemini3_1: false };
const OLD_FLASH = { ...FULL_ACCESS, useLatestFlash: false, useLatestFlashLite: false };

describe('a model name', () => {
  it.each<[string, Partial<ModelAccess>, string]>([
    ['pro', {}, 'gemini-3.1-pro-preview'],
    ['pro', { useGemini3_1: false }, 'gemini-3-pro-preview'],
    ['pro', { hasAccessToPreview: false }, 'gemini-2.5-pro'],
    ['pro', { useCustomTools: true }, 'gemini-3.1-pro-preview-customtools'],
    ['flash', {}, 'gemini-3.8-flash'],
    ['flash', { useLatestFlash: false }, 'gemini-3-flash-preview'],
    ['flash', { useLatestFlash: false, hasAccessToPreview: false }, 'gemini-3.5-flash'],
    ['flash-lite', {}, 'gemini-3.5-flash-lite'],
    ['flash-lite', { useLatestFlashLite: false }, 'gemini-3.1-flash-lite'],
    ['auto', {}, 'gemini-3.8-flash'],
    ['auto-gemini-2.5', {}, 'gemini-2.5-flash'],
    ['gemini-3-pro-preview', {}, 'gemini-3-pro-preview'],
    ['gemini-3-pro-preview', { hasAccessToPreview: false }, 'gemini-2.5-pro'],
    ['gemini-3.1-pro-preview-customtools', { hasAccessToPreview: false }, 'gemini-2.5-pro'],
    ['gemini-3-flash-preview', { hasAccessToPreview: false, useLatestFlash: false }, 'gemini-3.5-flash'],
    ['gemini/pro', {}, 'gemini-3.1-pro-preview'],
    ['google/gemini-2.5-pro', {}, 'gemini-2.5-pro'],
    ['vertex/flash', {}, 'vertex/gemini-3.8-flash'],
    ['openai/pro', { hasAccessToPreview: false }, 'openai/pro'],
    ['my-own-preview', { hasAccessToPreview: false }, 'my-own-preview'],
    ['constructor', {}, 'constructor'],
    ['', {}, ''],
  ])('%s with %j resolves to %s', (name, access, expected) => {
    expect(catalog.resolve(name, { ...FULL_ACCESS, ...access })).toBe(expected);
  });

  it('resolves without an account as with full access', () => {
    expect(['auto', 'pro', 'gemini/flash', 'x/y'].map(resolveModel)).toEqual([
      'gemini-3.8-flash',
      'gemini-3.1-pro-preview',
      'gemini-3.8-flash',
      'x/y',
    ]);
  });
});

describe('an auto name', () => {
  it.each<[string, ModelAccess, { pro: string; flash: string }]>([
    ['auto', FULL_ACCESS, { pro: 'gemini-3.1-pro-preview', flash: 'gemini-3.8-flash' }],
    ['auto-gemini-3', OLD_FLASH, { pro: 'gemini-3.1-pro-preview', flash: 'gemini-3-flash-preview' }],
    ['auto', { ...NO_PREVIEW, useLatestFlash: false }, { pro: 'gemini-2.5-pro', flash: 'gemini-3.5-flash' }],
    ['auto-gemini-2.5', FULL_ACCESS, { pro: 'gemini-2.5-pro', flash: 'gemini-2.5-flash' }],
    ['vertex/auto', FULL_ACCESS, { pro: 'vertex/gemini-3.1-pro-preview', flash: 'vertex/gemini-3.8-flash' }],
  ])('%s chooses between two models', (name, access, pair) => {
    expect(catalog.isAuto(name)).toBe(true);
    expect(catalog.autoPair(name, access)).toEqual(pair);
  });

  it.each(['pro', 'flash', 'gemini-3-pro-preview', 'ollama/auto', 'nobody', 'toString'])(
    'is not %s',
    (name) => {
      expect(catalog.isAuto(name)).toBe(false);
    },
  );
});

describe('catalog settings', () => {
  const modelDefinitions = {
    'gemini-2.5-pro': { contextWindow: 500_000, tier: 'flash', features: { multimodalToolUse: true } },
    mine: { contextWindow: 32_000, displayName: 'My model', tier: 'auto' },
    broken: 'text',
    odd: { contextWindow: -1, tier: 'huge', isVisible: 'yes' },
  };
  const modelIdResolutions = {
    pro: { default: 'gemini-2.5-pro', contexts: [{ condition: { useCustomTools: true }, target: 'mine' }] },
    loop: { default: 'pool' },
    pool: { default: 'loop' },
    broken: { contexts: [] },
  };
  const providers = { ollama: { contextWindow: 8192, models: ['qwen3:8b', 7] } };

  it('always change the context window, and nothing else', () => {
    const own = new ModelCatalog({ dynamic: false, modelDefinitions, modelIdResolutions, providers });
    expect(
      ['gemini-2.5-pro', 'vertex/gemini-2.5-pro', 'mine', 'odd', 'ollama/x'].map((m) => own.contextWindow(m)),
    ).toEqual([500_000, 500_000, 32_000, 1_048_576, 8192]);
    expect(own.definitionOf('gemini-2.5-pro')?.tier).toBe('pro');
    expect(own.resolve('pro')).toBe('gemini-3.1-pro-preview');
    expect(own.isAuto('mine')).toBe(false);
  });

  it('change everything when dynamic configuration is enabled', () => {
    const classifierIdResolutions = { pro: { default: 'ollama/big' } };
    const own = new ModelCatalog({
      dynamic: true,
      modelDefinitions,
      modelIdResolutions,
      classifierIdResolutions,
    });
    expect(own.definitionOf('gemini-2.5-pro')).toMatchObject({
      tier: 'flash',
      family: 'gemini-2.5',
      features: { thinking: false, multimodalToolUse: true },
    });
    expect(own.resolve('pro')).toBe('gemini-2.5-pro');
    expect(own.resolve('pro', { ...FULL_ACCESS, useCustomTools: true })).toBe('mine');
    expect(['loop', 'pool']).toContain(own.resolve('loop'));
    expect(own.isAuto('mine')).toBe(true);
    expect(own.autoPair('auto').pro).toBe('ollama/big');
  });

  it("add the providers' models to the dialog", () => {
    const entries = new ModelCatalog({ dynamic: false, providers }).list();
    expect(entries[0]).toMatchObject({ name: 'auto', tier: 'auto' });
    expect(entries.at(-1)).toMatchObject({ name: 'ollama/qwen3:8b', displayName: 'ollama/qwen3:8b' });
    expect(entries.map(({ name }) => name)).not.toContain('gemini-embedding-001');
  });
});

it('allows media in tool responses of Gemini 3 only', () => {
  const able = ['gemini-3-pro-preview', 'gemini-3.9-unknown', 'gemini-2.5-pro', 'gemma-4-31b-it', 'x'];
  expect(able.map(acceptsMediaInToolResponse)).toEqual([true, true, false, false, false]);
});

describe('the price', () => {
  it.each([
    ['gemini-2.5-flash', 0.3],
    ['vertex/gemini-2.5-flash', 0.3],
    ['anthropic/claude-sonnet-4-5-20250929', 3],
    ['openrouter/anthropic/claude-sonnet-4.5', 3],
    ['openrouter/google/gemini-2.5-flash', 0.3],
    ['openai/gpt-4o-2024-08-06', 2.5],
    ['openrouter/meta-llama/llama-3.3-70b:free', 0],
    ['ollama/qwen3:8b', 0],
    ['offline', 0],
    ['openai/toString', undefined],
    ['toString', undefined],
  ])('of %s is %s', (model, input) => {
    expect(priceOf(model)?.input).toBe(input);
  });

  it('rises with long prompts if the provider says so', () => {
    expect(priceOf('gemini-2.5-pro', {}, 200_000)).toEqual({ input: 1.25, cachedInput: 0.125, output: 10 });
    expect(priceOf('gemini-2.5-pro', {}, 200_001)).toEqual({ input: 2.5, cachedInput: 0.25, output: 15 });
    expect(priceOf('gemini-2.5-flash', {}, 900_000)?.input).toBe(0.3);
  });

  it('can be set by the user, who is told about invalid values', () => {
    const { prices, problems } = readPrices({
      'gemini-2.5-pro': { input: 9, output: 10 },
      'ollama/x': { input: 1, cachedInput: 0.5, output: 2 },
      a: { input: '1', output: 2 },
      b: 7,
      c: { input: -1, output: 0 },
    });
    expect(priceOf('gemini-2.5-pro', prices, 900_000)).toEqual({ input: 9, cachedInput: 9, output: 10 });
    expect(priceOf('ollama/x', prices)).toEqual({ input: 1, cachedInput: 0.5, output: 2 });
    expect(problems.map((text) => text.slice(0, 17))).toEqual(
      ['a', 'b', 'c'].map((name) => `model.prices["${name}"]`),
    );
    expect(readPrices([]).problems).toHaveLength(1);
    expect(readPrices(undefined)).toEqual({ prices: {}, problems: [] });
  });
});

it('leaves Gemma 4 out of the list when experimental.gemma is off', () => {
  const namesOf = (catalog: ModelCatalog) => catalog.list().map(({ name }) => name);
  expect(namesOf(new ModelCatalog())).toContain('gemma-4-31b-it');
  expect(namesOf(new ModelCatalog({ dynamic: false, offersGemma: false })).join()).not.toContain('gemma');
});
