/** The auth types, and which of them applies. */
import { join } from 'node:path';
import { FatalAuthenticationError } from '../../base/errors.js';
import { globalGeminiDir } from '../../platform/storage/storage.js';

const AUTH_TYPES = [
  'oauth-personal',
  'vertex-ai',
  'gateway',
  'gemini-api-key',
  'compute-default-credentials',
] as const;

export type AuthType = (typeof AUTH_TYPES)[number];

export interface AuthChoice {
  env: NodeJS.ProcessEnv;
  /** `security.auth.selectedType`. */
  selectedType?: string;
  /** `security.auth.enforcedType`: the only type an administrator allows. */
  enforcedType?: string;
}

/** Undefined: nothing is configured, so the user must choose. */
export function chooseAuthType({ env, selectedType, enforcedType }: AuthChoice): AuthType | undefined {
  const chosen = parseAuthType(selectedType) ?? authTypeFromEnvironment(env);
  if (!enforcedType) return chosen;
  const enforced = parseAuthType(enforcedType);
  if (enforced && (chosen === enforced || chosen === undefined)) return enforced;
  // Scripts look for the words up to the types.
  const problem = enforced
    ? `but the current type is '${chosen}'. Sign in with the enforced type.`
    : 'which is not a known type.';
  throw new EnforcedTypeError(
    `The enforced authentication type is '${enforcedType}' (security.auth.enforcedType), ${problem}`,
  );
}

/** Scripts expect this type in JSON. */
class EnforcedTypeError extends FatalAuthenticationError {
  override readonly reportedType = 'Error';
}

/** Also reads the old name of the metadata credentials. */
export function parseAuthType(name: string | undefined): AuthType | undefined {
  if (name === 'cloud-shell') return 'compute-default-credentials';
  return AUTH_TYPES.find((type) => type === name);
}

/** The types a front end offers. Google sign-in needs a client that is not part of the program. */
export function offeredAuthTypes(env: NodeJS.ProcessEnv, enforcedType?: string): AuthType[] {
  const enforced = parseAuthType(enforcedType);
  if (enforced) return [enforced];
  const offered: AuthType[] = ['gemini-api-key', 'vertex-ai'];
  if (isGoogleSignInConfigured(env)) offered.unshift('oauth-personal');
  if (isOn(env['CLOUD_SHELL']) || isOn(env['GEMINI_CLI_USE_COMPUTE_ADC'])) {
    offered.push('compute-default-credentials');
  }
  return offered;
}

/** The preselected entry of a front end. */
export function preselectedAuthType(env: NodeJS.ProcessEnv): AuthType | undefined {
  return parseAuthType(env['GEMINI_DEFAULT_AUTH_TYPE']?.trim());
}

export function isGoogleSignInConfigured(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env['GEMINI_OAUTH_CLIENT_ID']?.trim() && env['GEMINI_OAUTH_CLIENT_SECRET']?.trim());
}

/** The message for a run without a user. */
export function noAuthError(env: NodeJS.ProcessEnv): FatalAuthenticationError {
  return new FatalAuthenticationError(
    'No way to sign in is configured. Set GEMINI_API_KEY (or GOOGLE_GENAI_USE_VERTEXAI or GOOGLE_GENAI_USE_GCA), ' +
      `or choose one in ${join(globalGeminiDir(env), 'settings.json')}. Without an account: --model offline, the built-in guide.`,
  );
}

/** Ends messages about missing variables. */
export const ENV_HINT = 'Set it in the environment or in a .env file; an edit there needs no reload.';

/** The type that variables ask for. */
export function authTypeFromEnvironment(env: NodeJS.ProcessEnv): AuthType | undefined {
  if (isOn(env['GOOGLE_GENAI_USE_GCA'])) return 'oauth-personal';
  if (isOn(env['GOOGLE_GENAI_USE_VERTEXAI'])) return 'vertex-ai';
  const hasKey = Boolean(env['GEMINI_API_KEY']?.trim());
  if (env['GOOGLE_GEMINI_BASE_URL']?.trim() && !hasKey) return 'gateway';
  if (hasKey) return 'gemini-api-key';
  if (isOn(env['CLOUD_SHELL']) || isOn(env['GEMINI_CLI_USE_COMPUTE_ADC']))
    return 'compute-default-credentials';
  return undefined;
}

export function isOn(value: string | undefined): boolean {
  return value === '1' || value?.toLowerCase() === 'true';
}
