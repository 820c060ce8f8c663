import { describe, expect, it } from 'vitest';
import { ModelCatalog } from './catalog.js';
import { BUILTIN_ALIASES } from './configs/builtin.js';
import { ModelConfigs } from './model-configs.js';

const CHAT = { temperature: 1, topP: 0.95, topK: 64 };
const BASE = { temperature: 0, topP: 1 };
const HIGH = { thinkingConfig: { includeThoughts: true, thinkingLevel: 'HIGH' } };
const BUDGET = { thinkingConfig: { includeThoughts: true, thinkingBudget: 8192 } };
const NO_BUDGET = { thinkingConfig: { thinkingBudget: 0 } };

const configs = new ModelConfigs();

describe('the settings of a conversation', () => {
  it.each([
    ['gemini-3.1-pro-preview', { ...CHAT, ...HIGH }],
    ['gemini-3.8-flash', { ...CHAT, ...HIGH }],
    ['gemini-2.5-flash', { ...CHAT, ...BUDGET }],
    ['gemma-4-31b-it', { ...CHAT, ...HIGH }],
    ['gemini-3.9-new', { ...CHAT, ...HIGH }],
    ['gemini-2.0-flash', { ...CHAT, thinkingConfig: { includeThoughts: true } }],
    ['custom-model', { ...CHAT, thinkingConfig: { includeThoughts: true } }],
    ['vertex/gemini-2.5-pro', { ...CHAT, ...BUDGET }],
    ['openai/gpt-5', {}],
    ['openrouter/google/gemini-2.5-pro', {}],
  ])('are right with %s', (model, settings) => {
    expect(configs.forChat(model)).toEqual({ model, settings });
    expect(new ModelConfigs().forChat(model).settings).toEqual(settings);
  });

  it('follow rules and presets that name another provider', () => {
    const own = new ModelConfigs({
      customAliases: {
        calm: { modelConfig: { model: 'ollama/x', generateContentConfig: { temperature: 0.1 } } },
      },
      customOverrides: [
        { match: { model: 'openai/gpt-5' }, modelConfig: { generateContentConfig: { seed: 7 } } },
        { match: { model: 'chat-base' }, modelConfig: { generateContentConfig: { topK: 1 } } },
      ],
    });
    expect(own.forChat('openai/gpt-5').settings).toEqual({ seed: 7 });
    expect(own.forChat('calm')).toEqual({ model: 'ollama/x', settings: { temperature: 0.1 } });
    expect(own.forChat('custom-model').settings.topK).toBe(1);
  });
});

describe('a preset the user chose', () => {
  const settings = {
    customAliases: {
      careful: { extends: 'gemini-2.5-pro', modelConfig: { generateContentConfig: { temperature: 0.2 } } },
      quick: { modelConfig: { model: 'flash', generateContentConfig: { topK: 3 } } },
      nothing: { extends: 'chat-base' },
    },
  };
  const own = new ModelConfigs(settings, undefined, () => ['careful', 'quick', 'gemini-2.5-flash']);

  it('resolves to a model', () => {
    const names = ['careful', 'quick', 'nothing', 'gemini-2.5-pro', 'classifier', 'toString'];
    expect(names.map((name) => own.modelOf(name))).toEqual([
      'gemini-2.5-pro',
      'flash',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    const catalog = new ModelCatalog({ dynamic: false, presetModel: (name) => own.modelOf(name) });
    expect(['careful', 'quick', 'pro'].map((name) => catalog.resolve(name))).toEqual([
      'gemini-2.5-pro',
      'gemini-3.8-flash',
      'gemini-3.1-pro-preview',
    ]);
  });

  it('brings its settings, and only to its model', () => {
    expect(own.forChat('gemini-2.5-pro').settings).toEqual({ ...CHAT, ...BUDGET, temperature: 0.2 });
    expect(own.forChat('gemini-3.8-flash').settings).toEqual({ topK: 3 });
    expect(own.forChat('gemini-2.5-flash').settings).toEqual({ ...CHAT, ...BUDGET });
    expect(new ModelConfigs(settings).forChat('gemini-2.5-pro').settings.temperature).toBe(1);
  });
});

describe('a built-in preset', () => {
  const LITE = 'gemini-3.5-flash-lite';
  const FLASH = 'gemini-3-flash-preview';
  it.each<[string, string, object]>([
    ['gemini-2.5-flash-base', 'gemini-2.5-flash', BASE],
    ['gemini-3-flash-base', FLASH, BASE],
    ['gemini-3.5-flash-base', 'gemini-3.5-flash', BASE],
    ['classifier', LITE, { ...BASE, maxOutputTokens: 1024, thinkingConfig: { thinkingBudget: 512 } }],
    ['prompt-completion', LITE, { ...BASE, temperature: 0.3, maxOutputTokens: 16_000, ...NO_BUDGET }],
    ['fast-ack-helper', LITE, { ...BASE, temperature: 0.2, maxOutputTokens: 120, ...NO_BUDGET }],
    ['edit-corrector', LITE, { ...BASE, ...NO_BUDGET }],
    ['summarizer-default', LITE, { ...BASE, maxOutputTokens: 2000 }],
    ['summarizer-shell', LITE, { ...BASE, maxOutputTokens: 2000 }],
    ['web-fetch-fallback', FLASH, BASE],
    ['loop-detection', FLASH, BASE],
    ['loop-detection-double-check', 'gemini-3-pro-preview', BASE],
    ['llm-edit-fixer', FLASH, BASE],
    ['next-speaker-checker', FLASH, BASE],
    ['context-snapshotter', FLASH, { ...CHAT, thinkingConfig: { thinkingLevel: 'HIGH' } }],
    ['chat-compression-3-pro', 'gemini-3-pro-preview', {}],
    ['chat-compression-3-flash', FLASH, {}],
    ['chat-compression-3.1-flash-lite', 'gemini-3.1-flash-lite', {}],
    ['chat-compression-2.5-pro', 'gemini-2.5-pro', {}],
    ['chat-compression-2.5-flash', 'gemini-2.5-flash', {}],
    ['chat-compression-2.5-flash-lite', 'gemini-2.5-flash-lite', {}],
    ['chat-compression-default', 'gemini-3-pro-preview', {}],
    ['agent-history-provider-summarizer', FLASH, {}],
  ])('maps %s to %s', (alias, model, settings) => {
    expect(configs.resolve({ model: alias })).toEqual({ model, settings });
  });

  it.each([
    ['web-search', 'googleSearch'],
    ['web-fetch', 'urlContext'],
  ])('%s lets the server use %s', (alias, tool) => {
    expect(configs.resolve({ model: alias })).toEqual({ model: FLASH, settings: BASE, serverTools: [tool] });
  });

  it.each(Object.keys(BUILTIN_ALIASES).filter((name) => !/^(chat-)?base/.test(name)))(
    '%s leads to a model',
    (name) => {
      expect(configs.resolve({ model: name }).model).toMatch(/^gem(ini|ma)-/);
    },
  );

  it('has no model if it is only a base', () => {
    expect(() => configs.resolve({ model: 'chat-base' })).toThrow('no model is set for chat-base -> base');
  });

  it('resolves its model by the catalogue', () => {
    const own = new ModelConfigs({}, (name) => (name === 'flash-lite' ? 'gemini-3.1-flash-lite' : name));
    expect(own.resolve({ model: 'classifier' }).model).toBe('gemini-3.1-flash-lite');
  });
});

describe('presets of the user', () => {
  it('extend, merge objects and replace arrays', () => {
    const own = new ModelConfigs({
      aliases: { classifier: { extends: 'base', modelConfig: { model: 'custom' } } },
      customAliases: {
        parent: {
          extends: 'chat-base-3',
          modelConfig: {
            model: 'm',
            generateContentConfig: { stopSequences: ['a', 'b'], tools: [{ urlContext: {} }] },
          },
        },
        child: {
          extends: 'parent',
          modelConfig: {
            generateContentConfig: { stopSequences: ['c'], thinkingConfig: { thinkingBudget: 1 } },
          },
        },
      },
    });
    expect(own.resolve({ model: 'child' })).toEqual({
      model: 'm',
      settings: {
        ...CHAT,
        stopSequences: ['c'],
        thinkingConfig: { ...HIGH.thinkingConfig, thinkingBudget: 1 },
      },
      serverTools: ['urlContext'],
    });
    expect(own.resolve({ model: 'classifier' })).toEqual({ model: 'custom', settings: BASE });
  });

  it('are named when they extend one another in a circle', () => {
    const own = new ModelConfigs({
      customAliases: { a: { extends: 'b' }, b: { extends: 'a' }, c: { extends: 'gone' } },
    });
    expect(() => own.resolve({ model: 'a' })).toThrow('a -> b -> a');
    expect(() => own.forChat('b')).toThrow('b -> a -> b');
    expect(() => own.resolve({ model: 'c' })).toThrow('c -> gone');
  });

  it('may be a hundred levels deep and no more', () => {
    const names = Array.from({ length: 101 }, (_, n) => `p${n}`);
    const link = (name: string, n: number) => [
      name,
      n === 0 ? { modelConfig: { model: 'm' } } : { extends: names[n - 1] },
    ];
    const own = new ModelConfigs({ customAliases: Object.fromEntries(names.map(link)) });
    expect(own.resolve({ model: 'p99' }).model).toBe('m');
    expect(() => own.resolve({ model: 'p100' })).toThrow('without end');
  });

  it.each([null, 7, 'x', [1], { a: 1, b: null, c: [] }])('of the wrong shape (%j) are harmless', (junk) => {
    const own = new ModelConfigs({
      aliases: junk,
      customAliases: junk,
      overrides: junk,
      customOverrides: [junk, { match: junk }],
    });
    expect(own.forChat('gemini-2.5-pro').settings).toEqual({ ...CHAT, ...BUDGET });
  });

  it('lose values of the wrong type', () => {
    const generateContentConfig = {
      temperature: 'hot',
      topK: 5,
      stopSequences: [1],
      madeUp: 1,
      thinkingConfig: 'deep',
    };
    const own = new ModelConfigs({
      customAliases: { x: { modelConfig: { model: 'm', generateContentConfig } } },
    });
    expect(own.resolve({ model: 'x' }).settings).toEqual({ topK: 5 });
  });
});

describe('override rules', () => {
  const temperature = (value: number) => ({ modelConfig: { generateContentConfig: { temperature: value } } });
  const result = (overrides: unknown, key: object = {}, custom: unknown = []) =>
    new ModelConfigs({ overrides, customOverrides: custom }).resolve({ model: 'classifier', ...key }).settings
      .temperature;

  it.each<[string, unknown[], object, number]>([
    ['without a match apply to all', [{ match: {}, ...temperature(5) }], {}, 5],
    [
      'of a deeper preset win',
      [
        { match: { model: 'classifier' }, ...temperature(2) },
        { match: { model: 'base' }, ...temperature(1) },
      ],
      {},
      2,
    ],
    [
      'of a preset win over those of none, however many keys',
      [
        { match: { model: 'base' }, ...temperature(2) },
        { match: { overrideScope: 'core', isRetry: false }, ...temperature(1) },
      ],
      {},
      2,
    ],
    [
      'with more keys win on one level',
      [
        { match: { model: 'base', isRetry: true }, ...temperature(2) },
        { match: { model: 'base' }, ...temperature(1) },
      ],
      { isRetry: true },
      2,
    ],
    [
      'defined later win among equals',
      [
        { match: { model: 'base' }, ...temperature(1) },
        { match: { model: 'base' }, ...temperature(2) },
      ],
      {},
      2,
    ],
    ['for retries wait for one', [{ match: { isRetry: true }, ...temperature(2) }], {}, 0],
    ['for the main agent', [{ match: { overrideScope: 'core' }, ...temperature(2) }], {}, 2],
    [
      'for the main agent spare the others',
      [{ match: { overrideScope: 'core' }, ...temperature(2) }],
      { overrideScope: 'helper' },
      0,
    ],
    [
      'for a sub-agent',
      [{ match: { overrideScope: 'helper' }, ...temperature(2) }],
      { overrideScope: 'helper' },
      2,
    ],
    ['for another preset', [{ match: { model: 'chat-base' }, ...temperature(2) }], {}, 0],
    ['with an unknown match', [{ match: { phase: 'moon' }, ...temperature(2) }], {}, 0],
    ['with a match of the wrong kind', [{ match: { model: 7 }, ...temperature(2) }], {}, 0],
  ])('%s', (_name, overrides, key, expected) => {
    expect(result(overrides, key)).toBe(expected);
  });

  it('of the user come after the others', () => {
    const one = [{ match: { model: 'base' }, ...temperature(1) }];
    expect(result([{ match: { model: 'base' }, ...temperature(2) }], {}, one)).toBe(1);
  });

  it('may change the model', () => {
    const own = new ModelConfigs({
      overrides: [{ match: { model: 'classifier' }, modelConfig: { model: 'ollama/tiny' } }],
    });
    expect(own.resolve({ model: 'classifier' }).model).toBe('ollama/tiny');
  });
});
