/** The known models: what each can do and how the dialog shows it. Plain data, so that loading it costs nothing. */

export type ModelTier = 'pro' | 'flash' | 'flash-lite' | 'custom' | 'auto' | 'embedding';

export interface ModelDefinition {
  tier: ModelTier;
  family: string;
  isPreview: boolean;
  isVisible: boolean;
  displayName?: string;
  dialogDescription?: string;
  /** Tokens it can read. Absent: {@link DEFAULT_CONTEXT_WINDOW}. */
  contextWindow?: number;
  /** Tokens it can write. Absent: unknown. */
  maxOutputTokens?: number;
  features: { thinking: boolean; multimodalToolUse: boolean };
}

export const DEFAULT_CONTEXT_WINDOW = 1_048_576;

const GEMINI_OUTPUT = 65_536;

type Shown = Pick<ModelDefinition, 'tier'> & Partial<ModelDefinition>;

const gemini3 = (own: Shown, thinking = false): ModelDefinition => ({
  family: 'gemini-3',
  isPreview: false,
  isVisible: true,
  maxOutputTokens: GEMINI_OUTPUT,
  ...own,
  features: { thinking, multimodalToolUse: true },
});

const gemini25 = (own: Shown): ModelDefinition => ({
  family: 'gemini-2.5',
  isPreview: false,
  isVisible: true,
  maxOutputTokens: GEMINI_OUTPUT,
  ...own,
  features: { thinking: false, multimodalToolUse: false },
});

const gemma4 = (displayName: string): ModelDefinition => ({
  tier: 'custom',
  family: 'gemma-4',
  isPreview: false,
  isVisible: true,
  displayName,
  contextWindow: 256_000,
  features: { thinking: true, multimodalToolUse: false },
});

const auto = (own: Partial<ModelDefinition>): ModelDefinition => ({
  tier: 'auto',
  family: 'gemini-3',
  isPreview: false,
  isVisible: true,
  ...own,
  features: { thinking: true, multimodalToolUse: false },
});

/** In the order of the dialog. */
export const MODEL_DEFINITIONS: Readonly<Record<string, ModelDefinition>> = {
  auto: auto({
    displayName: 'Auto (Gemini 3)',
    dialogDescription: 'Pro or Flash of the newest family, chosen for each prompt.',
  }),
  'auto-gemini-3': auto({ displayName: 'Auto (Gemini 3)', isVisible: false }),
  'auto-gemini-2.5': auto({
    family: 'gemini-2.5',
    displayName: 'Auto (Gemini 2.5)',
    dialogDescription: 'Gemini 2.5 Pro or Flash, chosen for each prompt.',
  }),
  'gemini-3.1-pro-preview': gemini3(
    { tier: 'pro', isPreview: true, displayName: 'Gemini 3.1 Pro (preview)' },
    true,
  ),
  'gemini-3.1-pro-preview-customtools': gemini3({ tier: 'pro', isPreview: true, isVisible: false }, true),
  'gemini-3-pro-preview': gemini3(
    { tier: 'pro', isPreview: true, displayName: 'Gemini 3 Pro (preview)' },
    true,
  ),
  'gemini-3-flash-preview': gemini3({
    tier: 'flash',
    isPreview: true,
    displayName: 'Gemini 3 Flash (preview)',
  }),
  'gemini-3.8-flash': gemini3({ tier: 'flash', displayName: 'Gemini 3.8 Flash' }),
  'gemini-3.5-flash': gemini3({ tier: 'flash', displayName: 'Gemini 3.5 Flash' }),
  'gemini-3.5-flash-lite': gemini3({ tier: 'flash-lite', displayName: 'Gemini 3.5 Flash Lite' }),
  'gemini-3.1-flash-lite': gemini3({ tier: 'flash-lite', displayName: 'Gemini 3.1 Flash Lite' }),
  'gemini-2.5-pro': gemini25({ tier: 'pro', displayName: 'Gemini 2.5 Pro' }),
  'gemini-2.5-flash': gemini25({ tier: 'flash', displayName: 'Gemini 2.5 Flash' }),
  'gemini-2.5-flash-lite': gemini25({ tier: 'flash-lite', displayName: 'Gemini 2.5 Flash Lite' }),
  'gemma-4-31b-it': gemma4('Gemma 4 31B'),
  'gemma-4-26b-a4b-it': gemma4('Gemma 4 26B A4B'),
  'gemini-embedding-001': {
    tier: 'embedding',
    family: 'gemini-embedding',
    isPreview: false,
    isVisible: false,
    contextWindow: 2_048,
    features: { thinking: false, multimodalToolUse: false },
  },
};
