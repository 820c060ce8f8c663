/** A real authorization server on the loopback address, and a browser without a screen that signs in there. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: the package has no types.
import Provider from 'oidc-provider';

export interface OidcServer {
  issuer: string;
  /** Requests to the token address so far, as forms. */
  exchanges: URLSearchParams[];
  /** Every grant, or a client that sends its secret in the form. */
  refuses: 'nothing' | 'all' | 'secret-in-form';
  /** Clients that were registered dynamically so far. */
  registrations: number;
  /** Of a token that is valid now. */
  find(token: string): Promise<{ aud?: string; scope?: string } | undefined>;
  close(): Promise<void>;
}

export const SECRET_CLIENT = { clientId: 'secret-client', clientSecret: 'very-secret-client-value' };
export const PUBLIC_CLIENT = { clientId: 'public-client' };

export async function startOidcServer({
  tokenSeconds = 3600,
  redirectUris = ['http://localhost/oauth/callback'],
} = {}): Promise<OidcServer> {
  const exchanges: URLSearchParams[] = [];
  const state: Pick<OidcServer, 'refuses' | 'registrations'> = { refuses: 'nothing', registrations: 0 };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  key ??= signingKey();
  const common = {
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    application_type: 'native',
  };
  const provider = withoutWarnings(issuer, {
    clients: [
      {
        ...common,
        client_id: SECRET_CLIENT.clientId,
        client_secret: SECRET_CLIENT.clientSecret,
        token_endpoint_auth_method: 'client_secret_basic',
      },
      { ...common, client_id: PUBLIC_CLIENT.clientId, token_endpoint_auth_method: 'none' },
    ],
    pkce: { required: () => true, methods: ['S256'] },
    features: {
      registration: { enabled: true },
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: 'openid tools:read tools:write',
          audience: resource,
          accessTokenFormat: 'opaque',
          accessTokenTTL: tokenSeconds,
        }),
        useGrantedResource: () => true,
      },
    },
    scopes: ['openid', 'offline_access', 'tools:read', 'tools:write'],
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    ttl: { AccessToken: tokenSeconds, Grant: 3600, Session: 3600, Interaction: 3600, RefreshToken: 3600 },
    cookies: { keys: ['for-tests-only'] },
    findAccount: async (_: unknown, id: string) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    jwks: { keys: [await key] },
  });
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (request.url === '/reg') state.registrations++;
    if (request.url !== '/token') return handle(request, response);
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.once('end', () => {
      const form = new URLSearchParams(Buffer.concat(pieces).toString());
      exchanges.push(form);
      const refuse = (status: number, error: string, error_description: string) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error, error_description }));
      };
      if (state.refuses === 'all') return refuse(400, 'invalid_grant', 'revoked\u001b[2J');
      if (state.refuses === 'secret-in-form' && form.has('client_secret'))
        return refuse(401, 'invalid_client', 'use the header');
      // The server takes a body that was read already.
      return handle(Object.assign(request, { body: form.toString() }), response);
    });
  });
  return {
    issuer,
    exchanges,
    get registrations() {
      return state.registrations;
    },
    find: async (token) => {
      const found = await provider.AccessToken.find(token);
      return found?.isExpired === false ? { aud: found.aud, scope: found.scope } : undefined;
    },
    get refuses() {
      return state.refuses;
    },
    set refuses(value) {
      state.refuses = value;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Follows the pages of the server to our redirect address. Returns what it said, or the address with `stopAt`. */
export async function signInInBrowser(start: string, { login = 'alice', stopAt = '' } = {}): Promise<string> {
  const cookies = new Map<string, string>();
  let url = start;
  let init: { method: string; body?: string } = { method: 'GET' };
  for (let step = 0; step < 20; step++) {
    if (stopAt && url.startsWith(stopAt)) return url;
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(init.body && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const text = await response.text();
    const next = response.headers.get('location');
    const form = /<form[^>]*action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/.exec(text);
    if (next) [url, init] = [new URL(next, url).href, { method: 'GET' }];
    else if (form) {
      const prompt = /name="prompt" value="([^"]+)"/.exec(form[2] ?? '')?.[1] ?? '';
      url = new URL(form[1] ?? '', url).href;
      init = { method: 'POST', body: new URLSearchParams({ prompt, login, password: 'x' }).toString() };
    } else return text;
  }
  throw new Error(`The sign-in does not end; the last page was ${url}`);
}

/** It warns of its defaults, which are right for a test. */
function withoutWarnings(issuer: string, configuration: object) {
  const { warn } = console;
  console.warn = () => {};
  try {
    return new Provider(issuer, configuration);
  } finally {
    console.warn = warn;
  }
}

/** Takes half a second to make. */
let key: Promise<Record<string, unknown>> | undefined;

async function signingKey(): Promise<Record<string, unknown>> {
  const { generateKeyPairSync } = await import('node:crypto');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' };
}
