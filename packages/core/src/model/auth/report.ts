/** The state of the sign-in, for `doctor` and `/about`; asks no server. */
import { messageOf } from '../../base/errors.js';
import { systemClock } from '../../platform/clock.js';
import { SecretStore, type StorageState } from '../../platform/secrets/secret-store.js';
import { readAccounts } from './accounts.js';
import { findApiKey } from './api-key.js';
import {
  type AuthChoice,
  type AuthType,
  chooseAuthType,
  isGoogleSignInConfigured,
  noAuthError,
} from './auth-type.js';
import { clientMissing } from './google-sign-in.js';
import { typeInsteadOfGoogle } from './instead-of-google.js';
import { TokenStore } from './token-store.js';
import { requireVertexVariables } from './vertex.js';

export interface AuthReport {
  type: AuthType | undefined;
  /** Where the credentials come from, in words; absent without any. */
  source?: string;
  /** E-mail of the Google account. */
  account?: string;
  problems: string[];
  /** Where secrets are saved. */
  storage: StorageState;
}

export async function reportAuth(choice: AuthChoice, secrets = new SecretStore(choice)): Promise<AuthReport> {
  const report: AuthReport = { type: undefined, problems: [], storage: await secrets.describe() };
  try {
    report.type = chooseAuthType(choice);
    if (!report.type) throw noAuthError(choice.env);
    report.source = await sourceOf(report.type, choice.env, secrets, report);
    if (report.type === 'oauth-personal' && report.problems.length > 0)
      await replaceGoogle(choice, secrets, report);
  } catch (error) {
    report.problems.push(messageOf(error));
  }
  report.problems.push(...secrets.problems);
  return report;
}

/** As at the start of a session: a key that is there takes the place of the Google sign-in. */
async function replaceGoogle(choice: AuthChoice, secrets: SecretStore, report: AuthReport): Promise<void> {
  const type = await typeInsteadOfGoogle(choice, secrets);
  if (!type) return;
  report.type = type;
  report.problems.length = 0;
  const source = await sourceOf(type, choice.env, secrets, report);
  report.source = `${source} (instead of the Google sign-in, which has no credentials)`;
}

async function sourceOf(
  type: AuthType,
  env: NodeJS.ProcessEnv,
  secrets: SecretStore,
  report: AuthReport,
): Promise<string | undefined> {
  switch (type) {
    case 'gemini-api-key':
      return apiKeySource(env, secrets, report);
    case 'gateway':
      return env['GOOGLE_GEMINI_BASE_URL']?.trim() ? 'GOOGLE_GEMINI_BASE_URL' : undefined;
    case 'vertex-ai':
      return vertexSource(env);
    case 'compute-default-credentials':
      return 'metadata server';
    case 'oauth-personal':
      return googleSource(env, secrets, report);
  }
}

async function apiKeySource(
  env: NodeJS.ProcessEnv,
  secrets: SecretStore,
  report: AuthReport,
): Promise<string | undefined> {
  const found = await findApiKey({ env, secrets });
  if (!found) report.problems.push('There is no API key: set GEMINI_API_KEY, or save one with /auth.');
  return found && (found.source === 'environment' ? 'GEMINI_API_KEY' : `saved key (${found.source})`);
}

async function vertexSource(env: NodeJS.ProcessEnv): Promise<string> {
  requireVertexVariables(env);
  if (env['GOOGLE_API_KEY']?.trim()) return 'GOOGLE_API_KEY';
  const { credentialFilePath } = await import('./credential-file.js');
  return credentialFilePath(env) ?? 'metadata server';
}

async function googleSource(
  env: NodeJS.ProcessEnv,
  secrets: SecretStore,
  report: AuthReport,
): Promise<string | undefined> {
  if (env['GOOGLE_CLOUD_ACCESS_TOKEN']?.trim()) return 'GOOGLE_CLOUD_ACCESS_TOKEN';
  const store = new TokenStore(env, secrets);
  const tokens = await store.load();
  report.problems.push(...store.problems.filter((problem) => !secrets.problems.includes(problem)));
  if (tokens) {
    report.account = readAccounts(env).active ?? undefined;
    const isExpired = (tokens.expiry_date ?? Number.POSITIVE_INFINITY) < systemClock.now();
    if (isExpired && !isGoogleSignInConfigured(env)) report.problems.push(clientMissing().message);
    return 'saved Google sign-in';
  }
  const file = env['GOOGLE_APPLICATION_CREDENTIALS']?.trim();
  if (file) return file;
  report.problems.push(
    isGoogleSignInConfigured(env)
      ? 'You are not signed in: run "gemini" and sign in with /auth.'
      : clientMissing().message,
  );
  return undefined;
}
