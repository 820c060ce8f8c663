/** Generation settings of the main conversation, by family. */
import { familyOf } from './catalog.js';
import type { GenerationSettings } from './content-generator.js';

export function chatSettings(model: string): GenerationSettings {
  // Other providers have defaults of their own, and some refuse to have them changed.
  if (model.includes('/')) return {};
  const base = { temperature: 1, topP: 0.95, topK: 64 };
  switch (familyOf(model)) {
    case 'gemini-3':
    case 'gemma-4':
      return { ...base, thinkingConfig: { includeThoughts: true, thinkingLevel: 'HIGH' } };
    case 'gemini-2.5':
      return { ...base, thinkingConfig: { includeThoughts: true, thinkingBudget: 8192 } };
    default:
      return { ...base, thinkingConfig: { includeThoughts: true } };
  }
}
