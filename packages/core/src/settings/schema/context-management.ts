/** Settings `contextManagement.*`: limits of what is sent to the model. */
import type { SettingsSection } from './definition.js';

const TOKENS = { kind: 'number', minimum: 0, restart: true } as const;

export const CONTEXT_MANAGEMENT = {
  historyWindow: {
    kind: 'object',
    description: 'The conversation.',
    properties: {
      maxTokens: { ...TOKENS, default: 150_000, description: 'Tokens above which it is shortened.' },
      retainedTokens: { ...TOKENS, default: 40_000, description: 'Tokens of its end that stay as they are.' },
    },
  },
  messageLimits: {
    kind: 'object',
    description: 'Single messages.',
    properties: {
      normalMaxTokens: { ...TOKENS, default: 2500, description: 'Tokens of an older message.' },
      retainedMaxTokens: { ...TOKENS, default: 12_000, description: 'Tokens of a recent message.' },
      normalizationHeadRatio: {
        kind: 'number',
        default: 0.25,
        minimum: 0,
        maximum: 1,
        restart: true,
        description: 'Share of a shortened message that is taken from its start.',
      },
    },
  },
  tools: {
    kind: 'object',
    description: 'Results of tools.',
    properties: {
      distillation: {
        kind: 'object',
        description: 'Shortening of long results.',
        properties: {
          maxOutputTokens: { ...TOKENS, default: 10_000, description: 'Tokens of a result.' },
          summarizationThresholdTokens: {
            ...TOKENS,
            default: 20_000,
            description: 'Longer results are summarised by a model.',
          },
        },
      },
      outputMasking: {
        kind: 'object',
        description: 'Leaving out old results.',
        properties: {
          protectionThresholdTokens: {
            ...TOKENS,
            default: 50_000,
            description: 'Tokens of the newest results that stay.',
          },
          minPrunableThresholdTokens: {
            ...TOKENS,
            default: 30_000,
            description: 'Nothing is left out for fewer tokens than these.',
          },
          protectLatestTurn: {
            kind: 'boolean',
            default: true,
            restart: true,
            description: 'Results of the latest turn always stay.',
          },
        },
      },
    },
  },
} as const satisfies SettingsSection;
