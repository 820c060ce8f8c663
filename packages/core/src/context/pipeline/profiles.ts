/** Token budgets of the graph manager. */

export interface ContextProfile {
  name: string;
  /** Size of the newest part of the conversation, which stays unchanged. */
  retainedTokens: number;
  /** Above this, old parts are summarised in the background. Absent: as soon as they are old. */
  normalizedTokens?: number;
  /** Above this, a snapshot is made immediately. */
  maxTokens: number;
  /** Fewer old tokens are not worth a summary. */
  coalescingTokens: number;
  snapshotTokens: number;
  onNewMessage: { maskAbove: number; distillAbove: number };
  aboveRetained: { distillAbove: number; truncateAbove: number };
  /** Share of a truncated text that is kept from its start. */
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

export function profileOf(name: ContextProfileName, limits: ContextLimits): ContextProfile {
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

/** The settings `contextManagement.*`. */
export interface ContextLimits {
  historyWindow: { maxTokens: number; retainedTokens: number };
  messageLimits: { normalMaxTokens: number; retainedMaxTokens: number; normalizationHeadRatio: number };
  tools: { distillation: { maxOutputTokens: number; summarizationThresholdTokens: number } };
}

function profileFromLimits({ historyWindow, messageLimits, tools }: ContextLimits): ContextProfile {
  const distillAbove = messageLimits.normalMaxTokens;
  return {
    ...GENERALIST_PROFILE,
    name: 'settings',
    maxTokens: historyWindow.maxTokens,
    retainedTokens: historyWindow.retainedTokens,
    onNewMessage: {
      maskAbove: tools.distillation.maxOutputTokens,
      distillAbove: Math.min(
        messageLimits.retainedMaxTokens,
        tools.distillation.summarizationThresholdTokens,
      ),
    },
    aboveRetained: { distillAbove, truncateAbove: Math.round((distillAbove * 4) / 3) },
    headShare: messageLimits.normalizationHeadRatio,
  };
}
