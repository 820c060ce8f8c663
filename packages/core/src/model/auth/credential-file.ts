/** Credentials from a file (application default credentials): service account, user, and other kinds. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FatalAuthenticationError, messageOf, UserError } from '../../base/errors.js';
import { homeOf } from '../../platform/environment.js';
import { readSmallFile } from '../../platform/files/private-file.js';
import { isLoopback } from '../../platform/net/auth-http.js';
import { type AccessToken, bearerAuthorizer, CachedToken } from './access-token.js';
import type { AuthType } from './auth-type.js';
import type { AuthContext, Authorizer } from './context.js';
import { askToken, OAuthRefusal, refreshTokens } from './oauth-client.js';
import { signedAssertion, type WantedToken } from './service-account.js';

const SCOPES = ['https://www.googleapis.com/auth/cloud-platform'];

export type CredentialFile = Record<string, unknown>;

/** The configured file, else the one gcloud wrote; undefined without any. */
export function credentialFilePath(env: NodeJS.ProcessEnv): string | undefined {
  const named = env['GOOGLE_APPLICATION_CREDENTIALS']?.trim();
  if (named) return named;
  const fromGcloud = join(gcloudFolder(env), 'application_default_credentials.json');
  return existsSync(fromGcloud) ? fromGcloud : undefined;
}

export async function createCredentialFileAuthorizer(
  type: AuthType,
  context: AuthContext,
): Promise<Authorizer> {
  const path = credentialFilePath(context.env) ?? '';
  const file = readCredentialFile(path, context.env);
  const token = new CachedToken(() => obtain(file, path, context), context.clock);
  // Now, not with the first request: a useless file is reported at once.
  await token.get();
  const quotaProject = context.env['GOOGLE_CLOUD_QUOTA_PROJECT']?.trim() || textAt(file, 'quota_project_id');
  return bearerAuthorizer(type, token, context, quotaProject ? { 'x-goog-user-project': quotaProject } : {});
}

async function obtain(file: CredentialFile, path: string, context: AuthContext): Promise<AccessToken> {
  try {
    return await tokenFor(file, context);
  } catch (error) {
    context.signal?.throwIfAborted();
    // An unreachable server may be back soon: the caller retries.
    if (!(error instanceof OAuthRefusal || error instanceof CredentialProblem)) throw error;
    throw new FatalAuthenticationError(`The credentials in ${path} do not work: ${error.message}.`, error);
  }
}

async function tokenFor(file: CredentialFile, context: AuthContext): Promise<AccessToken> {
  const { scopes = SCOPES } = context;
  if (file['type'] === 'service_account') {
    return toAccessToken(
      await askToken(context, await assertionGrant(file, { scope: scopes.join(' ') }, context)),
    );
  }
  if (file['type'] === 'authorized_user') {
    const client = { clientId: required(file, 'client_id'), clientSecret: required(file, 'client_secret') };
    return toAccessToken(
      await refreshTokens(context, client, { refresh_token: required(file, 'refresh_token') }),
    );
  }
  return tokenFromLibrary(file, scopes);
}

/** The form that a service account sends for a token. */
export async function assertionGrant(
  file: CredentialFile,
  wanted: WantedToken,
  { endpoints, clock }: Pick<AuthContext, 'endpoints' | 'clock'>,
): Promise<Record<string, string>> {
  const account = {
    email: required(file, 'client_email'),
    key: required(file, 'private_key'),
    keyId: textAt(file, 'private_key_id'),
  };
  const claims = { audience: endpoints.token, now: clock.now(), ...wanted };
  const assertion = await signedAssertion(account, claims).catch((error: unknown) => {
    throw new CredentialProblem(`"private_key" is not a usable key (${messageOf(error)})`);
  });
  return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
}

/** Rarer kinds (workload identity, impersonation, …) have their own protocols, which the library implements. */
async function tokenFromLibrary(file: CredentialFile, scopes: readonly string[]): Promise<AccessToken> {
  requireGoogleAddresses(file);
  // A CommonJS package: the bundle has only its default export.
  const { GoogleAuth } = (await import('google-auth-library')).default;
  try {
    const client = new GoogleAuth({ scopes: [...scopes] }).fromJSON(file);
    const { token } = await client.getAccessToken();
    if (!token) throw new Error('no token came back');
    return { token, expiresAt: client.credentials.expiry_date ?? undefined };
  } catch (error) {
    // Not as a cause: the library's errors hold the whole request, secrets included.
    throw new CredentialProblem(messageOf(error));
  }
}

/** Fields that say where the library sends secrets. It also reads each name in camel case. */
const ADDRESSES = [
  'token_url',
  'token_info_url',
  'service_account_impersonation_url',
  'revoke_url',
  'cloud_resource_manager_url',
  'endpoint',
];

/**
 * Such a file names a secret to read and where to send it. One that came with a project could send anything
 * anywhere, so only Google's addresses are allowed.
 */
export function requireGoogleAddresses(file: CredentialFile): void {
  for (const name of ADDRESSES.flatMap((snake) => [snake, camelCased(snake)])) {
    const text = textAt(file, name);
    const url = text && URL.canParse(text) ? new URL(text) : undefined;
    const isGoogle = url?.protocol === 'https:' && /(^|\.)googleapis\.com$/.test(url.hostname);
    if (text && !isGoogle && !(url && isLoopback(url))) {
      throw new CredentialProblem(`"${name}" does not lead to googleapis.com`);
    }
  }
  // The library derives missing addresses from it.
  for (const name of ['universe_domain', 'universeDomain']) {
    if ((textAt(file, name) ?? 'googleapis.com') !== 'googleapis.com') {
      throw new CredentialProblem(`"${name}" is not googleapis.com`);
    }
  }
  const inner = file['source_credentials'];
  if (typeof inner === 'object' && inner !== null) requireGoogleAddresses({ ...inner });
}

function camelCased(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function readCredentialFile(path: string, env: NodeJS.ProcessEnv): CredentialFile {
  const origin = env['GOOGLE_APPLICATION_CREDENTIALS']?.trim() ? ' (GOOGLE_APPLICATION_CREDENTIALS)' : '';
  const fail = (reason: string) =>
    new FatalAuthenticationError(`The credentials file ${path}${origin} ${reason}.`);
  let text: string | undefined;
  try {
    text = readSmallFile(path)?.text;
  } catch (error) {
    throw fail(`cannot be read: ${messageOf(error)}`);
  }
  if (text === undefined) throw fail('does not exist');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'type' in value) return { ...value };
  } catch {
    throw fail('is not JSON');
  }
  throw fail('is not a credentials file: it has no "type"');
}

function gcloudFolder(env: NodeJS.ProcessEnv): string {
  const configured = env['CLOUDSDK_CONFIG']?.trim();
  if (configured) return configured;
  return process.platform === 'win32'
    ? join(env['APPDATA'] ?? '', 'gcloud')
    : join(homeOf(env), '.config', 'gcloud');
}

export class CredentialProblem extends UserError {
  override readonly name = 'CredentialProblem';
  override readonly code = 'credential_file';
}

export function required(file: CredentialFile, name: string): string {
  const value = textAt(file, name);
  if (!value) throw new CredentialProblem(`"${name}" is missing`);
  return value;
}

function textAt(file: CredentialFile, name: string): string | undefined {
  const value = file[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function toAccessToken(tokens: { access_token?: string; expiry_date?: number }): AccessToken {
  return { token: tokens.access_token ?? '', expiresAt: tokens.expiry_date };
}
