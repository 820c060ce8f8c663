/** `generalist`: the main agent's abilities in a conversation of its own, so that long work does not fill the main one. */
import type { LocalAgentDefinition } from '../../types.js';
import type { BuiltinAgentHost } from '../host.js';
import { oneText } from '../inputs.js';
import description from './description.md';

export function generalist(host: BuiltinAgentHost): LocalAgentDefinition {
  return {
    kind: 'local',
    name: 'generalist',
    displayName: 'Generalist',
    description: description.trim(),
    source: { kind: 'builtin' },
    inputConfig: oneText('request', 'The task, complete: it sees nothing of this conversation.'),
    modelConfig: { model: 'inherit' },
    runConfig: { maxTimeMinutes: 10, maxTurns: 20 },
    promptConfig: {},
    load: async () => (await import('./run.js')).generalistRun(host),
  };
}
