/**
 * Asks the user to sign in: PKCE, with a browser that is redirected to this machine, or by a pasted code. Several
 * sign-ins may run at once; those that need the same port wait for each other.
 */
import type { Clock } from '../clock.js';
import type { Variables } from '../environment.js';
import { createLog } from '../log.js';
import { type AuthHttp, isLoopback } from '../net/auth-http.js';
import { TimeLimitError, withTimeLimit } from '../time-limit.js';
import { callbackPort, LoopbackReceiver } from './loopback-receiver.js';
import { OAuthError } from './oauth-error.js';
import { codeIn, type ExpectedRedirect } from './pasted-code.js';
import { authorizationUrl, newAttempt, type SignInAttempt } from './pkce.js';
import { registerClient } from './register-client.js';
import { exchangeCode } from './token-endpoint.js';
import type { OAuthClient, OAuthPrompts, OAuthRequest, OAuthTokens } from './types.js';

export interface SignInParts {
  http: AuthHttp;
  env: Variables;
  clock: Clock;
  /** Undefined: the user cannot be asked now. */
  prompts: () => OAuthPrompts | undefined;
  /** What a newly registered client is called. */
  clientName: string;
  timeoutMs?: number;
}

export interface SignedIn {
  tokens: OAuthTokens;
  client: OAuthClient;
  redirectUri: string;
}

const log = createLog('oauth');
const TIMEOUT_MS = 5 * 60_000;
const CALLBACK_PATH = '/oauth/callback';
const PASTE_TRIES = 3;

export class OAuthSignIn {
  /** The last sign-in of each port. */
  private readonly ports = new Map<number, Promise<unknown>>();

  constructor(private readonly parts: SignInParts) {}

  /** @throws OAuthError; the signal's reason when it aborts */
  async run(request: OAuthRequest, signal: AbortSignal): Promise<SignedIn> {
    const { timeoutMs = TIMEOUT_MS } = this.parts;
    const prompts = this.parts.prompts();
    const { service } = request;
    if (!prompts) {
      throw new OAuthError(
        'user_needed',
        `${service} needs a sign-in in the browser. Run gemini in a terminal and use it there once.`,
      );
    }
    if (!(await prompts.confirm(service, signInHost(request.server), signal))) {
      throw new OAuthError('declined', `The sign-in for ${service} was declined.`);
    }
    return this.onPort(this.portOf(request), async (port) => {
      try {
        return await withTimeLimit(timeoutMs, signal, (limited) =>
          this.attempt(request, port, prompts, limited),
        );
      } catch (error) {
        if (!(error instanceof TimeLimitError)) throw error;
        const minutes = Math.ceil(timeoutMs / 60_000);
        throw new OAuthError('late', `The sign-in for ${service} was not completed within ${minutes} min.`);
      }
    });
  }

  private async attempt(
    request: OAuthRequest,
    port: number | undefined,
    prompts: OAuthPrompts,
    signal: AbortSignal,
  ): Promise<SignedIn> {
    const attempt = await newAttempt();
    const reused = await this.listenAgain(request, attempt);
    const receiver = reused ?? (port === undefined ? undefined : await this.listen(request, attempt, port));
    try {
      const redirectUri = request.redirectUri ?? receiver?.redirectUri ?? '';
      const known = request.client ?? (reused && request.registered?.client);
      const client = known ?? (await this.register(request, redirectUri, signal));
      const url = authorizationUrl(request, client, attempt, redirectUri);
      prompts.showUrl(request.service, url);
      const code = await this.codeFor(request, attempt, { url, receiver, prompts }, signal);
      const grant = { code, verifier: attempt.verifier, redirectUri };
      const tokens = await exchangeCode({ ...this.parts, signal }, request, client, grant);
      return { tokens, client, redirectUri };
    } finally {
      receiver?.close();
    }
  }

  /** From the browser, or pasted when no browser could be opened or it cannot reach us: whichever is first. */
  private async codeFor(
    { service, server: { issuer } }: OAuthRequest,
    { state }: SignInAttempt,
    ways: { url: string; receiver: LoopbackReceiver | undefined; prompts: OAuthPrompts },
    signal: AbortSignal,
  ): Promise<string> {
    const { url, receiver, prompts } = ways;
    const done = new AbortController();
    const stop = () => done.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const stopped = new Promise<never>((_, reject) =>
      done.signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
    );
    stopped.catch(() => {});
    // Some browsers return only when they are closed: it is not waited for.
    const pasted = prompts
      .openBrowser(url)
      .catch((error: unknown) => void log.warn('no browser could be started', error))
      .then((opened) =>
        opened && receiver
          ? new Promise<never>(() => {})
          : pastedCode(service, { state, issuer }, prompts, done.signal),
      );
    try {
      signal.throwIfAborted();
      return await Promise.race([stopped, pasted, ...(receiver ? [receiver.code()] : [])]);
    } finally {
      signal.removeEventListener('abort', stop);
      done.abort();
      pasted.catch(() => {});
    }
  }

  /** On the port of a client registered earlier: many servers accept that redirect URI only. */
  private async listenAgain(
    request: OAuthRequest,
    attempt: SignInAttempt,
  ): Promise<LoopbackReceiver | undefined> {
    const { registered, client, redirectUri } = request;
    if (client || redirectUri || !registered || !URL.canParse(registered.redirectUri)) return undefined;
    const port = Number(new URL(registered.redirectUri).port);
    const wanted = callbackPort(this.parts.env);
    if (!port || (wanted && wanted !== port)) return undefined;
    try {
      return await this.listen(request, attempt, port);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      return undefined;
    }
  }

  private listen(
    { service, redirectUri, server: { issuer } }: OAuthRequest,
    { state }: SignInAttempt,
    port: number,
  ): Promise<LoopbackReceiver> {
    const configured = redirectUri ? new URL(redirectUri) : undefined;
    return LoopbackReceiver.listen(this.parts.env, {
      service,
      state,
      port,
      issuer,
      path: configured?.pathname ?? CALLBACK_PATH,
      visibleHost: configured?.hostname ?? 'localhost',
    });
  }

  private register(
    { service, server: { registrationUrl, authorizationUrl }, clientSetting }: OAuthRequest,
    redirectUri: string,
    signal: AbortSignal,
  ): Promise<OAuthClient> {
    const { http, clientName } = this.parts;
    if (!registrationUrl) {
      const { host } = new URL(authorizationUrl);
      const remedy = clientSetting ? ` Create one there and set ${clientSetting}.` : '';
      throw new OAuthError('settings', `${service}: ${host} needs a client id to sign in.${remedy}`);
    }
    return registerClient(http, { registrationUrl, clientName, redirectUri }, signal);
  }

  /** 0: any port. Undefined: the browser does not come back to this machine. */
  private portOf({ redirectUri }: OAuthRequest): number | undefined {
    if (!redirectUri) return callbackPort(this.parts.env);
    const url = URL.canParse(redirectUri) ? new URL(redirectUri) : undefined;
    if (!url) throw new OAuthError('settings', `The redirect URI ${redirectUri} is not an address.`);
    return url.protocol === 'http:' && isLoopback(url) ? Number(url.port || 80) : undefined;
  }

  private async onPort<T>(
    port: number | undefined,
    work: (port: number | undefined) => Promise<T>,
  ): Promise<T> {
    if (!port) return work(port);
    const before = this.ports.get(port) ?? Promise.resolve();
    const run = before.then(
      () => work(port),
      () => work(port),
    );
    this.ports.set(port, run);
    return run;
  }
}

/** Both, where the server that gets the code is another one: the user decides whether they belong together. */
function signInHost({ authorizationUrl, tokenUrl }: OAuthRequest['server']): string {
  const [{ host }, tokens] = [new URL(authorizationUrl), new URL(tokenUrl)];
  return host === tokens.host ? host : `${host} (with tokens from ${tokens.host})`;
}

async function pastedCode(
  service: string,
  expected: ExpectedRedirect,
  prompts: OAuthPrompts,
  signal: AbortSignal,
): Promise<string> {
  let problem: string | undefined;
  for (let tries = 0; tries < PASTE_TRIES; tries++) {
    const pasted = await prompts.askCode(service, problem, signal);
    if (pasted === undefined) break;
    const code = codeIn(pasted, expected);
    if (code) return code;
    problem = 'That is not the code of this sign-in.';
  }
  throw new OAuthError('declined', `The sign-in for ${service} was cancelled.`);
}
