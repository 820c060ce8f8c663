/** The built-in presets: which model does which task, with which settings. Plain data. */
import type { GenerationSettings, ServerTool } from '../content-generator.js';

/** What one preset or rule sets. */
export interface ModelConfig {
  /** A model, or a name the catalogue resolves. */
  model?: string;
  settings?: GenerationSettings;
  serverTools?: readonly ServerTool[];
}

export interface ModelAlias extends ModelConfig {
  extends?: string;
}

const FLASH_LITE = 'flash-lite';
const NO_THINKING = { thinkingConfig: { thinkingBudget: 0 } };

const chat = (model: string, base: '2.5' | '3'): Record<string, ModelAlias> => ({
  [model]: { extends: `chat-base-${base}`, model },
});

const compression = (name: string, model: string): Record<string, ModelAlias> => ({
  [`chat-compression-${name}`]: { model },
});

export const BUILTIN_ALIASES: Readonly<Record<string, ModelAlias>> = {
  base: { settings: { temperature: 0, topP: 1 } },
  'chat-base': {
    extends: 'base',
    settings: { temperature: 1, topP: 0.95, topK: 64, thinkingConfig: { includeThoughts: true } },
  },
  'chat-base-2.5': { extends: 'chat-base', settings: { thinkingConfig: { thinkingBudget: 8192 } } },
  'chat-base-3': { extends: 'chat-base', settings: { thinkingConfig: { thinkingLevel: 'HIGH' } } },

  ...chat('gemini-3.1-pro-preview', '3'),
  ...chat('gemini-3.1-pro-preview-customtools', '3'),
  ...chat('gemini-3-pro-preview', '3'),
  ...chat('gemini-3-flash-preview', '3'),
  ...chat('gemini-3.8-flash', '3'),
  ...chat('gemini-3.5-flash', '3'),
  ...chat('gemini-3.5-flash-lite', '3'),
  ...chat('gemini-3.1-flash-lite', '3'),
  ...chat('gemini-2.5-pro', '2.5'),
  ...chat('gemini-2.5-flash', '2.5'),
  ...chat('gemini-2.5-flash-lite', '2.5'),
  ...chat('gemma-4-31b-it', '3'),
  ...chat('gemma-4-26b-a4b-it', '3'),

  'gemini-2.5-flash-base': { extends: 'base', model: 'gemini-2.5-flash' },
  'gemini-3-flash-base': { extends: 'base', model: 'gemini-3-flash-preview' },
  'gemini-3.5-flash-base': { extends: 'base', model: 'gemini-3.5-flash' },

  classifier: {
    extends: 'base',
    model: FLASH_LITE,
    settings: { maxOutputTokens: 1024, thinkingConfig: { thinkingBudget: 512 } },
  },
  'prompt-completion': {
    extends: 'base',
    model: FLASH_LITE,
    settings: { temperature: 0.3, maxOutputTokens: 16_000, ...NO_THINKING },
  },
  'fast-ack-helper': {
    extends: 'base',
    model: FLASH_LITE,
    settings: { temperature: 0.2, maxOutputTokens: 120, ...NO_THINKING },
  },
  'edit-corrector': { extends: 'base', model: FLASH_LITE, settings: NO_THINKING },
  'summarizer-default': { extends: 'base', model: FLASH_LITE, settings: { maxOutputTokens: 2000 } },
  'summarizer-shell': { extends: 'base', model: FLASH_LITE, settings: { maxOutputTokens: 2000 } },
  'web-search': { extends: 'gemini-3-flash-base', serverTools: ['googleSearch'] },
  'web-fetch': { extends: 'gemini-3-flash-base', serverTools: ['urlContext'] },
  'web-fetch-fallback': { extends: 'gemini-3-flash-base' },
  'loop-detection': { extends: 'gemini-3-flash-base' },
  'loop-detection-double-check': { extends: 'base', model: 'gemini-3-pro-preview' },
  conseca: { extends: 'gemini-3-flash-base' },
  'llm-edit-fixer': { extends: 'gemini-3-flash-base' },
  'next-speaker-checker': { extends: 'gemini-3-flash-base' },
  'context-snapshotter': {
    extends: 'gemini-3-flash-base',
    settings: { temperature: 1, topP: 0.95, topK: 64, thinkingConfig: { thinkingLevel: 'HIGH' } },
  },
  ...compression('3-pro', 'gemini-3-pro-preview'),
  ...compression('3-flash', 'gemini-3-flash-preview'),
  ...compression('3.1-flash-lite', 'gemini-3.1-flash-lite'),
  ...compression('2.5-pro', 'gemini-2.5-pro'),
  ...compression('2.5-flash', 'gemini-2.5-flash'),
  ...compression('2.5-flash-lite', 'gemini-2.5-flash-lite'),
  ...compression('default', 'gemini-3-pro-preview'),
  'agent-history-provider-summarizer': { model: 'gemini-3-flash-preview' },
};
