/** Budgets of the context graph, in tokens. */

export interface ContextProfile {
  name: string;
  /** The newest part of the conversation, which stays as it is. */
  retainedTokens: number;
  /** Above this, older parts are collected bit by bit; without it, as soon as they are old. */
  normalizedTokens?: number;
  /** Above this a snapshot is made at once. */
  maxTokens: number;
  /** Fewer old tokens are not worth a summary. */
  coalescingTokens: number;
  snapshotTokens: number;
  onNewMessage: { maskAbove: number; distillAbove: number };
  aboveRetained: { distillAbove: number; truncateAbove: number };
  /** Share of a truncated text that is taken from its start. */
  headShare: number;
}

const GENERALIST_PROFILE: ContextProfile = {
  name: 'generalist',
  retainedTokens: 65_000,
  maxTokens: 150_000,
  coalescingTokens: 5_000,
  snapshotTokens: 4_000,
  onNewMessage: { maskAbove: 8_000, distillAbove: 15_000 },
  aboveRetained: { distillAbove: 3_000, truncateAbove: 4_000 },
  headShare: 0.2,
};

const POWER_USER_PROFILE: ContextProfile = {
  ...GENERALIST_PROFILE,
  name: 'powerUser',
  normalizedTokens: 100_000,
};

const STRESS_TEST_PROFILE: ContextProfile = {
  ...GENERALIST_PROFILE,
  name: 'stressTest',
  retainedTokens: 1_500,
  maxTokens: 5_000,
  coalescingTokens: 200,
  snapshotTokens: 500,
  onNewMessage: { maskAbove: 800, distillAbove: 1_500 },
  aboveRetained: { distillAbove: 300, truncateAbove: 400 },
};

/** `settings`: `experimental.contextManagement` without a profile. */
export type ContextProfileName = 'generalist' | 'powerUser' | 'stressTest' | 'settings';

export function profileOf(name: ContextProfileName, limits: ContextLimits = {}): ContextProfile {
  switch (name) {
    case 'powerUser':
      return POWER_USER_PROFILE;
    case 'stressTest':
      return STRESS_TEST_PROFILE;
    case 'settings':
      return profileFromLimits(limits);
    default:
      return GENERALIST_PROFILE;
  }
}

/** What `contextManagement.*` may change. */
export interface ContextLimits {
  historyWindow?: { maxTokens?: number; retainedTokens?: number };
  messageLimits?: { normalMaxTokens?: number; retainedMaxTokens?: number; normalizationHeadRatio?: number };
  tools?: { distillation?: { maxOutputTokens?: number; summarizationThresholdTokens?: number } };
}

function profileFromLimits(limits: ContextLimits): ContextProfile {
  const base = GENERALIST_PROFILE;
  const distillAbove = limits.messageLimits?.normalMaxTokens ?? 2_500;
  return {
    ...base,
    name: 'settings',
    maxTokens: limits.historyWindow?.maxTokens ?? base.maxTokens,
    retainedTokens: limits.historyWindow?.retainedTokens ?? 40_000,
    onNewMessage: {
      maskAbove: limits.tools?.distillation?.maxOutputTokens ?? 10_000,
      distillAbove: Math.min(
        limits.messageLimits?.retainedMaxTokens ?? 12_000,
        limits.tools?.distillation?.summarizationThresholdTokens ?? 20_000,
      ),
    },
    aboveRetained: { distillAbove, truncateAbove: Math.round((distillAbove * 4) / 3) },
    headShare: limits.messageLimits?.normalizationHeadRatio ?? 0.25,
  };
}
