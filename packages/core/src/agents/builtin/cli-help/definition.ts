/** `cli_help`: answers questions about this program from its own documentation. */
import { GetInternalDocsTool } from '../../../tools/internal-docs/get-internal-docs.js';
import type { LocalAgentDefinition } from '../../types.js';
import type { BuiltinAgentHost } from '../host.js';
import { oneText } from '../inputs.js';
import description from './description.md';

export function cliHelp(host: BuiltinAgentHost): LocalAgentDefinition {
  return {
    kind: 'local',
    name: 'cli_help',
    displayName: 'CLI Help',
    description: description.trim(),
    source: { kind: 'builtin' },
    inputConfig: oneText('question', 'The question about Gemini CLI.'),
    get modelConfig() {
      return { model: host.modelFor('flash'), settings: { temperature: 0.1, topP: 0.95 } };
    },
    runConfig: { maxTimeMinutes: 3, maxTurns: 10 },
    toolConfig: { tools: [GetInternalDocsTool.Name] },
    promptConfig: {},
    load: async () => (await import('./run.js')).CLI_HELP_RUN,
  };
}
