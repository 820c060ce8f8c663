import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.js';
import { AuthHttp } from '../net/auth-http.js';
import {
  type OidcServer,
  PUBLIC_CLIENT,
  SECRET_CLIENT,
  signInInBrowser,
  startOidcServer,
} from './oidc-server.test-helper.js';
import { discoverServer } from './server-metadata.js';
import { OAuthSignIn } from './sign-in.js';
import type { OAuthPrompts, OAuthRequest } from './types.js';

const never = new AbortController().signal;
let http: AuthHttp;
let server: OidcServer;

beforeEach(async () => {
  http = new AuthHttp();
  server = await startOidcServer();
});
afterEach(async () => {
  http.close();
  await server.close();
});

/** A user whose browser opens and signs in. */
function browserUser(shown: string[] = []): OAuthPrompts {
  return {
    confirm: async (service, host) => {
      shown.push(`${service} at ${host}`);
      return true;
    },
    showUrl: (_service, url) => shown.push(url),
    openBrowser: async (url) => {
      void signInInBrowser(url);
      return true;
    },
    askCode: async () => {
      throw new Error('The browser is open, no code is needed.');
    },
  };
}

function signInWith(prompts: OAuthPrompts | undefined, rest: { env?: object; timeoutMs?: number } = {}) {
  const { env = {}, timeoutMs } = rest;
  const parts = {
    http,
    env: { ...env },
    clock: systemClock,
    prompts: () => prompts,
    clientName: 'A test',
    timeoutMs,
  };
  return new OAuthSignIn(parts);
}

async function requestFor(rest: Partial<OAuthRequest> = {}): Promise<OAuthRequest> {
  const found = await discoverServer(http, server.issuer);
  return { service: 'the reviewer', server: found, client: PUBLIC_CLIENT, scopes: ['openid'], ...rest };
}

describe('a sign-in with PKCE', () => {
  it('brings tokens to a public client by way of the browser, and says where the user signs in', async () => {
    const shown: string[] = [];
    const { tokens } = await signInWith(browserUser(shown)).run(await requestFor(), never);

    expect(tokens).toMatchObject({ accessToken: expect.any(String), refreshToken: expect.any(String) });
    expect(tokens.expiresAt).toBeGreaterThan(Date.now() + 3_000_000);
    expect(shown[0]).toBe(`the reviewer at ${new URL(server.issuer).host}`);
    expect(shown[1]).toContain('code_challenge_method=S256');
    expect(server.exchanges.at(-1)?.get('client_id')).toBe('public-client');
  });

  it('sends the secret of a client by the method that the server knows', async () => {
    server.refuses = 'secret-in-form';
    const request = await requestFor({ client: SECRET_CLIENT });
    const { tokenAuthMethods: _, ...silent } = request.server;

    const { tokens } = await signInWith(browserUser()).run({ ...request, server: silent }, never);
    expect(tokens.accessToken).toBeTruthy();
    // First in the form, then in the header.
    expect(server.exchanges.map((form) => form.has('client_secret'))).toEqual([true, false]);
  });

  it('registers a client where none is configured', async () => {
    const { client, tokens } = await signInWith(browserUser()).run(
      await requestFor({ client: undefined }),
      never,
    );
    expect(client.clientId).not.toBe('public-client');
    expect(tokens.accessToken).toBeTruthy();
  });

  it('asks for a client id where the server registers none', async () => {
    const request = await requestFor({ client: undefined });
    const { registrationUrl: _, ...closed } = request.server;
    await expect(signInWith(browserUser()).run({ ...request, server: closed }, never)).rejects.toMatchObject({
      code: 'oauth_settings',
    });
  });

  it('takes the pasted address where no browser opens, after a wrong one', async () => {
    const asked: (string | undefined)[] = [];
    let url = '';
    const prompts: OAuthPrompts = {
      ...browserUser(),
      showUrl: (_service, shown) => {
        url = shown;
      },
      openBrowser: async () => false,
      askCode: async (_service, problem) => {
        asked.push(problem);
        if (!problem) return 'https://evil.example/?code=x&state=y';
        return signInInBrowser(url, { stopAt: 'http://localhost:' });
      },
    };
    const { tokens } = await signInWith(prompts).run(await requestFor(), never);
    expect(tokens.accessToken).toBeTruthy();
    expect(asked).toEqual([undefined, 'That is not the code of this sign-in.']);
  });

  it('withdraws the question for a code when the browser brings it first', async () => {
    let withdrawn = false;
    let url = '';
    const prompts: OAuthPrompts = {
      ...browserUser(),
      showUrl: (_service, shown) => {
        url = shown;
      },
      openBrowser: async () => false,
      askCode: (_service, _problem, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            withdrawn = true;
            resolve(undefined);
          });
          void signInInBrowser(url);
        }),
    };
    const { tokens } = await signInWith(prompts).run(await requestFor(), never);
    expect(tokens.accessToken).toBeTruthy();
    expect(withdrawn).toBe(true);
  });

  it('runs several at once, each with its own state, and one after another on a fixed port', async () => {
    const free = await freePort();
    const signIn = signInWith(browserUser(), { env: { OAUTH_CALLBACK_PORT: String(free) } });
    const request = await requestFor();
    const both = await Promise.all([signIn.run(request, never), signIn.run(request, never)]);
    const other = signInWith(browserUser());
    const more = await Promise.all([other.run(request, never), other.run(request, never)]);
    const tokens = [...both, ...more].map(({ tokens: { accessToken } }) => accessToken);
    expect(new Set(tokens).size).toBe(4);
  });

  it('ends when the user declines, when there is no user, when it takes too long, and when it is aborted', async () => {
    const request = await requestFor();
    const declined = { ...browserUser(), confirm: async () => false };
    await expect(signInWith(declined).run(request, never)).rejects.toMatchObject({ problem: 'declined' });
    await expect(signInWith(undefined).run(request, never)).rejects.toMatchObject({ problem: 'user_needed' });

    const idle = { ...browserUser(), openBrowser: async () => true };
    await expect(signInWith(idle, { timeoutMs: 50 }).run(request, never)).rejects.toMatchObject({
      problem: 'late',
    });
    const abort = new AbortController();
    const running = signInWith({
      ...idle,
      showUrl: () => abort.abort(new Error('stopped by the user')),
    }).run(request, abort.signal);
    await expect(running).rejects.toThrow('stopped by the user');
  });

  it('says what the server refused, without control characters of its text', async () => {
    server.refuses = 'all';
    const refused = signInWith(browserUser()).run(await requestFor(), never);
    await expect(refused).rejects.toMatchObject({ problem: 'refused' });
    await expect(refused).rejects.toThrow('invalid_grant, revoked?[2J');
  });
});

describe('a redirect that does not belong to the sign-in', () => {
  it.each([
    ['of another sign-in', { state: 'of-another', iss: '' }],
    ['of another server', { state: '', iss: 'https://evil.example' }],
    ['without a state', { state: undefined, iss: '' }],
  ])('is refused: one %s', async (_name, { state, iss }) => {
    let refused: number | undefined;
    const prompts: OAuthPrompts = {
      ...browserUser(),
      openBrowser: async (url) => {
        const asked = new URL(url).searchParams;
        const foreign = new URL(asked.get('redirect_uri') ?? '');
        foreign.searchParams.set('code', 'of-an-attacker');
        if (state !== undefined) foreign.searchParams.set('state', state || (asked.get('state') ?? ''));
        foreign.searchParams.set('iss', iss || server.issuer);
        refused = (await fetch(foreign)).status;
        // The right one still arrives.
        void signInInBrowser(url);
        return true;
      },
    };
    const { tokens } = await signInWith(prompts).run(await requestFor(), never);
    expect(refused).toBe(400);
    expect(tokens.accessToken).toBeTruthy();
    expect(server.exchanges.map((form) => form.get('code'))).not.toContain('of-an-attacker');
  });

  it('is refused when it is pasted', async () => {
    const problems: (string | undefined)[] = [];
    const prompts: OAuthPrompts = {
      ...browserUser(),
      openBrowser: async () => false,
      askCode: async (_service, problem) => {
        problems.push(problem);
        return problem ? undefined : 'http://localhost/oauth/callback?code=x&iss=https%3A%2F%2Fevil.example';
      },
    };
    const signIn = signInWith(prompts).run(await requestFor(), never);
    await expect(signIn).rejects.toMatchObject({ problem: 'declined' });
    expect(problems).toEqual([undefined, 'That is not the code of this sign-in.']);
  });
});

describe('the address for the browser', () => {
  it('keeps our parameters where the server has its own of the same name, and names both servers', async () => {
    const shown: string[] = [];
    const request = await requestFor();
    const trap = new URL(request.server.authorizationUrl);
    for (const name of ['redirect_uri', 'state', 'code_challenge', 'client_id', 'response_type'])
      trap.searchParams.append(name, 'https://evil.example');
    trap.searchParams.append('kept', 'yes');
    const server = { ...request.server, authorizationUrl: trap.href, tokenUrl: 'http://localhost:9/token' };
    const running = signInWith(browserUser(shown)).run({ ...request, server }, never);
    await expect(running).rejects.toMatchObject({ code: 'unreachable' });
    expect(shown[1]).not.toContain('evil');
    expect(shown[1]).toContain('kept=yes');
    expect(shown[0]).toBe(`the reviewer at ${trap.host} (with tokens from localhost:9)`);
  });
});

describe('a client that was registered earlier', () => {
  it('is used on its port, and not where that port is taken', async () => {
    const request = await requestFor({ client: undefined });
    const { client, redirectUri } = await signInWith(browserUser()).run(request, never);
    const registered = { client, redirectUri };
    const again = await signInWith(browserUser()).run({ ...request, registered }, never);
    expect(again).toMatchObject(registered);

    const taken = createServer();
    await new Promise<void>((resolve) =>
      taken.listen(Number(new URL(redirectUri).port), '127.0.0.1', resolve),
    );
    const other = await signInWith(browserUser()).run({ ...request, registered }, never);
    expect(other.client.clientId).not.toBe(client.clientId);
    taken.close();
  });
});

describe('the discovery of a server', () => {
  it('refuses a document of another issuer', async () => {
    const liar = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          issuer: server.issuer,
          authorization_endpoint: 'https://evil.example/a',
          token_endpoint: 'https://evil.example/t',
        }),
      );
    });
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
    const { port } = liar.address() as AddressInfo;
    await expect(discoverServer(http, `http://127.0.0.1:${port}`)).rejects.toThrow('another issuer');
    liar.close();
  });
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return port;
}
