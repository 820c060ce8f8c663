/** Settings `contextManagement.*`: limits of what is sent to the model. */
import { group, on, type SettingsSection } from './definition.js';

const TOKENS = { kind: 'number', minimum: 0, restart: true } as const;

export const CONTEXT_MANAGEMENT = {
  historyWindow: group('The conversation.', {
    maxTokens: { ...TOKENS, default: 150_000, description: 'Tokens above which it is shortened.' },
    retainedTokens: { ...TOKENS, default: 40_000, description: 'Tokens of its end that stay as they are.' },
  }),
  messageLimits: group('Single messages.', {
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
  }),
  tools: group('Results of tools.', {
    distillation: group('Shortening of long results.', {
      maxOutputTokens: { ...TOKENS, default: 10_000, description: 'Tokens of a result.' },
      summarizationThresholdTokens: {
        ...TOKENS,
        default: 20_000,
        description: 'Longer results are summarised by a model.',
      },
    }),
    outputMasking: group('Leaving out old results.', {
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
      protectLatestTurn: on('Results of the latest turn always stay.', { restart: true }),
    }),
  }),
} as const satisfies SettingsSection;
