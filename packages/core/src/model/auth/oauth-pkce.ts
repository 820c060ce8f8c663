/** Sign-in without a browser on this machine: the user opens the address elsewhere and pastes the code. */
import { FatalAuthenticationError } from '../../base/errors.js';
import { newAttempt } from '../../platform/oauth/pkce.js';
import type { AuthContext, SignInPrompts } from './context.js';
import { authorizeUrl, exchangeCode, type OAuthClient, OAuthRefusal } from './oauth-client.js';
import type { GoogleTokens } from './token-format.js';

const TRIES = 2;

export async function signInByCode(
  context: AuthContext,
  client: OAuthClient,
  prompts: SignInPrompts,
  signal: AbortSignal,
): Promise<GoogleTokens> {
  const attempt = await newAttempt();
  const redirectUri = context.endpoints.manualRedirect;
  const url = authorizeUrl(context, client, attempt, redirectUri);
  prompts.showUrl(url);
  let problem: string | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    const pasted = await prompts.askCode(url, problem, signal);
    signal.throwIfAborted();
    if (pasted === undefined) throw new FatalAuthenticationError('The sign-in with Google was given up.');
    const code = codeIn(pasted, attempt.state);
    if (!code) {
      problem = 'That is not the code of this sign-in.';
      continue;
    }
    try {
      return await exchangeCode({ ...context, signal }, client, {
        code,
        verifier: attempt.verifier,
        redirectUri,
      });
    } catch (error) {
      if (!(error instanceof OAuthRefusal)) throw error;
      problem = `Google did not accept the code (${error.message}).`;
    }
  }
  throw new FatalAuthenticationError(`The sign-in with Google failed. ${problem}`);
}

/** The code alone, or the whole address of the page that shows it. Undefined: neither. */
function codeIn(pasted: string, state: string): string | undefined {
  const text = pasted.trim();
  if (!/^https?:\/\//.test(text)) return /^[\w./~%+=-]{1,1024}$/.test(text) ? text : undefined;
  const given = URL.canParse(text) ? new URL(text).searchParams : undefined;
  const hasForeignState = given?.has('state') === true && given.get('state') !== state;
  return hasForeignState ? undefined : (given?.get('code') ?? undefined);
}
