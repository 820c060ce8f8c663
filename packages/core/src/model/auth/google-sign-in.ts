/** Asks the user to sign in with Google, in the browser or by code. */

import { FatalAuthenticationError, messageOf } from '../../base/errors.js';
import { createLog } from '../../platform/log.js';
import { LoopbackReceiver } from '../../platform/oauth/loopback-receiver.js';
import { OAuthError } from '../../platform/oauth/oauth-error.js';
import { newAttempt } from '../../platform/oauth/pkce.js';
import { setActiveAccount } from './accounts.js';
import { isOn } from './auth-type.js';
import type { AuthContext, SignInPrompts } from './context.js';
import {
  authorizeUrl,
  exchangeCode,
  fetchEmail,
  type OAuthClient,
  OAuthRefusal,
  oauthClientFrom,
} from './oauth-client.js';
import { signInByCode } from './oauth-pkce.js';
import type { GoogleTokens } from './token-format.js';
import { TokenStore } from './token-store.js';

const log = createLog('auth');
const TIMEOUT_MS = 5 * 60_000;

/**
 * Gets and saves new tokens; the account becomes the active one.
 * @param problems why earlier tokens could not be used
 */
export async function signInWithGoogle(
  context: AuthContext,
  problems: readonly string[] = [],
): Promise<GoogleTokens> {
  const client = oauthClientFrom(context.env);
  if (!client) throw clientMissing();
  const { prompts } = context;
  if (!prompts) throw browserNeeded(problems);
  const byCode = needsCode(context.env);
  if (!byCode && !(await prompts.confirm())) {
    throw new FatalAuthenticationError('The sign-in with Google was given up.');
  }
  const tokens = await withTimeout(context, (signal) =>
    byCode
      ? signInByCode(context, client, prompts, signal)
      : signInByBrowser(context, client, prompts, signal),
  );
  await keepTokens(context, tokens, prompts);
  await rememberAccount(context, tokens);
  return tokens;
}

/** Whether a browser on this machine can be opened and can reach us. */
export function needsCode(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): boolean {
  if (isOn(env['NO_BROWSER'])) return true;
  if (platform !== 'linux') return Boolean(env['SSH_CONNECTION']);
  const hasScreen = env['DISPLAY'] || env['WAYLAND_DISPLAY'] || env['WSL_DISTRO_NAME'];
  return !hasScreen;
}

export function clientMissing(): FatalAuthenticationError {
  return new FatalAuthenticationError(
    'Signing in with Google needs an OAuth client of your own: set GEMINI_OAUTH_CLIENT_ID and ' +
      'GEMINI_OAUTH_CLIENT_SECRET. Simpler: set GEMINI_API_KEY (https://aistudio.google.com/apikey).',
  );
}

function browserNeeded(problems: readonly string[]): FatalAuthenticationError {
  return new FatalAuthenticationError(
    `${problems.map((problem) => `${problem} `).join('')}Signing in with Google needs a browser and a user, ` +
      'which this run has not. Run "gemini" in a ' +
      'terminal and sign in there once, or set GEMINI_API_KEY or GOOGLE_APPLICATION_CREDENTIALS. ' +
      'Without an account: --model offline.',
  );
}

async function signInByBrowser(
  context: AuthContext,
  client: OAuthClient,
  prompts: SignInPrompts,
  signal: AbortSignal,
): Promise<GoogleTokens> {
  const attempt = await newAttempt();
  const receiver = await listenForGoogle(context.env, attempt.state);
  try {
    const { redirectUri } = receiver;
    const url = authorizeUrl(context, client, attempt, redirectUri);
    prompts.showUrl(url);
    // Not awaited: some browsers return only when they are closed.
    prompts.openBrowser(url).then(
      (opened) => opened || log.warn('no browser could be started'),
      (error: unknown) => log.warn('no browser could be started', error),
    );
    const code = await abortable(receiver.code(), signal);
    return await exchangeCode({ ...context, signal }, client, {
      code,
      verifier: attempt.verifier,
      redirectUri,
    });
  } catch (error) {
    if (error instanceof OAuthError) throw new FatalAuthenticationError(error.message, error);
    if (!(error instanceof OAuthRefusal)) throw error;
    throw new FatalAuthenticationError(`Google did not accept the sign-in (${error.message}).`, error);
  } finally {
    receiver.close();
  }
}

async function listenForGoogle(env: NodeJS.ProcessEnv, state: string): Promise<LoopbackReceiver> {
  try {
    return await LoopbackReceiver.listen(env, { service: 'Google', path: '/oauth2callback', state });
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    throw new FatalAuthenticationError(error.message, error.cause);
  }
}

/** A read-only home must not undo the sign-in. */
async function keepTokens(context: AuthContext, tokens: GoogleTokens, prompts: SignInPrompts): Promise<void> {
  try {
    await new TokenStore(context.env, context.secrets).save(tokens);
  } catch (error) {
    prompts.warn(`You are signed in for this session only. ${messageOf(error)}`);
  }
}

/** The account name is optional; tokens work without it. */
async function rememberAccount(context: AuthContext, tokens: GoogleTokens): Promise<void> {
  try {
    const email = await fetchEmail(context, tokens.access_token ?? '');
    if (email) setActiveAccount(context.env, email);
  } catch (error) {
    log.warn('account name not known', error);
  }
}

/** Also cancels when the caller does. */
async function withTimeout<T>(
  { clock, signal }: Pick<AuthContext, 'clock' | 'signal'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const late = new FatalAuthenticationError(
    `The sign-in with Google was not completed within ${TIMEOUT_MS / 60_000} minutes. Start it again.`,
  );
  const both = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  const finished = new AbortController();
  const limit = clock.sleep(TIMEOUT_MS, AbortSignal.any([both, finished.signal])).then(() => {
    if (!finished.signal.aborted) over.abort(late);
  });
  try {
    return await abortable(work(both), both);
  } finally {
    finished.abort();
    await limit;
  }
}

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
