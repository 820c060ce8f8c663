/** `browser_agent`: works in a real browser. Experimental, so disabled until the user enables it. */
import type { LocalAgentDefinition } from '../../types.js';
import type { BuiltinAgentHost } from '../host.js';
import { oneText } from '../inputs.js';
import description from './description.md';

export function browserAgent(host: BuiltinAgentHost): LocalAgentDefinition {
  return {
    kind: 'local',
    name: 'browser_agent',
    displayName: 'Browser Agent',
    description: description.trim(),
    experimental: true,
    source: { kind: 'builtin' },
    inputConfig: oneText(
      'task',
      'What to do in the browser: address, steps, values to enter, what to report.',
    ),
    get modelConfig() {
      return { model: host.modelFor('flash'), settings: { temperature: 0.1, topP: 0.95 } };
    },
    runConfig: { maxTimeMinutes: 10, maxTurns: 50 },
    // Those of `openTools` only.
    toolConfig: { tools: [] },
    promptConfig: {},
    load: async () => (await import('./run.js')).browserAgentRun(host.browser),
  };
}
