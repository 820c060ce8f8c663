/** Prompt and answer of `generalist`. */
import { objectOf } from '../../../base/objects.js';
import type { LoadedParts } from '../../types.js';
import type { BuiltinAgentHost } from '../host.js';
import query from './query.md';

export function generalistRun(host: Pick<BuiltinAgentHost, 'mainPrompt'>): LoadedParts {
  return {
    promptConfig: { systemPrompt: host.mainPrompt(), query: query.trim() },
    outputConfig: {
      outputName: 'result',
      description: 'The outcome of the task.',
      schema: {
        type: 'object',
        properties: {
          response: { type: 'string', description: 'What was done and found, for the agent that asked.' },
        },
        required: ['response'],
      },
    },
    processOutput: (result) => String(objectOf(result)['response']),
  };
}
