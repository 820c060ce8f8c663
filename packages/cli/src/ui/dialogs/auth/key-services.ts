/** The services whose keys can be pasted, and what is said about a checked key. */
import type { HistoryItemWithoutId } from '../../../history/item.js';
import type { KeyCheck } from './ports.js';

export interface KeyService {
  /** `gemini`, or the id of a provider. */
  id: string;
  title: string;
  /** Where a user gets a key. */
  page: string;
  apiKeyEnv: string;
}

export const GEMINI: KeyService = {
  id: 'gemini',
  title: 'Gemini',
  page: 'https://aistudio.google.com/apikey',
  apiKeyEnv: 'GEMINI_API_KEY',
};

export const KEY_SERVICES: readonly KeyService[] = [
  {
    id: 'openai',
    title: 'OpenAI',
    page: 'https://platform.openai.com/api-keys',
    apiKeyEnv: 'OPENAI_API_KEY',
  },
  {
    id: 'anthropic',
    title: 'Anthropic',
    page: 'https://console.anthropic.com/settings/keys',
    apiKeyEnv: 'ANTHROPIC_API_KEY',
  },
  {
    id: 'openrouter',
    title: 'OpenRouter',
    page: 'https://openrouter.ai/keys',
    apiKeyEnv: 'OPENROUTER_API_KEY',
  },
];

export function refusedText({ title }: KeyService, status: number): string {
  return `${title} refused this key (HTTP ${status}). It was not saved.`;
}

/** @param place where the key was saved, in words */
export function savedItem({ title }: KeyService, check: KeyCheck, place: string): HistoryItemWithoutId {
  if (check.state === 'works') {
    const models = `${check.models.length} ${check.models.length === 1 ? 'model' : 'models'}`;
    return { type: 'info', text: `The ${title} key works (${models}). Saved in ${place}.` };
  }
  const reason = check.state === 'unknown' ? ` (${check.reason.replace(/\.$/, '')})` : '';
  return {
    type: 'warning',
    text: `The ${title} key could not be checked${reason}. Saved in ${place}; a wrong one fails at the first request.`,
  };
}
