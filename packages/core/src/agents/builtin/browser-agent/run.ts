/** Prompt, tools and result of `browser_agent`. */
import { objectOf } from '../../../base/objects.js';
import type { BrowserAgentHost } from '../../browser/host.js';
import { replaceOldSnapshots } from '../../browser/old-snapshots.js';
import { isVisual } from '../../browser/session-settings.js';
import type { LoadedParts } from '../../types.js';
import prompt from './prompt.md';
import query from './query.md';
import visual from './visual.md';

export function browserAgentRun(host: BrowserAgentHost): LoadedParts {
  const { allowedDomains } = host.settings();
  let isSuccess = false;
  const domains = `You may visit these hosts only: ${allowedDomains.join(', ')}.`;
  return {
    promptConfig: {
      systemPrompt: [prompt.trim(), domains, ...(isVisual(host) ? [visual.trim()] : [])].join('\n\n'),
      query: query.trim(),
    },
    outputConfig: {
      outputName: 'result',
      description: 'The outcome of the task.',
      schema: {
        type: 'object',
        properties: {
          success: { type: 'boolean', description: 'Whether the task was done completely.' },
          summary: { type: 'string', description: 'What was done and seen, or why it could not be done.' },
          data: { description: 'What the task asked for, as JSON.' },
        },
        required: ['success', 'summary'],
      },
    },
    processOutput: (result) => {
      const { success, summary, data } = objectOf(result);
      isSuccess = success === true;
      const found = data === undefined ? '' : `\n\nData:\n${JSON.stringify(data, null, 2)}`;
      return `${isSuccess ? 'The task was done.' : 'The task was not done.'} ${summary}${found}`;
    },
    openTools: async (run) => {
      const { openBrowserTools } = await import('../../browser/open-tools.js');
      return openBrowserTools(host, run, () => isSuccess);
    },
    beforeTurn: async ({ conversation }) => replaceOldSnapshots(conversation),
  };
}
