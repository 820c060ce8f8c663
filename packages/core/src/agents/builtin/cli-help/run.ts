/** Prompt and answer of `cli_help`. */
import { objectOf } from '../../../base/objects.js';
import type { LoadedParts } from '../../types.js';
import prompt from './prompt.md';
import query from './query.md';

export const CLI_HELP_RUN: LoadedParts = {
  promptConfig: {
    systemPrompt: prompt.trim(),
    query: query.trim(),
  },
  outputConfig: {
    outputName: 'report',
    description: 'The answer and where it stands.',
    schema: {
      type: 'object',
      properties: {
        answer: { type: 'string', description: 'The answer, in Markdown.' },
        sources: {
          type: 'array',
          items: { type: 'string' },
          description: 'The documentation files it comes from, as listed.',
        },
      },
      required: ['answer', 'sources'],
    },
  },
  processOutput: (report) => {
    const { answer, sources } = objectOf(report);
    const files = Array.isArray(sources) ? sources.map((source) => `- ${source}`) : [];
    return files.length > 0 ? `${answer}\n\nSources:\n${files.join('\n')}` : String(answer);
  },
};
