import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GOOGLE_ENDPOINTS } from '../../model/auth/endpoints.js';
import { AuthHttp } from '../../platform/net/auth-http.js';
import type { AuthServer } from './auth-server.js';
import type { McpAuth } from './mcp-auth.js';
import { type AuthRig, authRig } from './mcp-auth.test-helper.js';

const SCOPES = ['https://www.googleapis.com/auth/one'];
let rig: AuthRig;
let google: Server;
/** Path, authorization and body of each request. */
let requests: { path: string; authorization?: string; body: string }[];
let identitySeconds: number;
let http: AuthHttp;

beforeEach(async () => {
  rig = authRig();
  http = new AuthHttp();
  requests = [];
  identitySeconds = 3600;
  google = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    requests.push({ path: request.url ?? '', authorization: request.headers.authorization, body });
    response.setHeader('content-type', 'application/json');
    const exp = Math.floor((Date.now() + rig.later) / 1000) + identitySeconds;
    const claims = Buffer.from(JSON.stringify({ exp, number: requests.length })).toString('base64url');
    if (request.url?.includes('forbidden')) {
      response.statusCode = 403;
      return response.end(JSON.stringify({ error: { message: 'not\u001b[2J allowed' } }));
    }
    if (request.url?.includes(':generateIdToken'))
      return response.end(JSON.stringify({ token: `h.${claims}.s` }));
    const number = requests.length;
    return response.end(
      JSON.stringify({ access_token: `access-${number}`, id_token: `identity-${number}`, expires_in: 3600 }),
    );
  });
  await new Promise<void>((resolve) => google.listen(0, '127.0.0.1', resolve));
  rig.write('adc.json', {
    type: 'authorized_user',
    client_id: 'c',
    client_secret: 's',
    refresh_token: 'r',
    quota_project_id: 'payer',
  });
  rig.env['GOOGLE_APPLICATION_CREDENTIALS'] = join(rig.home, '.gemini', 'adc.json');
});
afterEach(() => {
  rig.cleanup();
  http.close();
  google.close();
  google.closeAllConnections();
});

function open(): McpAuth {
  const url = `http://127.0.0.1:${(google.address() as AddressInfo).port}`;
  const endpoints = { ...GOOGLE_ENDPOINTS, token: `${url}/token`, iamCredentials: url, metadata: [url] };
  return rig.open({ google: { endpoints, http } });
}

function googleServer(url: string, rest: Partial<AuthServer['config']> = {}): AuthServer {
  const authProviderType = 'google_credentials';
  const config = { url, authProviderType, oauth: { scopes: SCOPES }, ...rest } as const;
  return { name: 'drive', config };
}

describe('google_credentials', () => {
  it.each(['https://drive.googleapis.com/mcp', 'https://luci.app/mcp', 'https://a.luci.app/mcp'])(
    'send an access token and the quota project to %s, fetched once',
    async (url) => {
      const auth = open();
      const expected = { authorization: 'Bearer access-1', 'x-goog-user-project': 'payer' };
      expect(await auth.headers(googleServer(url))).toEqual(expected);
      expect(await auth.headers(googleServer(url))).toEqual(expected);
      expect(requests).toHaveLength(1);
      expect(rig.secrets).toContain('access-1');
    },
  );

  it('leave the quota project of the settings', async () => {
    const server = googleServer('https://drive.googleapis.com/mcp', {
      headers: { 'X-Goog-User-Project': 'mine' },
    });
    expect(await open().headers(server)).toEqual({ authorization: 'Bearer access-1' });
  });

  it('are fetched again after a refusal', async () => {
    const auth = open();
    const server = googleServer('https://drive.googleapis.com/mcp');
    await auth.headers(server);
    expect(await auth.onUnauthorized(server, undefined)).toBe(true);
    expect((await auth.headers(server))['authorization']).toBe('Bearer access-2');
  });

  it('send only an identity token to run.app, where anyone can have a host', async () => {
    const auth = open();
    const server = googleServer('https://tools-abc.run.app/mcp');
    expect(await auth.headers(server)).toEqual({ authorization: 'Bearer identity-1' });
    await auth.headers(server);
    expect(requests.map(({ body }) => new URLSearchParams(body).get('target_audience'))).toEqual([
      'tools-abc.run.app',
    ]);
  });

  it.each([
    'https://googleapis.com.evil.example/mcp',
    'https://evilgoogleapis.com/mcp',
    'https://run.app/mcp',
    'http://drive.googleapis.com/mcp',
    'https://drive.googleapis.com@evil.example/mcp',
  ])('are not sent to %s', async (url) => {
    await expect(open().headers(googleServer(url))).rejects.toThrow(
      /only sent (to \*\.googleapis|over https)/,
    );
    expect(requests).toEqual([]);
  });

  it('need scopes', async () => {
    const server = googleServer('https://drive.googleapis.com/mcp', { oauth: {} });
    await expect(open().headers(server)).rejects.toThrow(
      'MCP server "drive": google_credentials need "scopes"',
    );
  });
});

describe('service_account_impersonation', () => {
  const impersonating = (rest: Partial<AuthServer['config']> = {}) =>
    googleServer('https://tools.example/mcp', {
      authProviderType: 'service_account_impersonation',
      targetAudience: 'the-audience',
      targetServiceAccount: 'robot@project.iam.gserviceaccount.com',
      ...rest,
    });

  it('gets an identity token by way of the own credentials, and keeps it until five minutes before it expires', async () => {
    const auth = open();
    const first = await auth.headers(impersonating());
    expect(first).toEqual({ authorization: expect.stringMatching(/^Bearer h\..*\.s$/) });
    expect(requests[1]).toEqual({
      path: '/v1/projects/-/serviceAccounts/robot%40project.iam.gserviceaccount.com:generateIdToken',
      authorization: 'Bearer access-1',
      body: JSON.stringify({ audience: 'the-audience', includeEmail: true }),
    });
    rig.later = 54 * 60_000;
    expect(await auth.headers(impersonating())).toEqual(first);
    rig.later = 56 * 60_000;
    expect(await auth.headers(impersonating())).not.toEqual(first);
  });

  it('names what is missing', async () => {
    await expect(open().headers(impersonating({ targetAudience: undefined }))).rejects.toThrow(
      'needs "url" or "httpUrl", "targetAudience" and "targetServiceAccount"',
    );
  });

  it('says why there is no token', async () => {
    const server = impersonating({ targetServiceAccount: 'forbidden@x.example' });
    await expect(open().headers(server)).rejects.toThrow(
      'No identity token for forbidden@x.example (HTTP 403): not?[2J allowed',
    );
  });
});
