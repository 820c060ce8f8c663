/** `codebase_investigator`: reads its way through a project and reports what matters for a task. */
import { GLOB, GREP_SEARCH, LIST_DIRECTORY, READ_FILE } from '../../../protocol/tool-names.js';
import type { LocalAgentDefinition } from '../../types.js';
import type { BuiltinAgentHost } from '../host.js';
import { oneText } from '../inputs.js';
import description from './description.md';

const SAMPLING = { temperature: 0.1, topP: 0.95 };

export function codebaseInvestigator(host: BuiltinAgentHost): LocalAgentDefinition {
  return {
    kind: 'local',
    name: 'codebase_investigator',
    displayName: 'Codebase Investigator',
    description: description.trim(),
    source: { kind: 'builtin' },
    inputConfig: oneText(
      'objective',
      'The task or question to investigate, with all the user said about it: names, error messages, goals, limits.',
    ),
    get modelConfig() {
      const isModern = !/gemini-(1|2)/.test(host.mainModel());
      return isModern
        ? {
            model: host.modelFor('gemini-3-flash-preview'),
            settings: { ...SAMPLING, thinkingConfig: { includeThoughts: true, thinkingLevel: 'HIGH' } },
          }
        : {
            model: host.modelFor('gemini-2.5-pro'),
            settings: { ...SAMPLING, thinkingConfig: { includeThoughts: true, thinkingBudget: -1 } },
          };
    },
    runConfig: { maxTimeMinutes: 10, maxTurns: 50 },
    toolConfig: { tools: [LIST_DIRECTORY, READ_FILE, GLOB, GREP_SEARCH] },
    promptConfig: {},
    load: async () => (await import('./run.js')).CODEBASE_INVESTIGATOR_RUN,
  };
}
