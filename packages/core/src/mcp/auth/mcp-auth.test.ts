import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type OidcServer,
  PUBLIC_CLIENT,
  signInInBrowser,
  startOidcServer,
} from '../../platform/oauth/oidc-server.test-helper.js';
import { type AuthRig, authRig, request, serverAt } from './mcp-auth.test-helper.js';
import { type ProtectedServer, startProtectedServer } from './protected-server.test-helper.js';

const never = new AbortController().signal;
const TOKENS = 'mcp-oauth-tokens.json';
let oidc: OidcServer;
let remote: ProtectedServer;
let rig: AuthRig;

beforeEach(async () => {
  oidc = await startOidcServer();
  remote = await startProtectedServer(oidc);
  rig = authRig();
});
afterEach(async () => {
  rig.cleanup();
  await remote.close();
  await oidc.close();
});

describe('a server that wants a sign-in', () => {
  it('works after one sign-in, with a token for this server alone, also in the next process', async () => {
    const auth = rig.open();
    const server = serverAt(remote.url);
    expect(await auth.stateOf(server)).toBeUndefined();
    expect(await request(auth, server)).toBe(401);
    expect(await auth.stateOf(server)).toBe('not_authenticated');

    await auth.authenticate(server, never);
    expect(await request(auth, server)).toBe(200);
    expect(await auth.stateOf(server)).toBe('authenticated');
    expect(await request(rig.open({ isHeadless: true }), server)).toBe(200);

    const [first] = rig.opened.map((url) => new URL(url).searchParams);
    expect(Object.fromEntries(first ?? [])).toMatchObject({
      resource: remote.url,
      code_challenge_method: 'S256',
      redirect_uri: expect.stringMatching(/^http:\/\/localhost:\d+\/oauth\/callback$/),
    });
    expect(rig.shown[0]).toBe(`the MCP server notes at ${new URL(oidc.issuer).host}`);
    expect(rig.shown[1]).toBe(rig.opened[0]);
    expect(rig.secrets).toContain(remote.authorizations.at(-1)?.slice('Bearer '.length));
  });

  it('starts no sign-in by itself unless its settings say so', async () => {
    expect(await request(rig.open(), serverAt(remote.url, { oauth: { enabled: false } }))).toBe(401);
    expect(rig.shown).toEqual([]);
    expect(await request(rig.open(), serverAt(remote.url, { oauth: { enabled: true } }))).toBe(200);
    expect(rig.opened).toHaveLength(1);
  });

  it('never starts a sign-in headless', async () => {
    const auth = rig.open({ isHeadless: true });
    const server = serverAt(remote.url, { oauth: { enabled: true } });
    expect(await request(auth, server)).toBe(401);
    await expect(auth.authenticate(server, never)).rejects.toMatchObject({ problem: 'user_needed' });
    expect(rig.shown).toEqual([]);
    expect(rig.exists(TOKENS)).toBe(false);
  });

  it('is not signed in when the user declines, and is not asked for a browser', async () => {
    rig.prompts = { ...rig.prompts, confirm: async () => false };
    const server = serverAt(remote.url, { oauth: { enabled: true } });
    expect(await request(rig.open(), server)).toBe(401);
    expect(rig.opened).toEqual([]);
    expect(rig.notices).toEqual(['The sign-in for the MCP server notes was declined.']);
  });

  it('takes a pasted address where no browser opens', async () => {
    rig.prompts = {
      ...rig.prompts,
      openBrowser: async () => false,
      askCode: async () => signInInBrowser(rig.shown.at(-1) ?? '', { stopAt: 'http://localhost:' }),
    };
    const auth = rig.open();
    await auth.authenticate(serverAt(remote.url), never);
    expect(await request(auth, serverAt(remote.url))).toBe(200);
  });

  it('is signed in beside others, each with its own token', async () => {
    const others = await Promise.all([startProtectedServer(oidc), startProtectedServer(oidc)]);
    const servers = [remote, ...others].map(({ url }, index) => ({
      ...serverAt(url, { oauth: { enabled: true } }),
      name: `server-${index}`,
    }));
    const auth = rig.open();
    // Several requests of one server share its sign-in.
    const statuses = await Promise.all([...servers, ...servers].map((server) => request(auth, server)));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    expect(rig.opened).toHaveLength(3);
    expect(rig.read(TOKENS)).toHaveLength(3);
    await Promise.all(others.map((other) => other.close()));
  });

  it('may be one of many that connect at the same time: Node does not warn of a leak', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    const auth = rig.open({ isHeadless: true });
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => auth.headers({ ...serverAt(remote.url), name: `s${index}` })),
    );
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('gets the token in a parameter of the address where its settings say so', async () => {
    const server = serverAt(remote.url, { oauth: { tokenParamName: 'access_token' } });
    const auth = rig.open();
    await auth.authenticate(server, never);
    expect(await auth.grant(server)).toEqual({ headers: {}, query: { access_token: expect.any(String) } });
  });

  it('registers a client once and uses it again, also for a new sign-in', async () => {
    const server = serverAt(remote.url);
    await rig.open().authenticate(server, never);
    await rig.open().authenticate(server, never);
    expect(oidc.registrations).toBe(1);
    const uris = rig.opened.map((url) => new URL(url).searchParams.get('redirect_uri'));
    expect(uris[1]).toBe(uris[0]);
    expect(rig.modeOf('mcp-oauth-clients.json')).toBe(0o600);
  });

  it('registers another client after a sign-in that failed with the first one', async () => {
    const server = serverAt(remote.url);
    await rig.open().authenticate(server, never);
    oidc.refuses = 'all';
    await expect(rig.open().authenticate(server, never)).rejects.toMatchObject({ problem: 'refused' });
    oidc.refuses = 'nothing';
    await rig.open().authenticate(server, never);
    expect(oidc.registrations).toBe(2);
  });
});

describe('the token of a server', () => {
  it('is refreshed five minutes before it expires, without discovery', async () => {
    const server = serverAt(remote.url);
    await rig.open().authenticate(server, never);
    const [{ token }] = rig.read(TOKENS) as [{ token: { accessToken: string } }];
    remote.requests.length = 0;

    rig.later = 56 * 60_000;
    const auth = rig.open({ isHeadless: true });
    expect((await auth.headers(server))['authorization']).not.toBe(`Bearer ${token.accessToken}`);
    expect(oidc.exchanges.at(-1)?.get('grant_type')).toBe('refresh_token');
    expect(oidc.exchanges.at(-1)?.get('resource')).toBe(remote.url);
    expect(await request(auth, server)).toBe(200);
    expect(remote.requests).toEqual(['GET /mcp']);
  });

  it('is removed when it cannot be refreshed, and the user is told what to do', async () => {
    const server = serverAt(remote.url);
    await rig.open().authenticate(server, never);
    oidc.refuses = 'all';
    rig.later = 56 * 60_000;
    const auth = rig.open({ isHeadless: true });
    expect(await auth.headers(server)).toEqual({});
    expect(rig.read(TOKENS)).toEqual([]);
    expect(rig.notices).toEqual([
      'The sign-in for the MCP server notes has expired. Run /mcp auth notes to sign in again.',
    ]);
  });

  it('is replaced when the server refuses it, and the user is told when nothing helps', async () => {
    const server = serverAt(remote.url);
    await rig.open().authenticate(server, never);
    const { refusal } = remote;
    const refused = remote.authorizations.length;
    remote.refusal = async (token) =>
      remote.authorizations.length === refused + 1 ? { status: 401 } : refusal(token);
    const auth = rig.open();
    expect(await request(auth, server)).toBe(200);
    expect(rig.opened).toHaveLength(1);

    remote.refusal = async () => ({ status: 401 });
    oidc.refuses = 'all';
    expect(await request(auth, server)).toBe(401);
    expect(await request(auth, server)).toBe(401);
    expect(rig.notices).toEqual([
      'The sign-in for the MCP server notes has expired. Run /mcp auth notes to sign in again.',
    ]);
  });

  it('that the server refuses and that cannot be refreshed is reported', async () => {
    const token = { accessToken: 'old', tokenType: 'Bearer' };
    rig.write(TOKENS, [{ serverName: 'notes', token, mcpServerUrl: remote.url, updatedAt: 1 }]);
    expect(await request(rig.open(), serverAt(remote.url))).toBe(401);
    expect(rig.notices).toEqual([
      'The sign-in for the MCP server notes is not accepted any more. Run /mcp auth notes to sign in again.',
    ]);
  });

  it('that lacks a right is reported, and the next sign-in asks for it', async () => {
    const server = serverAt(remote.url);
    const auth = rig.open();
    await auth.authenticate(server, never);
    const challenge = 'Bearer error="insufficient_scope", scope="tools:write"';
    remote.refusal = async () => ({ status: 403, challenge });
    expect(await request(auth, server)).toBe(403);
    expect(rig.notices).toEqual([
      'The sign-in for the MCP server notes lacks a right that the server asks for. ' +
        'Run /mcp auth notes to sign in again.',
    ]);
    await auth.authenticate(server, never);
    expect(new URL(rig.opened[1] ?? '').searchParams.get('scope')).toContain('tools:write');
  });

  it('is asked for by itself only once where the server accepts none', async () => {
    remote.refusal = async () => ({ status: 401 });
    const auth = rig.open();
    const server = serverAt(remote.url, { oauth: { enabled: true } });
    for (let i = 0; i < 5; i++) expect(await request(auth, server)).toBe(401);
    expect(rig.opened).toHaveLength(1);
  });

  it('gets more rights by another sign-in, once, when the server asks for them', async () => {
    remote.refusal = async (token) => {
      const { scope = '' } = (token && (await oidc.find(token))) || {};
      if (!token) return { status: 401, challenge: 'Bearer scope="openid tools:read"' };
      if (scope.includes('tools:write')) return undefined;
      return { status: 403, challenge: 'Bearer error="insufficient_scope", scope="tools:write"' };
    };
    const auth = rig.open();
    const server = serverAt(remote.url, { oauth: { enabled: true } });
    expect(await request(auth, server)).toBe(403);
    expect(await request(auth, server)).toBe(200);
    expect(rig.opened.map((url) => new URL(url).searchParams.get('scope'))).toEqual([
      'openid tools:read offline_access',
      'tools:write offline_access openid tools:read',
    ]);

    remote.refusal = async () => ({
      status: 403,
      challenge: 'Bearer error="insufficient_scope", scope="tools:write"',
    });
    expect(await request(auth, server)).toBe(403);
    expect(rig.opened).toHaveLength(2);
  });

  it('is only sent to the origin that it was issued for', async () => {
    await rig.open().authenticate(serverAt(remote.url), never);
    const other = await startProtectedServer(oidc);
    expect(await rig.open().headers(serverAt(other.url))).toEqual({});
    // Both are kept.
    await rig.open().authenticate(serverAt(other.url), never);
    expect(await request(rig.open(), serverAt(remote.url))).toBe(200);
    await other.close();
  });

  it('is not sent unencrypted to another machine', async () => {
    const server = serverAt('http://tools.example/mcp');
    rig.write(TOKENS, [
      {
        serverName: 'notes',
        token: { accessToken: 'secret-token', tokenType: 'Bearer' },
        mcpServerUrl: 'http://tools.example/mcp',
        updatedAt: 1,
      },
    ]);
    await expect(rig.open().headers(server)).rejects.toThrow('only sent over https');
  });

  it('needs a client of the user where the server registers none, and says where to set it', async () => {
    const server = serverAt(remote.url, {
      oauth: { authorizationUrl: `${oidc.issuer}/auth`, tokenUrl: `${oidc.issuer}/token` },
    });
    await expect(rig.open().authenticate(server, never)).rejects.toThrow(
      `the MCP server notes: ${new URL(oidc.issuer).host} needs a client id to sign in. ` +
        'Create one there and set oauth.clientId of notes in mcpServers.',
    );
  });

  it('comes from a configured client at configured addresses, without discovery', async () => {
    const server = serverAt(remote.url, {
      oauth: {
        ...PUBLIC_CLIENT,
        authorizationUrl: `${oidc.issuer}/auth`,
        tokenUrl: `${oidc.issuer}/token`,
        scopes: ['openid', 'tools:read'],
        audiences: ['one', 'two'],
      },
    });
    await rig.open().authenticate(server, never);
    expect(remote.requests).toEqual([]);
    const asked = Object.fromEntries(new URL(rig.opened[0] ?? '').searchParams);
    expect(asked).toMatchObject({
      client_id: 'public-client',
      scope: 'openid tools:read',
      audience: 'one two',
    });
  });
});
