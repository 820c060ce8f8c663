/** The Gemini API key: from the environment, else the saved one. */
import { FatalAuthenticationError } from '../../base/errors.js';
import type { SecretStore } from '../../platform/secrets/secret-store.js';
import { type AuthType, ENV_HINT } from './auth-type.js';
import type { AuthContext, Authorizer } from './context.js';

const SERVICE = 'gemini-cli-api-key';
const ENTRY = 'default-api-key';

export interface ApiKey {
  key: string;
  source: 'environment' | 'keychain' | 'file';
}

type KeyContext = Pick<AuthContext, 'env' | 'secrets' | 'onSecret'>;

export async function createKeyAuthorizer(context: KeyContext): Promise<Authorizer> {
  let found = await requireApiKey(context);
  let isRefused = false;
  return {
    type: 'gemini-api-key',
    invalidate: () => {
      isRefused = true;
    },
    async headers() {
      // The user may have saved another one meanwhile.
      if (isRefused) found = await requireApiKey(context);
      isRefused = false;
      context.onSecret?.(found.key);
      return keyHeaders(found.key, context.env);
    },
  };
}

/** A gateway may hold the key itself, so ours is optional. Only a key set for the gateway is sent, never the saved one. */
export function createGatewayAuthorizer({
  env,
  onSecret,
}: Pick<AuthContext, 'env' | 'onSecret'>): Authorizer {
  return staticAuthorizer('gateway', () => {
    const key = keyFromEnvironment(env, 'GEMINI_API_KEY') ?? '';
    if (key) onSecret?.(key);
    return key ? keyHeaders(key, env) : { 'x-goog-api-key': '' };
  });
}

export function staticAuthorizer(type: AuthType, headers: () => Record<string, string>): Authorizer {
  return { type, headers: async () => headers(), invalidate() {} };
}

export async function findApiKey({
  env,
  secrets,
}: Pick<AuthContext, 'env' | 'secrets'>): Promise<ApiKey | undefined> {
  const key = keyFromEnvironment(env, 'GEMINI_API_KEY');
  if (key) return { key, source: 'environment' };
  const stored = await secrets.get(SERVICE, ENTRY);
  return stored && { key: checkedKey(keyInRecord(stored.value), 'The saved API key'), source: stored.place };
}

/** @returns where it was saved */
export async function saveApiKey(secrets: SecretStore, key: string): Promise<'keychain' | 'file'> {
  return secrets.set(SERVICE, ENTRY, checkedKey(key, 'The API key'));
}

export function deleteApiKey(secrets: SecretStore): Promise<void> {
  return secrets.delete(SERVICE, ENTRY);
}

export function keyFromEnvironment(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const key = env[name]?.trim();
  return key ? checkedKey(key, name) : undefined;
}

async function requireApiKey(context: KeyContext): Promise<ApiKey> {
  const found = await findApiKey(context);
  if (found) return found;
  const why = context.secrets.problems.map((problem) => ` ${problem}`).join('');
  throw new FatalAuthenticationError(
    `The authentication type is "gemini-api-key", but there is no key: GEMINI_API_KEY is not set and none is saved.${why} ` +
      `${ENV_HINT} Without an account: --model offline.`,
  );
}

function keyHeaders(key: string, env: NodeJS.ProcessEnv): Record<string, string> {
  return env['GEMINI_API_KEY_AUTH_MECHANISM'] === 'bearer'
    ? { authorization: `Bearer ${key}` }
    : { 'x-goog-api-key': key };
}

/** It becomes a header; anything but visible ASCII is a typing mistake. */
export function checkedKey(key: string, name: string): string {
  const trimmed = key.trim();
  if (/^[\x21-\x7e]+$/.test(trimmed)) return trimmed;
  throw new FatalAuthenticationError(
    `${name} is empty or has characters that no key has (spaces, line ends, letters outside ASCII).`,
  );
}

/** Saved by other programs as `{token: {accessToken}}`. */
function keyInRecord(text: string): string {
  if (!text.startsWith('{')) return text;
  try {
    const accessToken: unknown = JSON.parse(text)?.token?.accessToken;
    return typeof accessToken === 'string' ? accessToken : text;
  } catch {
    return text;
  }
}
