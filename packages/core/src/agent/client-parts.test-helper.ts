/** The simplest parts a client needs beside its model: one model, no policy, no compression. */
import type { ToolRegistry } from '../tools/tool-registry.js';
import { RequestBuilder } from './chat/request-builder.js';
import type { ClientOptions } from './gemini-client.js';

export function plainParts(
  registry: ToolRegistry,
  model = 'm',
): Pick<ClientOptions, 'models' | 'requests' | 'context' | 'sessionContext'> {
  return {
    models: {
      model,
      startPrompt: async () => ({
        type: 'model_routed',
        model,
        source: 'override',
        reasoning: '',
        latencyMs: 0,
      }),
      endPrompt: () => undefined,
      attemptsFor: () => undefined,
      succeeded: () => undefined,
      switchAfter: async () => undefined,
    },
    requests: new RequestBuilder({
      tools: (name) => registry.getFunctionDeclarations(name),
      systemInstruction: () => '',
      settings: () => ({}),
    }),
    context: {
      prepare: async ({ history }) => ({ history, events: [] }),
      compress: async ({ history }) => ({
        history,
        events: [],
        status: 'NOOP',
        originalTokens: 0,
        newTokens: 0,
      }),
      uncompress: () => undefined,
      uncompressTo: (recorded) => recorded,
      learn: () => undefined,
      reset: () => undefined,
    },
    sessionContext: async () => 'context',
  };
}
