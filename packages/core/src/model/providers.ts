/** Providers other than Google: `provider/model` names, addresses and keys. */
import { FatalAuthenticationError, FatalConfigError } from '../base/errors.js';
import { parseServiceAddress } from './wire/service-address.js';

export type ProviderType = 'openai' | 'anthropic' | 'gemini';

/** `model.providers.<id>` of the settings; a built-in id changes that provider. */
export interface ProviderSettings {
  type?: ProviderType;
  baseUrl?: string;
  apiKeyEnv?: string;
  headers?: Record<string, string>;
  models?: string[];
  /** For utility calls; absent: the model of the conversation. */
  utilityModel?: string;
  contextWindow?: number;
  maxOutputTokens?: number;
  supportsTools?: boolean;
  supportsImages?: boolean;
}

export interface Provider {
  id: string;
  type: ProviderType;
  baseUrl: URL;
  /** Absent: the server needs no key. */
  apiKey?: string;
  headers: Record<string, string>;
  maxOutputTokens?: number;
  supportsTools: boolean;
  supportsImages: boolean;
  /** Runs on this machine: a refused connection means that it has to be started. */
  isLocal: boolean;
}

interface BuiltinProvider {
  type: ProviderType;
  baseUrl: string;
  /** Variable that replaces the address. */
  baseUrlEnv?: string;
  apiKeyEnv?: string;
  /** The server works without a key. */
  keyOptional?: boolean;
  /** The model for a user who has only set the key. */
  defaultModel?: string;
}

const BUILTIN: Readonly<Record<string, BuiltinProvider>> = {
  openai: {
    type: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    baseUrlEnv: 'OPENAI_BASE_URL',
    apiKeyEnv: 'OPENAI_API_KEY',
    defaultModel: 'gpt-5.1',
  },
  openrouter: {
    type: 'openai',
    baseUrl: 'https://openrouter.ai/api/v1',
    apiKeyEnv: 'OPENROUTER_API_KEY',
    defaultModel: 'anthropic/claude-sonnet-4.5',
  },
  anthropic: {
    type: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    baseUrlEnv: 'ANTHROPIC_BASE_URL',
    apiKeyEnv: 'ANTHROPIC_API_KEY',
    defaultModel: 'claude-sonnet-4-5',
  },
  ollama: {
    type: 'openai',
    baseUrl: 'http://localhost:11434/v1',
    baseUrlEnv: 'OLLAMA_HOST',
    keyOptional: true,
  },
  lmstudio: { type: 'openai', baseUrl: 'http://localhost:1234/v1', keyOptional: true },
  llamacpp: { type: 'openai', baseUrl: 'http://localhost:8080/v1', keyOptional: true },
  vllm: { type: 'openai', baseUrl: 'http://localhost:8000/v1', keyOptional: true },
};

export function providerIds(configured: Readonly<Record<string, ProviderSettings>> = {}): string[] {
  return [...new Set([...Object.keys(BUILTIN), ...Object.keys(configured)])];
}

/** Its address without settings and environment; undefined for a provider of the settings. */
export function builtinAddress(id: string): URL | undefined {
  const builtin = Object.hasOwn(BUILTIN, id) ? BUILTIN[id] : undefined;
  return builtin && new URL(builtin.baseUrl);
}

/** The provider and its own model name; undefined for Google's models. */
export function splitModelName(
  name: string,
  configured: Readonly<Record<string, ProviderSettings>> = {},
): { provider: string; model: string } | undefined {
  const slash = name.indexOf('/');
  if (slash < 1) return undefined;
  const provider = name.slice(0, slash);
  const isKnown = Object.hasOwn(BUILTIN, provider) || Object.hasOwn(configured, provider);
  return isKnown ? { provider, model: name.slice(slash + 1) } : undefined;
}

export interface KeyProvider {
  id: string;
  apiKeyEnv: string;
  /** The model for a user who has only the key. */
  defaultModel?: string;
}

/** The providers that need a key, those of the settings first. */
export function keyProviders(configured: Readonly<Record<string, ProviderSettings>> = {}): KeyProvider[] {
  return [...new Set([...Object.keys(configured), ...Object.keys(BUILTIN)])].flatMap((id) => {
    const own = configured[id] ?? {};
    const builtin = Object.hasOwn(BUILTIN, id) ? BUILTIN[id] : undefined;
    const apiKeyEnv = own.apiKeyEnv ?? builtin?.apiKeyEnv;
    const defaultModel = own.models?.[0] ?? builtin?.defaultModel;
    return apiKeyEnv ? [{ id, apiKeyEnv, ...(defaultModel && { defaultModel }) }] : [];
  });
}

/** Folders in the names of Google's own models. */
const GOOGLE_FOLDERS = ['models', 'tunedModels', 'projects', 'publishers'];

/** The error for a name like `opanai/gpt-5`; undefined for names that Google may know. */
export function unknownProvider(
  name: string,
  configured: Readonly<Record<string, ProviderSettings>> = {},
): FatalConfigError | undefined {
  const [provider = '', model] = name.split('/');
  if (model === undefined || GOOGLE_FOLDERS.includes(provider)) return undefined;
  return new FatalConfigError(
    `There is no provider "${provider}". Known are ${providerIds(configured).join(', ')}; others are defined in model.providers of the settings.`,
  );
}

/** A model of the first provider whose key is set, those of the settings first. */
export function modelWithKey(
  env: NodeJS.ProcessEnv,
  configured: Readonly<Record<string, ProviderSettings>> = {},
): { model: string; apiKeyEnv: string } | undefined {
  for (const { id, apiKeyEnv, defaultModel } of keyProviders(configured))
    if (defaultModel && env[apiKeyEnv]?.trim()) return { model: `${id}/${defaultModel}`, apiKeyEnv };
  return undefined;
}

/** @throws FatalConfigError for invalid settings, FatalAuthenticationError where a key is missing */
export function resolveProvider(
  id: string,
  env: NodeJS.ProcessEnv,
  configured: Readonly<Record<string, ProviderSettings>> = {},
): Provider {
  const builtin = Object.hasOwn(BUILTIN, id) ? BUILTIN[id] : undefined;
  const own = Object.hasOwn(configured, id) ? (configured[id] ?? {}) : {};
  const type = own.type ?? builtin?.type ?? 'openai';
  const baseUrl = addressOf(id, env, builtin, own);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(baseUrl.hostname);
  const apiKeyEnv = own.apiKeyEnv ?? builtin?.apiKeyEnv;
  const apiKey = apiKeyEnv ? env[apiKeyEnv]?.trim() : undefined;
  if (apiKeyEnv && !apiKey && !isLocal) {
    throw new FatalAuthenticationError(
      `The provider "${id}" needs a key: set ${apiKeyEnv}, or save one with /auth. Without an account: --model offline.`,
    );
  }
  return {
    id,
    type,
    baseUrl,
    ...(apiKey && { apiKey }),
    headers: own.headers ?? {},
    ...(own.maxOutputTokens !== undefined && { maxOutputTokens: own.maxOutputTokens }),
    supportsTools: own.supportsTools ?? true,
    supportsImages: own.supportsImages ?? true,
    isLocal,
  };
}

function addressOf(
  id: string,
  env: NodeJS.ProcessEnv,
  builtin: BuiltinProvider | undefined,
  own: ProviderSettings,
): URL {
  if (own.baseUrl) return parseServiceAddress(`model.providers.${id}.baseUrl`, own.baseUrl);
  if (!builtin) {
    throw new FatalConfigError(`model.providers.${id} in settings.json has no baseUrl.`);
  }
  const variable = builtin.baseUrlEnv;
  const fromEnv = variable ? env[variable]?.trim() : undefined;
  if (!variable || !fromEnv) return new URL(builtin.baseUrl);
  return variable === 'OLLAMA_HOST' ? ollamaAddress(fromEnv) : parseServiceAddress(variable, fromEnv);
}

/** Ollama's own variable takes `host`, `host:port` or an address, without the path of the OpenAI interface. */
function ollamaAddress(text: string): URL {
  const full = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (!url) throw new FatalConfigError(`OLLAMA_HOST is not a valid address: "${text}".`);
  // `0.0.0.0` means "listens everywhere"; the client connects to this machine.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (!url.port && url.protocol === 'http:') url.port = '11434';
  if (url.pathname === '/') url.pathname = '/v1';
  return parseServiceAddress('OLLAMA_HOST', url.href);
}
