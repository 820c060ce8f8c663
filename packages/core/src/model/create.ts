/** Model name and environment -> the generator that serves it. Each provider is imported only when used. */
import { AgentError } from '../base/errors.js';
import type { HttpClient } from '../platform/http.js';
import { OFFLINE_MODEL } from './catalog.js';
import type { ContentGenerator } from './content-generator.js';

export interface GeneratorOptions {
  model: string;
  env: NodeJS.ProcessEnv;
  version: string;
  http: HttpClient;
  fakeResponses?: { path: string; strict: boolean };
  recordResponses?: string;
}

export async function createContentGenerator(options: GeneratorOptions): Promise<ContentGenerator> {
  const generator = await createProvider(options);
  if (!options.recordResponses) return generator;
  const { RecordingGenerator } = await import('./wrappers/recording.js');
  return new RecordingGenerator(generator, options.recordResponses);
}

async function createProvider(options: GeneratorOptions): Promise<ContentGenerator> {
  if (options.fakeResponses) {
    const { ReplayGenerator } = await import('./wrappers/replay.js');
    return new ReplayGenerator(options.fakeResponses.path, options.fakeResponses.strict);
  }
  if (options.model === OFFLINE_MODEL) {
    const { OfflineGuide } = await import('./offline/guide.js');
    return new OfflineGuide();
  }
  const provider = LATER_PROVIDERS.find((id) => options.model.startsWith(`${id}/`));
  if (provider) {
    throw new AgentError('provider_unavailable', {
      addressee: 'user',
      message: `The provider "${provider}" is not available yet. Use a Gemini model, or --model offline.`,
    });
  }
  const { GeminiApi } = await import('./gemini/client.js');
  const { endpointFromEnvironment } = await import('./gemini/endpoint.js');
  return new GeminiApi(endpointFromEnvironment(options.env, options.version), options.http);
}

const LATER_PROVIDERS = [
  'openai',
  'anthropic',
  'openrouter',
  'ollama',
  'lmstudio',
  'llamacpp',
  'vllm',
  'vertex',
];
