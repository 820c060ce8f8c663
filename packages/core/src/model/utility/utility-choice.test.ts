import { describe, expect, it } from 'vitest';
import { utilityModelFor } from './utility-choice.js';

describe('utilityModelFor', () => {
  it.each([
    ['gemini-3.8-flash', 'gemini-lite', true],
    [undefined, 'gemini-lite', true],
    ['vertex/gemini-3.8-flash', 'vertex/gemini-lite', true],
    ['models/of-my-gateway', 'gemini-lite', true],
    ['openai/gpt-5', 'openai/gpt-5', false],
    ['ollama/qwen3:8b', 'ollama/small', false],
    ['openrouter/a/b', 'openrouter/c/d', false],
    ['own/x', 'own/y', false],
  ])('maps a conversation with %s to %s', (main, model, isGoogle) => {
    const providers = {
      ollama: { utilityModel: 'small' },
      openrouter: { utilityModel: 'c/d' },
      own: { utilityModel: 'own/y' },
    };
    expect(utilityModelFor('gemini-lite', main, providers)).toEqual({ model, isGoogle });
  });

  it('keeps a provider that the user put in the alias', () => {
    expect(utilityModelFor('openai/small', 'ollama/x').model).toBe('openai/small');
    expect(utilityModelFor('openai/small', 'gemini-3.8-flash').isGoogle).toBe(false);
    expect(utilityModelFor('vertex/gemini-x', 'ollama/x')).toEqual({
      model: 'vertex/gemini-x',
      isGoogle: true,
    });
  });

  it('throws for the offline guide', () => {
    expect(() => utilityModelFor('gemini-lite', 'offline')).toThrow('not a language model');
  });
});
