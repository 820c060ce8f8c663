/**
 * What takes the place of a Google sign-in without credentials. Many settings files choose `oauth-personal`, which
 * Google no longer offers to individuals; a key that is set is then what the user has.
 */
import { FatalAuthenticationError } from '../../base/errors.js';
import { SecretStore } from '../../platform/secrets/secret-store.js';
import { findApiKey } from './api-key.js';
import { type AuthChoice, type AuthType, authTypeFromEnvironment, isOn } from './auth-type.js';

/** False where an administrator or the environment of this run asks for the Google sign-in. */
export function mayReplaceGoogle({ env, selectedType, enforcedType }: AuthChoice): boolean {
  return selectedType === 'oauth-personal' && !enforcedType && !isOn(env['GOOGLE_GENAI_USE_GCA']);
}

/** Another way to reach Google's models with what is set or saved here. */
export async function typeInsteadOfGoogle(
  choice: AuthChoice,
  secrets = new SecretStore(choice),
): Promise<AuthType | undefined> {
  if (!mayReplaceGoogle(choice)) return undefined;
  const fromEnvironment = authTypeFromEnvironment(choice.env);
  if (fromEnvironment) return fromEnvironment;
  return (await findApiKey({ env: choice.env, secrets })) ? 'gemini-api-key' : undefined;
}

const NO_CREDENTIALS =
  'The settings choose the Google sign-in (oauth-personal), which has no credentials here';

/** @param used `GEMINI_API_KEY` */
export function replacedNotice(used: string): string {
  return `${NO_CREDENTIALS}; using ${used}. Change security.auth.selectedType in settings.json, or use /auth.`;
}

/** The settings' choice explains a failed sign-in; `error` says what can be done. */
export function explained(error: unknown, choice: AuthChoice): unknown {
  if (!(error instanceof FatalAuthenticationError) || !mayReplaceGoogle(choice)) return error;
  const why = `${NO_CREDENTIALS}. Google no longer offers it to individuals.`;
  return new FatalAuthenticationError(`${why} ${error.message}`, error);
}

/** Where the credentials of a replacement come from, in words. */
export function sourceOfReplacement(type: AuthType, env: NodeJS.ProcessEnv): string {
  switch (type) {
    case 'gemini-api-key':
      return env['GEMINI_API_KEY']?.trim() ? 'GEMINI_API_KEY' : 'the saved API key';
    case 'vertex-ai':
      return 'Vertex AI (GOOGLE_GENAI_USE_VERTEXAI)';
    case 'gateway':
      return 'the gateway in GOOGLE_GEMINI_BASE_URL';
    default:
      return 'the credentials of this machine';
  }
}
