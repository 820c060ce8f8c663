import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuthHttp } from '../../platform/net/auth-http.js';
import { type OidcServer, startOidcServer } from '../../platform/oauth/oidc-server.test-helper.js';
import { discoverSignIn } from './discover.js';
import { allowedAddress, DiscoveryHttp } from './guarded-discovery.js';
import { type ProtectedServer, startProtectedServer } from './protected-server.test-helper.js';

const never = new AbortController().signal;
const RESOURCE = '/.well-known/oauth-protected-resource';
let http: AuthHttp;
let oidc: OidcServer;
let remote: ProtectedServer;
const opened: Server[] = [];

beforeEach(async () => {
  http = new AuthHttp();
  oidc = await startOidcServer();
  remote = await startProtectedServer(oidc);
  remote.documents.clear();
});
afterEach(async () => {
  http.close();
  await remote.close();
  await oidc.close();
  for (const server of opened.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

const origin = () => new URL(remote.url).origin;
const discover = (wwwAuthenticate?: string) =>
  discoverSignIn(http, new URL(remote.url), wwwAuthenticate, never);
const described = (rest: object = {}) => ({
  resource: remote.url,
  authorization_servers: [oidc.issuer],
  ...rest,
});
const metadata = (issuer = origin(), rest: object = {}) => ({
  issuer,
  authorization_endpoint: `${origin()}/a`,
  token_endpoint: `${origin()}/t`,
  ...rest,
});

async function listen(handle: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(handle as never);
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the search for a sign-in', () => {
  it('starts where the refused request says', async () => {
    remote.documents.set('/described', described({ scopes_supported: ['tools:read'] }));
    const place = await discover(`Bearer realm="x", resource_metadata="${origin()}/described"`);
    expect(place.server).toMatchObject({ issuer: oidc.issuer, tokenUrl: `${oidc.issuer}/token` });
    expect(place).toMatchObject({ resource: remote.url, scopes: ['tools:read', 'offline_access'] });
    expect(remote.requests).toEqual(['GET /described']);
  });

  it('asks the server where there was no request, and continues where it does not say', async () => {
    remote.refusal = async () => ({ status: 401, challenge: 'Bearer scope="one two"' });
    remote.documents.set(RESOURCE, described({ resource: origin(), scopes_supported: ['other'] }));
    const place = await discover();
    expect(place.resource).toBe(origin());
    expect(place.scopes).toEqual(['one', 'two', 'offline_access']);
    expect(remote.requests).toEqual(['HEAD /mcp', `GET ${RESOURCE}/mcp`, `GET ${RESOURCE}`]);
  });

  it('looks at the issuer in the order of the standards, without version segments, then at the root', async () => {
    remote.documents.set('/described', described({ authorization_servers: [`${origin()}/tenant/v2.0`] }));
    remote.documents.set('/.well-known/openid-configuration', metadata());
    await discover(`Bearer resource_metadata="${origin()}/described"`);
    expect(remote.requests.slice(1)).toEqual([
      'GET /.well-known/oauth-authorization-server/tenant/v2.0',
      'GET /.well-known/openid-configuration/tenant/v2.0',
      'GET /tenant/v2.0/.well-known/openid-configuration',
      'GET /.well-known/oauth-authorization-server/tenant',
      'GET /.well-known/openid-configuration/tenant',
      'GET /tenant/.well-known/openid-configuration',
      'GET /.well-known/oauth-authorization-server',
      'GET /.well-known/openid-configuration',
    ]);
  });

  it('looks at the server itself where no other is named, and at its usual addresses in the end', async () => {
    remote.documents.set('/.well-known/oauth-authorization-server', metadata(`${origin()}/oauth`));
    const found = await discover('Bearer');
    expect(found.server.tokenUrl).toBe(`${origin()}/t`);
    expect(found.resource).toBe(remote.url);
    expect(found.scopes).toBeUndefined();

    remote.documents.clear();
    expect((await discover('Bearer')).server).toEqual({
      authorizationUrl: `${origin()}/authorize`,
      tokenUrl: `${origin()}/token`,
      registrationUrl: `${origin()}/register`,
    });
  });
});

describe('a hostile server', () => {
  it.each(['https://evil.example/mcp', 'not an address', 7])(
    'that describes the resource of another one (%s) is refused',
    async (resource) => {
      remote.documents.set(`${RESOURCE}/mcp`, described({ resource }));
      await expect(discover('Bearer')).rejects.toThrow('describes another resource');
    },
  );

  it('that describes a path beside its own is refused', async () => {
    remote.documents.set(`${RESOURCE}/mcp`, described({ resource: `${origin()}/mc` }));
    await expect(discover('Bearer')).rejects.toThrow('describes another resource');
  });

  it('whose metadata are those of another issuer is refused', async () => {
    remote.documents.set(`${RESOURCE}/mcp`, described({ authorization_servers: [origin()] }));
    remote.documents.set('/.well-known/oauth-authorization-server', metadata(oidc.issuer));
    await expect(discover('Bearer')).rejects.toThrow('another issuer');
    remote.documents.delete(`${RESOURCE}/mcp`);
    await expect(discover('Bearer')).rejects.toThrow('another issuer');
  });

  it('that redirects is not followed', async () => {
    const visits: string[] = [];
    const inside = await listen((request, response) => {
      visits.push(request.url ?? '');
      response.end('{}');
    });
    const redirecting = await listen((request, response) => {
      response.writeHead(302, { location: `${inside}${request.url}` });
      response.end();
    });
    const place = await discoverSignIn(http, new URL(`${redirecting}/mcp`), undefined, never);
    expect(place.server.tokenUrl).toBe(`${redirecting}/token`);
    expect(visits).toEqual([]);
  });

  it('that sends an endless document costs a bounded amount of it', async () => {
    let sent = 0;
    const endless = await listen((request, response) => {
      if (request.method === 'HEAD' || !request.url?.endsWith('/mcp')) return response.end();
      const piece = `"${'x'.repeat(65_534)}`;
      const more = () => {
        sent += piece.length;
        if (!response.destroyed) response.write(piece, more);
      };
      return more();
    });
    await discoverSignIn(http, new URL(`${endless}/mcp`), undefined, never);
    // Three documents, of each a megabyte and what the sockets hold.
    expect(sent).toBeLessThan(60_000_000);
  });

  it('that sends a huge or strange challenge is read in an instant', async () => {
    const before = process.cpuUsage();
    await discover(`Bearer ${'a="\\'.repeat(100_000)}`);
    await discover(`Bearer ${'scope='.repeat(100_000)}`);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2_000);
  });

  it.each([
    'http://169.254.169.254/latest',
    'http://tools.example/plain',
    'https://10.0.0.1/as',
    'https://[::1]/as',
    'http://localhost:6379/',
    'https://metadata.google.internal/',
    'https://0x7f.1/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'no address\u001b[2J',
  ])('of the internet does not lead to %s', (text) => {
    expect(() => allowedAddress(text, new URL('https://tools.example/mcp'))).toThrow(
      /^tools\.example leads to [^\u001b]+$/,
    );
  });

  it('of the internet does not lead to a name of this machine', async () => {
    const address = { address: '93.184.215.14', family: 4 };
    const names = { resolve: async (name: string) => (name === 'tools.example' ? [address] : [LOOPBACK]) };
    const discovery = new DiscoveryHttp({ variables: {} }, names);
    const guarded = await discovery.for(new URL('https://tools.example/mcp'));
    const inside = { method: 'GET', url: 'https://inside.example/' } as const;
    await expect(guarded.send(inside)).rejects.toThrow('which is loopback, not on the public internet');
    discovery.close();
  });

  it('of the own network may lead to others there', async () => {
    const discovery = new DiscoveryHttp({ variables: {} }, { resolve: async () => [LOOPBACK] });
    const open = await discovery.for(new URL('https://tools.corp.example/mcp'));
    const url = `${oidc.issuer}/.well-known/openid-configuration`;
    expect((await open.send({ method: 'GET', url })).status).toBe(200);
    expect(allowedAddress('https://10.0.0.1/as', new URL('http://localhost/mcp')).hostname).toBe('10.0.0.1');
    discovery.close();
  });
});

const LOOPBACK = { address: '127.0.0.1', family: 4 };
