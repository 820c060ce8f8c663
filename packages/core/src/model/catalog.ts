/** Model names: aliases, families and what follows from them. Unknown names pass through unchanged. */

export const DEFAULT_MODEL = 'auto';
export const OFFLINE_MODEL = 'offline';

const ALIASES: Record<string, string> = {
  // Most requests need no more than the flash tier; `--model pro` asks for more.
  auto: 'gemini-3.8-flash',
  'auto-gemini-3': 'gemini-3.8-flash',
  'auto-gemini-2.5': 'gemini-2.5-flash',
  pro: 'gemini-3.1-pro-preview',
  flash: 'gemini-3.8-flash',
  'flash-lite': 'gemini-3.5-flash-lite',
};

export type ModelFamily = 'gemini-3' | 'gemini-2.5' | 'gemma-4' | 'offline' | 'custom';

export function resolveModel(name: string): string {
  const bare = name.replace(/^(gemini|google)\//, '');
  return ALIASES[bare] ?? bare;
}

export function familyOf(model: string): ModelFamily {
  if (model === OFFLINE_MODEL) return 'offline';
  if (/^gemini-3/.test(model)) return 'gemini-3';
  if (/^gemini-2/.test(model)) return 'gemini-2.5';
  if (/^gemma-4/.test(model)) return 'gemma-4';
  return 'custom';
}

/** Whether images and documents may stand inside a tool's response. */
export function acceptsMediaInToolResponse(model: string): boolean {
  return familyOf(model) === 'gemini-3';
}
