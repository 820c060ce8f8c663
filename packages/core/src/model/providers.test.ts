import { describe, expect, it } from 'vitest';
import { resolveProvider, splitModelName, unknownProvider } from './providers.js';

describe('splitModelName', () => {
  it.each([
    ['openrouter/meta-llama/llama-3.3-70b', { provider: 'openrouter', model: 'meta-llama/llama-3.3-70b' }],
    ['ollama/qwen3:8b', { provider: 'ollama', model: 'qwen3:8b' }],
    ['mine/x', { provider: 'mine', model: 'x' }],
    ['gemini/gemini-3-pro', undefined],
    ['models/custom', undefined],
    ['gemini-3-pro', undefined],
    ['/x', undefined],
    ['constructor/x', undefined],
  ])('reads %s', (name, expected) => {
    expect(splitModelName(name, { mine: { baseUrl: 'https://x' } })).toEqual(expected);
  });
});

it('names the providers when one is mistyped, and leaves names of Google alone', () => {
  expect(unknownProvider('opanai/gpt-5', { mine: {} })?.message).toContain(
    'There is no provider "opanai". Known are openai,',
  );
  expect(unknownProvider('opanai/gpt-5', { mine: {} })?.message).toContain('mine; others');
  expect([unknownProvider('gemini-3-pro'), unknownProvider('models/custom')]).toEqual([undefined, undefined]);
});

describe('resolveProvider', () => {
  it('knows the addresses of built-in providers and takes keys from the environment', () => {
    const openai = resolveProvider('openai', { OPENAI_API_KEY: 'k' });
    expect([openai.baseUrl.href, openai.apiKey, openai.isLocal]).toEqual([
      'https://api.openai.com/v1',
      'k',
      false,
    ]);
    expect(resolveProvider('lmstudio', {})).toMatchObject({ type: 'openai', isLocal: true });
    expect(() => resolveProvider('anthropic', {})).toThrow('ANTHROPIC_API_KEY');
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:11434/v1'],
    ['0.0.0.0:5000', 'http://127.0.0.1:5000/v1'],
    ['https://gpu.example.com/v1', 'https://gpu.example.com/v1'],
  ])('reads OLLAMA_HOST=%s', (host, address) => {
    expect(resolveProvider('ollama', { OLLAMA_HOST: host }).baseUrl.href).toBe(address);
  });

  it('lets the settings change a built-in provider and add others', () => {
    const settings = {
      openai: { baseUrl: 'http://localhost:9/v1', headers: { 'x-a': '1' }, supportsImages: false },
      mine: { type: 'anthropic' as const, baseUrl: 'https://llm.example.com', apiKeyEnv: 'MINE_KEY' },
      empty: {},
    };
    expect(resolveProvider('openai', {}, settings)).toMatchObject({
      headers: { 'x-a': '1' },
      supportsImages: false,
    });
    expect(resolveProvider('mine', { MINE_KEY: 'k' }, settings)).toMatchObject({
      type: 'anthropic',
      apiKey: 'k',
    });
    expect(() => resolveProvider('mine', {}, settings)).toThrow('MINE_KEY');
    expect(() => resolveProvider('empty', {}, settings)).toThrow('model.providers.empty');
  });

  it.each(['http://gpu.example.com/v1', 'nonsense'])('sends no key unencrypted: %s', (baseUrl) => {
    expect(() => resolveProvider('x', {}, { x: { baseUrl } })).toThrow('model.providers.x.baseUrl');
  });
});
