import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OidcServer, startOidcServer } from '../../platform/oauth/oidc-server.test-helper.js';
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

describe('tokens at rest', () => {
  it('are records of the published format in a file that only its owner may read', async () => {
    await rig.open().authenticate(serverAt(remote.url), never);
    expect(rig.modeOf(TOKENS)).toBe(0o600);
    expect(rig.read(TOKENS)).toEqual([
      {
        serverName: 'notes',
        token: {
          accessToken: expect.any(String),
          refreshToken: expect.any(String),
          expiresAt: expect.any(Number),
          tokenType: 'Bearer',
          scope: expect.any(String),
        },
        clientId: expect.any(String),
        tokenUrl: `${oidc.issuer}/token`,
        resource: remote.url,
        mcpServerUrl: remote.url,
        updatedAt: expect.any(Number),
      },
    ]);
  });

  it('of other programs are used, and stay with all their fields', async () => {
    const other = {
      serverName: 'other',
      token: { accessToken: 'a', tokenType: 'Bearer' },
      updatedAt: 1,
      more: [2],
    };
    const own = {
      serverName: 'notes',
      mcpServerUrl: remote.url,
      token: { accessToken: 'of-another', tokenType: 'Bearer' },
    };
    rig.write(TOKENS, [other, own]);
    const auth = rig.open();
    expect(await auth.headers(serverAt(remote.url))).toEqual({ authorization: 'Bearer of-another' });
    await auth.authenticate(serverAt(remote.url), never);
    expect(rig.read(TOKENS)).toEqual([other, expect.objectContaining({ serverName: 'notes' })]);
  });

  it('that name no server address are not used', async () => {
    rig.write(TOKENS, [
      { serverName: 'notes', token: { accessToken: 'x', tokenType: 'Bearer' }, updatedAt: 1 },
    ]);
    expect(await rig.open().headers(serverAt(remote.url))).toEqual({});
  });

  it.each(['{"broken', '{}', '[1, null, {"serverName": "notes", "token": 7}]'])(
    'in a damaged file (%s) are none, and a sign-in repairs it',
    async (text) => {
      rig.write(TOKENS, text);
      const auth = rig.open();
      expect(await auth.headers(serverAt(remote.url))).toEqual({});
      await auth.authenticate(serverAt(remote.url), never);
      expect(await request(rig.open(), serverAt(remote.url))).toBe(200);
    },
  );

  it('are encrypted where the user wants it, those of the plain file with their first use', async () => {
    await rig.open().authenticate(serverAt(remote.url), never);
    rig.env['GEMINI_FORCE_ENCRYPTED_FILE_STORAGE'] = 'true';
    expect(await request(rig.open({ isHeadless: true }), serverAt(remote.url))).toBe(200);
    expect(rig.read(TOKENS)).toEqual([]);
    expect(rig.modeOf('gemini-credentials.json')).toBe(0o600);

    await rig.open().authenticate(serverAt(remote.url), never);
    await rig.open().authenticate(serverAt(remote.url), never);
    expect(rig.read(TOKENS)).toEqual([]);
    expect(await request(rig.open({ isHeadless: true }), serverAt(remote.url))).toBe(200);
    // One in the clear, one encrypted: both are kept.
    expect(oidc.registrations).toBe(2);
  });
});
