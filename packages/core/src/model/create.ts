/** Creates the generator for a model name, sign-in and environment. Each provider is imported only when used. */
import { FatalAuthenticationError } from '../base/errors.js';
import { systemClock } from '../platform/clock.js';
import type { HttpClient } from '../platform/net/http.js';
import type { Redactor } from '../platform/redaction/redact.js';
import { type AuthChoice, type AuthType, chooseAuthType, noAuthError } from './auth/auth-type.js';
import type { Authorizer } from './auth/context.js';
import { OFFLINE_MODEL } from './catalog.js';
import type { AdminControls } from './code-assist/admin-controls.js';
import type { CreditAccount, OverageStrategy } from './code-assist/credits.js';
import type { QuotaBucket } from './code-assist/quota.js';
import type { ContentGenerator } from './content-generator.js';
import type { OnModelNote } from './model-note.js';
import { ModelPool } from './pool.js';
import { type Provider, type ProviderSettings, splitModelName, unknownProvider } from './providers.js';
import { customHeaders } from './wire/custom-headers.js';
import { OwnNameGenerator } from './wrappers/own-name.js';

export interface GeneratorOptions {
  model: string;
  env: NodeJS.ProcessEnv;
  version: string;
  /** `general.proxy`, for sign-in servers. */
  proxy?: string;
  sessionId: string;
  http: HttpClient;
  redactor: Redactor;
  auth?: { selectedType?: string; enforcedType?: string; useExternal?: boolean };
  /** `billing` */
  billing?: BillingSettings;
  providers?: Readonly<Record<string, ProviderSettings>>;
  fakeResponses?: { path: string; strict: boolean };
  /** Answers instead of every provider. */
  contentGenerator?: ContentGenerator;
  recordResponses?: string;
  /** Shows a message to the user, e.g. that a model takes no tools. */
  onNotice?: (message: string) => void;
  onNote?: OnModelNote;
  /** Before the first request with a Google account. An error refuses its models until the next try. */
  onAccount?: (account: GoogleAccount) => Promise<void>;
}

export interface BillingSettings {
  overageStrategy?: OverageStrategy;
  vertexAi?: { requestType?: string; sharedRequestType?: string };
}

/** What a Google account may do beyond its quota, and what its organisation forbids. */
export interface GoogleAccount {
  /** Absent when the credentials name none. */
  email?: string;
  /** Its plan, for the user. */
  tier: string;
  /** A plan with higher limits exists. */
  canUpgrade: boolean;
  credits: Pick<CreditAccount, 'state' | 'spend'>;
  /** Absent: no organisation controls the account. Undefined: nothing is restricted. */
  adminControls?: (signal: AbortSignal) => Promise<AdminControls | undefined>;
}

export interface CreatedGenerator {
  generator: ContentGenerator;
  /** The credentials of its requests; absent where none are needed. */
  authType?: AuthType;
  /** Absent: Google. */
  provider?: string;
  /** The Google account behind it; absent with a key. */
  account?: GoogleAccount;
  /** The remaining quota, if the service reports it. */
  quota?: (signal: AbortSignal) => Promise<QuotaBucket[]>;
}

/** One provider: the prefix of its model names, and how it is set up. */
export function createModelPool(
  options: Omit<GeneratorOptions, 'model'>,
  /** Wraps the provider, e.g. to measure it. */
  observe: (created: CreatedGenerator) => ContentGenerator = ({ generator }) => generator,
): ModelPool {
  return new ModelPool({
    keyOf: (model) => providerKey(model, options),
    open: async (model) => {
      const created = await createProvider({ ...options, model });
      if (created.account) await options.onAccount?.(created.account);
      return { ...created, generator: observe(created) };
    },
  });
}

/** Records what goes through a generator, if configured. */
export async function recorded(
  generator: ContentGenerator,
  { recordResponses, redactor }: Pick<GeneratorOptions, 'recordResponses' | 'redactor'>,
): Promise<ContentGenerator> {
  if (!recordResponses) return generator;
  const { RecordingGenerator } = await import('./wrappers/recording.js');
  return new RecordingGenerator(generator, recordResponses, redactor);
}

function providerKey(
  model: string,
  { fakeResponses, contentGenerator, providers }: Omit<GeneratorOptions, 'model'>,
): string {
  if (contentGenerator) return 'given';
  if (fakeResponses) return 'replay';
  if (model === OFFLINE_MODEL) return OFFLINE_MODEL;
  if (model.startsWith(VERTEX_PREFIX)) return 'vertex';
  return splitModelName(model, providers)?.provider ?? 'google';
}

async function createProvider(options: GeneratorOptions): Promise<CreatedGenerator> {
  if (options.contentGenerator) return { generator: options.contentGenerator };
  if (options.fakeResponses) {
    const { ReplayGenerator } = await import('./wrappers/replay.js');
    const { path, strict } = options.fakeResponses;
    return { generator: new ReplayGenerator(path, strict), authType: chosenType(options) };
  }
  if (options.model === OFFLINE_MODEL) {
    const { OfflineGuide } = await import('./offline/guide.js');
    return { generator: new OfflineGuide() };
  }
  if (options.model.startsWith(VERTEX_PREFIX)) return createVertex(options);
  const other = splitModelName(options.model, options.providers);
  return other ? createOther(other.provider, options) : createGoogle(options);
}

async function createOther(id: string, options: GeneratorOptions): Promise<CreatedGenerator> {
  const { env, redactor } = options;
  const { resolveWithSavedKey } = await import('./provider-keys.js');
  const provider = await resolveWithSavedKey(id, { env, providers: options.providers });
  if (provider.apiKey) redactor.addSecret(provider.apiKey);
  redactor.addEnvironment(provider.headers);
  const generator = await createForType(provider, options);
  return { generator: new OwnNameGenerator(generator, `${id}/`), provider: id };
}

async function createForType(
  provider: Provider,
  { http, version, env, onNotice }: GeneratorOptions,
): Promise<ContentGenerator> {
  const userAgent = `GeminiCLI/${version}`;
  switch (provider.type) {
    case 'openai': {
      const { OpenAiApi } = await import('./openai/client.js');
      return new OpenAiApi(provider, http, userAgent, onNotice);
    }
    case 'anthropic': {
      const { AnthropicApi } = await import('./anthropic/client.js');
      return new AnthropicApi(provider, http, userAgent);
    }
    case 'gemini': {
      const { GeminiApi } = await import('./gemini/client.js');
      const { geminiAddress } = await import('./gemini/endpoint.js');
      const { createGatewayAuthorizer } = await import('./auth/api-key.js');
      return new GeminiApi(
        {
          address: geminiAddress({ GOOGLE_GEMINI_BASE_URL: provider.baseUrl.href }),
          service: serviceOf(provider),
          signatureOwner: provider.id,
          authorizer: createGatewayAuthorizer({ env: { GEMINI_API_KEY: provider.apiKey } }),
          customHeaders: provider.headers,
          userAgent,
          surface: surfaceOf(env),
        },
        http,
      );
    }
  }
}

/** The name in messages of a third-party server that speaks Gemini's protocol. */
function serviceOf({ id }: Provider) {
  return {
    title: id,
    credentials: `Check the key of the provider "${id}".`,
    address: `model.providers.${id}.baseUrl`,
  };
}

/** `vertex/…` uses Vertex, whatever the sign-in. */
async function createVertex(options: GeneratorOptions): Promise<CreatedGenerator> {
  const auth = { ...options.auth, selectedType: 'vertex-ai' };
  const created = await createGoogle({ ...options, auth }, 'vertex');
  return { ...created, generator: new OwnNameGenerator(created.generator, VERTEX_PREFIX) };
}

/** @param signatureOwner set if it may be used beside the signed-in service */
async function createGoogle(options: GeneratorOptions, signatureOwner?: string): Promise<CreatedGenerator> {
  const { env, redactor } = options;
  const authType = chosenType(options);
  if (!authType) throw unknownProvider(options.model, options.providers) ?? noAuthError(env);
  // A gateway may need its own token there.
  redactor.addEnvironment(customHeaders(env['GEMINI_CLI_CUSTOM_HEADERS']));
  const authorizer = await authorizerFor(authType, options);
  const { type } = authorizer;
  const isSignedIn = type === 'oauth-personal' || type === 'compute-default-credentials';
  if (isSignedIn) return { ...(await createCodeAssist(options, authorizer)), authType: type };
  return { generator: await createGemini(options, authorizer, signatureOwner), authType: type };
}

/** A Google sign-in without credentials gives way to a key that is there, and the user is told. */
async function authorizerFor(authType: AuthType, options: GeneratorOptions): Promise<Authorizer> {
  const { env, proxy, redactor, onNotice } = options;
  const { createAuthorizer } = await import('./auth/index.js');
  const open = (type: AuthType) =>
    createAuthorizer(type, {
      env,
      proxy,
      onSecret: (secret) => redactor.addSecret(secret),
      onStorage: (storage) => options.onNote?.({ type: 'secrets_opened', ...storage }),
    });
  try {
    return await open(authType);
  } catch (error) {
    // Something between us and the service adds the credentials.
    if (options.auth?.useExternal && authType === 'gemini-api-key') return open('gateway');
    if (!(error instanceof FatalAuthenticationError) || authType !== 'oauth-personal') throw error;
    const { explained, replacedNotice, sourceOfReplacement, typeInsteadOfGoogle } = await import(
      './auth/instead-of-google.js'
    );
    const choice = authChoice(options);
    const other = await typeInsteadOfGoogle(choice);
    if (!other) throw explained(error, choice);
    const authorizer = await open(other);
    onNotice?.(replacedNotice(sourceOfReplacement(other, env)));
    return authorizer;
  }
}

async function createGemini(
  options: GeneratorOptions,
  authorizer: Authorizer,
  signatureOwner: string | undefined,
): Promise<ContentGenerator> {
  const { env, http, version, billing } = options;
  const { GeminiApi } = await import('./gemini/client.js');
  const { geminiAddress, vertexAddress } = await import('./gemini/endpoint.js');
  const { GEMINI_API, VERTEX_AI } = await import('./gemini/errors.js');
  const endpoint = {
    ...(authorizer.type === 'vertex-ai'
      ? { address: vertexAddress(env), service: VERTEX_AI }
      : { address: geminiAddress(env), service: GEMINI_API }),
    authorizer,
    ...(signatureOwner !== undefined && { signatureOwner }),
    customHeaders: {
      ...(authorizer.type === 'vertex-ai' && vertexHeaders(billing)),
      ...customHeaders(env['GEMINI_CLI_CUSTOM_HEADERS']),
    },
    userAgent: `GeminiCLI/${version}`,
    surface: surfaceOf(env),
  };
  return new GeminiApi(endpoint, http);
}

function vertexHeaders({ vertexAi = {} }: BillingSettings = {}): Record<string, string> {
  const { requestType, sharedRequestType } = vertexAi;
  return {
    ...(requestType && { 'X-Vertex-AI-LLM-Request-Type': requestType }),
    ...(sharedRequestType && { 'X-Vertex-AI-LLM-Shared-Request-Type': sharedRequestType }),
  };
}

async function createCodeAssist(
  options: GeneratorOptions,
  authorizer: Authorizer,
): Promise<Pick<CreatedGenerator, 'generator' | 'quota' | 'account'>> {
  const { env, http, version, sessionId, billing, onNote } = options;
  const { CodeAssistApi } = await import('./code-assist/api.js');
  const { setUpUser } = await import('./code-assist/onboarding.js');
  const { CodeAssistGenerator } = await import('./code-assist/client.js');
  const headers = customHeaders(env['GEMINI_CLI_CUSTOM_HEADERS']);
  const api = new CodeAssistApi({ env, authorizer, http, version, customHeaders: headers });
  const { signal: never } = new AbortController();
  const user = await setUpUser({ api, env, clock: systemClock, signal: never, onNote });
  const { retrieveUserQuota } = await import('./code-assist/quota.js');
  const { CreditAccount } = await import('./code-assist/credits.js');
  const { fetchAdminControls } = await import('./code-assist/admin-controls.js');
  const { readAccounts } = await import('./auth/accounts.js');
  const email = readAccounts(env).active;
  const credits = new CreditAccount(user.credits, billing?.overageStrategy ?? 'ask', onNote);
  return {
    generator: new CodeAssistGenerator(api, user, sessionId, credits),
    account: {
      ...(email && { email }),
      tier: user.tier.name ?? user.tier.id,
      canUpgrade: user.tier.id === 'free-tier',
      credits,
      ...(user.isOwnProject && {
        adminControls: (signal) => fetchAdminControls(api, user.project, signal),
      }),
    },
    quota: (signal) => retrieveUserQuota(api, user.project, signal),
  };
}

function chosenType(options: GeneratorOptions): AuthType | undefined {
  return chooseAuthType(authChoice(options));
}

function authChoice({ env, auth }: Pick<GeneratorOptions, 'env' | 'auth'>): AuthChoice {
  return { env, selectedType: auth?.selectedType, enforcedType: auth?.enforcedType };
}

const VERTEX_PREFIX = 'vertex/';

/** The program's host, for the server's statistics; absent: a terminal. */
function surfaceOf(env: NodeJS.ProcessEnv): string | undefined {
  return env['GEMINI_CLI_SURFACE'] || env['SURFACE'] || undefined;
}
