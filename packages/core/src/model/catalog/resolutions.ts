/** Which model a name leads to, depending on the account: data, and the one rule that reads it. */

/** What the account and the sign-in allow. */
export interface ModelAccess {
  hasAccessToPreview: boolean;
  /** Gemini 3.1 is launched for the account; with a key or Vertex it always is. */
  useGemini3_1: boolean;
  useLatestFlash: boolean;
  useLatestFlashLite: boolean;
  /** Prefer the variant made for custom tools. */
  useCustomTools: boolean;
  /** What the user asked for, where a rule depends on it. */
  requestedModels?: readonly string[];
}

/** With an API key or Vertex. */
export const FULL_ACCESS: ModelAccess = {
  hasAccessToPreview: true,
  useGemini3_1: true,
  useLatestFlash: true,
  useLatestFlashLite: true,
  useCustomTools: false,
};

export type AccessCondition = Partial<ModelAccess>;

export interface Resolution {
  default: string;
  /** The first whose condition holds wins. */
  contexts?: readonly { condition: AccessCondition; target: string }[];
}

export type Resolutions = Readonly<Record<string, Resolution>>;

const CUSTOM_TOOLS = 'gemini-3.1-pro-preview-customtools';

const PRO: Resolution = {
  default: 'gemini-3.1-pro-preview',
  contexts: [
    { condition: { hasAccessToPreview: false }, target: 'gemini-2.5-pro' },
    { condition: { useGemini3_1: false }, target: 'gemini-3-pro-preview' },
    { condition: { useCustomTools: true }, target: CUSTOM_TOOLS },
  ],
};

const FLASH: Resolution = {
  default: 'gemini-3-flash-preview',
  contexts: [
    { condition: { useLatestFlash: true }, target: 'gemini-3.8-flash' },
    { condition: { hasAccessToPreview: false }, target: 'gemini-3.5-flash' },
  ],
};

export const MODEL_ID_RESOLUTIONS: Resolutions = {
  // Most requests need only the flash tier; the router detects the others.
  auto: FLASH,
  'auto-gemini-3': FLASH,
  'auto-gemini-2.5': { default: 'gemini-2.5-flash' },
  pro: PRO,
  flash: FLASH,
  'flash-lite': {
    default: 'gemini-3.1-flash-lite',
    contexts: [{ condition: { useLatestFlashLite: true }, target: 'gemini-3.5-flash-lite' }],
  },
  'gemini-3.1-pro-preview': {
    default: 'gemini-3.1-pro-preview',
    contexts: [
      { condition: { hasAccessToPreview: false }, target: 'gemini-2.5-pro' },
      { condition: { useCustomTools: true }, target: CUSTOM_TOOLS },
    ],
  },
};

const FOR_AUTO_25 = { requestedModels: ['auto-gemini-2.5'] };

/** What the answers `pro` and `flash` of a classifier mean. */
export const CLASSIFIER_ID_RESOLUTIONS: Resolutions = {
  pro: {
    default: PRO.default,
    contexts: [{ condition: FOR_AUTO_25, target: 'gemini-2.5-pro' }, ...(PRO.contexts ?? [])],
  },
  flash: {
    default: FLASH.default,
    contexts: [{ condition: FOR_AUTO_25, target: 'gemini-2.5-flash' }, ...(FLASH.contexts ?? [])],
  },
};

export function targetOf(resolution: Resolution, access: ModelAccess): string {
  const fitting = resolution.contexts?.find(({ condition }) => holds(condition, access));
  return fitting?.target ?? resolution.default;
}

function holds({ requestedModels, ...flags }: AccessCondition, access: ModelAccess): boolean {
  const wasRequested =
    !requestedModels || requestedModels.some((model) => access.requestedModels?.includes(model));
  return (
    wasRequested &&
    Object.entries(flags).every(([key, wanted]) => access[key as keyof typeof flags] === wanted)
  );
}
