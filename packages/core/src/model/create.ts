/** Model name, sign-in and environment -> the generator that serves it. Each provider is imported only when used. */
import { AgentError } from '../base/errors.js';
import { systemClock } from '../platform/clock.js';
import type { HttpClient } from '../platform/http.js';
import type { Redactor } from '../platform/redact.js';
import { type AuthType, chooseAuthType, noAuthError } from './auth/auth-type.js';
import type { Authorizer } from './auth/context.js';
import { OFFLINE_MODEL } from './catalog.js';
import type { ContentGenerator } from './content-generator.js';
import { customHeaders } from './custom-headers.js';

export interface GeneratorOptions {
  model: string;
  env: NodeJS.ProcessEnv;
  version: string;
  sessionId: string;
  http: HttpClient;
  redactor: Redactor;
  auth?: { selectedType?: string; enforcedType?: string };
  fakeResponses?: { path: string; strict: boolean };
  recordResponses?: string;
}

export interface CreatedGenerator {
  generator: ContentGenerator;
  /** How its requests are signed; absent where nothing is signed. */
  authType?: AuthType;
}

export async function createContentGenerator(options: GeneratorOptions): Promise<CreatedGenerator> {
  const created = await createProvider(options);
  if (!options.recordResponses) return created;
  const { RecordingGenerator } = await import('./wrappers/recording.js');
  const generator = new RecordingGenerator(created.generator, options.recordResponses, options.redactor);
  return { ...created, generator };
}

async function createProvider(options: GeneratorOptions): Promise<CreatedGenerator> {
  if (options.fakeResponses) {
    const { ReplayGenerator } = await import('./wrappers/replay.js');
    const { path, strict } = options.fakeResponses;
    return { generator: new ReplayGenerator(path, strict), authType: chosenType(options) };
  }
  if (options.model === OFFLINE_MODEL) {
    const { OfflineGuide } = await import('./offline/guide.js');
    return { generator: new OfflineGuide() };
  }
  const provider = LATER_PROVIDERS.find((id) => options.model.startsWith(`${id}/`));
  if (provider) {
    throw new AgentError('provider_unavailable', {
      addressee: 'user',
      message: `The provider "${provider}" is not available yet. Use a Gemini model, or --model offline.`,
    });
  }
  return createGoogle(options);
}

async function createGoogle(options: GeneratorOptions): Promise<CreatedGenerator> {
  const { env, redactor } = options;
  const authType = chosenType(options);
  if (!authType) throw noAuthError();
  const { createAuthorizer } = await import('./auth/index.js');
  const authorizer = await createAuthorizer(authType, {
    env,
    onSecret: (secret) => redactor.addSecret(secret),
  });
  const isSignedIn = authType === 'oauth-personal' || authType === 'compute-default-credentials';
  const generator = isSignedIn
    ? await createCodeAssist(options, authorizer)
    : await createGemini(options, authorizer);
  return { generator, authType };
}

async function createGemini(options: GeneratorOptions, authorizer: Authorizer): Promise<ContentGenerator> {
  const { env, http, version } = options;
  const { GeminiApi } = await import('./gemini/client.js');
  const { geminiAddress, vertexAddress } = await import('./gemini/endpoint.js');
  const endpoint = {
    address: authorizer.type === 'vertex-ai' ? vertexAddress(env) : geminiAddress(env),
    authorizer,
    customHeaders: customHeaders(env['GEMINI_CLI_CUSTOM_HEADERS']),
    userAgent: `GeminiCLI/${version}`,
  };
  return new GeminiApi(endpoint, http);
}

async function createCodeAssist(
  options: GeneratorOptions,
  authorizer: Authorizer,
): Promise<ContentGenerator> {
  const { env, http, version, sessionId } = options;
  const { CodeAssistApi } = await import('./code-assist/api.js');
  const { setUpUser } = await import('./code-assist/onboarding.js');
  const { CodeAssistGenerator } = await import('./code-assist/client.js');
  const headers = customHeaders(env['GEMINI_CLI_CUSTOM_HEADERS']);
  const api = new CodeAssistApi({ env, authorizer, http, version, customHeaders: headers });
  const user = await setUpUser({ api, env, clock: systemClock, signal: new AbortController().signal });
  return new CodeAssistGenerator(api, user, sessionId);
}

function chosenType({ env, auth }: GeneratorOptions): AuthType | undefined {
  return chooseAuthType({ env, selectedType: auth?.selectedType, enforcedType: auth?.enforcedType });
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
