import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient, readText } from '../../platform/net/http.js';
import { readAccounts, setActiveAccount } from './accounts.js';
import { findApiKey, saveApiKey } from './api-key.js';
import { type AuthFixture, authFixture, willingUser } from './auth-fixture.test-helper.js';
import { type AuthOptions, createAuthorizer, signIn, signOut } from './index.js';
import { sendAuthorized } from './send-authorized.js';

let fixture: AuthFixture;
beforeEach(async () => {
  fixture = await authFixture();
});
afterEach(() => fixture.cleanup());

const google = (options: Partial<AuthOptions> = {}) =>
  createAuthorizer('oauth-personal', { ...fixture.context, ...options });
const saved = (minutes: number, more: object = {}) => {
  const tokens = fixture.server.issue();
  const expiry_date = fixture.clock.now() + minutes * 60_000;
  fixture.write('oauth_creds.json', { ...tokens, token_type: 'Bearer', expiry_date, ...more });
  return tokens;
};

describe('saved tokens', () => {
  it('are checked with Google and used', async () => {
    const { access_token, refresh_token } = saved(30);
    const authorizer = await google();
    expect(await authorizer.headers()).toEqual({ authorization: `Bearer ${access_token}` });
    expect(fixture.server.requests.map(({ path }) => path)).toEqual(['/tokeninfo']);
    expect(fixture.announced).toEqual([refresh_token, access_token]);
  });

  it('are refreshed when about to expire, once for all waiting callers, and saved', async () => {
    const { access_token, refresh_token } = saved(30, { scope: 'kept', id_token: 'kept' });
    const authorizer = await google();
    fixture.clock.advance(29.5 * 60_000);
    const all = await Promise.all([authorizer.headers(), authorizer.headers(), authorizer.headers()]);
    expect(new Set(all.map((headers) => headers['authorization']))).toEqual(
      new Set(['Bearer ya29.access-2']),
    );
    expect(fixture.server.to('/token')).toHaveLength(1);
    expect(fixture.read('oauth_creds.json')).toEqual({
      access_token: 'ya29.access-2',
      refresh_token,
      token_type: 'Bearer',
      scope: 'openid',
      id_token: 'kept',
      expiry_date: fixture.clock.now() + 3_600_000,
    });
    expect(fixture.modeOf('oauth_creds.json')).toBe(0o600);
    expect(access_token).toBe('ya29.access-1');
  });

  it('are refreshed before use when they have expired', async () => {
    saved(-5);
    expect(await (await google()).headers()).toEqual({ authorization: 'Bearer ya29.access-2' });
    expect(fixture.server.requests.map(({ path }) => path)).toEqual(['/token', '/tokeninfo']);
  });

  it('are refreshed when Google does not know them, even if they look valid', async () => {
    const { access_token } = saved(30, { expiry_date: undefined });
    fixture.server.revoke(access_token);
    expect(await (await google()).headers()).toEqual({ authorization: 'Bearer ya29.access-2' });
    expect(fixture.server.requests.map(({ path }) => path)).toEqual(['/tokeninfo', '/token', '/tokeninfo']);
  });

  it('are replaced when the server refuses them, and the request is sent again', async () => {
    const { access_token } = saved(30);
    const authorizer = await google();
    fixture.server.revoke(access_token);
    const http = new HttpClient();
    const url = new URL(fixture.server.endpoints.userInfo);
    const response = await sendAuthorized(http, authorizer, {
      method: 'GET',
      url,
      headers: {},
      signal: AbortSignal.timeout(5_000),
    });
    expect([response.status, JSON.parse(await readText(response.body, 1000))]).toEqual([
      200,
      { email: 'ada@example.com' },
    ]);
    expect(fixture.server.to('/userinfo').map(({ headers }) => headers.authorization)).toEqual([
      'Bearer ya29.access-1',
      'Bearer ya29.access-2',
    ]);
    http.close();
  });

  it('lead to the browser when they were revoked, and without one to exit code 41', async () => {
    const tokens = saved(30);
    const authorizer = await google();
    fixture.server.revoke(tokens.access_token);
    fixture.server.revoke(tokens.refresh_token);
    authorizer.invalidate();
    await expect(authorizer.headers()).rejects.toMatchObject({
      exitCode: 41,
      message: expect.stringContaining('not valid any more'),
    });
    await expect(google()).rejects.toMatchObject({ exitCode: 41 });
    const again = await google({ prompts: willingUser(fixture) });
    expect(await again.headers()).toEqual({
      authorization: expect.stringMatching(/^Bearer ya29\.access-\d+$/),
    });
  });

  it('in a damaged file are reported with its name when the user cannot sign in again', async () => {
    fixture.write('oauth_creds.json', 'nonsense');
    await expect(google()).rejects.toMatchObject({
      exitCode: 41,
      message: expect.stringMatching(/oauth_creds\.json holds no Google tokens.*needs a browser/),
    });
  });

  it('are used when Google cannot be reached to check them', async () => {
    const { access_token } = saved(30);
    fixture.server.misbehave('/tokeninfo', { status: 503, body: '' });
    expect(await (await google()).headers()).toEqual({ authorization: `Bearer ${access_token}` });
  });

  it('are kept when a refresh cannot be requested', async () => {
    const { refresh_token } = saved(-5);
    fixture.server.misbehave('/token', { status: 502, body: '<html>' }, 'silence');
    await expect(google()).rejects.toThrow('answered with HTTP 502');
    await expect(google()).rejects.toThrow(/Cannot reach 127.0.0.1:\d+: no answer in time/);
    expect(fixture.read('oauth_creds.json')).toMatchObject({ refresh_token });
    expect(await (await google()).headers()).toBeDefined();
  });

  it('are not written back when the user signed out or changed accounts meanwhile', async () => {
    saved(30);
    const authorizer = await google();
    await signOut(fixture.context);
    authorizer.invalidate();
    await authorizer.headers();
    expect(fixture.exists('oauth_creds.json')).toBe(false);
    const other = saved(30);
    authorizer.invalidate();
    await authorizer.headers();
    expect(fixture.read('oauth_creds.json')).toMatchObject(other);
  });

  it('of another client are used while they last', async () => {
    const { access_token } = saved(30);
    const env = { GEMINI_FORCE_FILE_STORAGE: 'true', GEMINI_CLI_HOME: fixture.home };
    const authorizer = await google({ env });
    expect(await authorizer.headers()).toEqual({ authorization: `Bearer ${access_token}` });
    fixture.clock.advance(3_600_000);
    await expect(authorizer.headers()).rejects.toThrow('GEMINI_OAUTH_CLIENT_ID');
    await expect(google({ env })).rejects.toThrow('GEMINI_OAUTH_CLIENT_ID');
  });

  it.each([
    ['broken', '{"access_token":'],
    ['empty', ''],
    ['a list', '[]'],
    ['of wrong types', '{"access_token":1,"refresh_token":{}}'],
    ['without tokens', '{"scope":"x"}'],
  ])('in a file that is %s count as none, and the file is kept', async (_name, content) => {
    fixture.write('oauth_creds.json', content);
    await expect(google()).rejects.toMatchObject({ exitCode: 41 });
    await signIn({ ...fixture.context, prompts: willingUser(fixture) });
    const aside = readdirSync(join(fixture.home, '.gemini')).filter((name) => name.includes('.damaged-'));
    expect(aside).toHaveLength(1);
    expect(fixture.read('oauth_creds.json')).toHaveProperty('access_token');
  });

  it('are imported once from auth-cache.json', async () => {
    const { access_token, refresh_token } = fixture.server.issue();
    const expiresAt = new Date(fixture.clock.now() + 600_000).toISOString();
    fixture.write('auth-cache.json', {
      tokens: { accessToken: access_token, refreshToken: refresh_token, expiresAt },
    });
    expect(await (await google()).headers()).toEqual({ authorization: `Bearer ${access_token}` });
    expect(fixture.read('oauth_creds.json')).toEqual({
      access_token,
      refresh_token,
      expiry_date: fixture.clock.now() + 600_000,
    });
    expect([fixture.exists('auth-cache.json'), fixture.exists('auth-cache.json.imported')]).toEqual([
      false,
      true,
    ]);
    await signOut(fixture.context);
    expect(readdirSync(join(fixture.home, '.gemini'))).toEqual([]);
    await expect(google()).rejects.toMatchObject({ exitCode: 41 });
  });
});

describe('encrypted storage', () => {
  const encrypted = () => ({ ...fixture.context.env, GEMINI_FORCE_ENCRYPTED_FILE_STORAGE: 'true' });

  it('migrates the plain file and deletes it, and refreshes stay encrypted', async () => {
    const { access_token, refresh_token } = saved(30);
    const authorizer = await google({ env: encrypted() });
    expect(fixture.exists('oauth_creds.json')).toBe(false);
    const record = await fixture.context.secrets.get('gemini-cli-oauth', 'main-account');
    expect(JSON.parse(record?.value ?? '')).toMatchObject({
      serverName: 'main-account',
      token: { accessToken: access_token, refreshToken: refresh_token, tokenType: 'Bearer' },
    });
    authorizer.invalidate();
    await authorizer.headers();
    expect(fixture.exists('oauth_creds.json')).toBe(false);
    const again = await google({ env: encrypted() });
    expect(await again.headers()).toEqual({ authorization: 'Bearer ya29.access-2' });
  });

  it('keeps the plain file when the tokens can be saved nowhere else', async () => {
    const tokens = saved(30);
    mkdirSync(join(fixture.file('gemini-credentials.json'), 'inside'), { recursive: true });
    expect(await (await google({ env: encrypted() })).headers()).toEqual({
      authorization: `Bearer ${tokens.access_token}`,
    });
    expect(fixture.read('oauth_creds.json')).toMatchObject(tokens);
  });

  it('is emptied by the sign-out', async () => {
    saved(30);
    await google({ env: encrypted() });
    await signOut({ ...fixture.context, env: encrypted() });
    expect(await fixture.context.secrets.get('gemini-cli-oauth', 'main-account')).toBeUndefined();
  });
});

describe('other token sources', () => {
  it('use a given access token first, without a refresh', async () => {
    saved(30);
    const env = {
      ...fixture.context.env,
      GOOGLE_GENAI_USE_GCA: 'true',
      GOOGLE_CLOUD_ACCESS_TOKEN: 'ya29.given',
    };
    const authorizer = await google({ env });
    expect(await authorizer.headers()).toEqual({ authorization: 'Bearer ya29.given' });
    expect(fixture.server.requests).toEqual([]);
    authorizer.invalidate();
    await expect(authorizer.headers()).rejects.toThrow('did not accept GOOGLE_CLOUD_ACCESS_TOKEN');
    const { GOOGLE_GENAI_USE_GCA: _unset, ...without } = env;
    expect(await (await google({ env: without })).headers()).toEqual({
      authorization: 'Bearer ya29.access-1',
    });
  });

  it('use a credentials file after saved tokens and before the browser', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    fixture.server.serviceAccountKey = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const path = join(fixture.home, 'service.json');
    const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(
      path,
      JSON.stringify({ type: 'service_account', client_email: 'robot@x.example', private_key }),
    );
    const env = { ...fixture.context.env, GOOGLE_APPLICATION_CREDENTIALS: path };
    expect(await (await google({ env })).headers()).toEqual({ authorization: 'Bearer ya29.access-1' });
    const tokens = saved(30);
    expect(await (await google({ env })).headers()).toEqual({
      authorization: `Bearer ${tokens.access_token}`,
    });
  });

  it('ask the machine itself only for its own auth type', async () => {
    const machine = await createAuthorizer('compute-default-credentials', fixture.context);
    expect(machine.type).toBe('compute-default-credentials');
    expect(await machine.headers()).toEqual({ authorization: 'Bearer ya29.access-1' });
    await expect(google()).rejects.toMatchObject({ exitCode: 41 });
  });
});

describe('signOut', () => {
  it('leaves nothing that could sign in again, and remembers the account', async () => {
    saved(30);
    await saveApiKey(fixture.context.secrets, 'AIza-saved');
    setActiveAccount(process.env, 'ada@example.com');
    fixture.write('auth-cache.json', '{}');
    await signOut(fixture.context);
    expect(readdirSync(join(fixture.home, '.gemini'))).toEqual(['google_accounts.json']);
    expect(readAccounts(process.env)).toEqual({ active: null, old: ['ada@example.com'] });
    expect(await findApiKey(fixture.context)).toBeUndefined();
    await signOut(fixture.context);
  });

  it('removes what it can and names what it cannot', async () => {
    mkdirSync(join(fixture.file('oauth_creds.json'), 'inside'), { recursive: true });
    await saveApiKey(fixture.context.secrets, 'AIza-saved');
    await expect(signOut(fixture.context)).rejects.toThrow(fixture.file('oauth_creds.json'));
    expect(await findApiKey(fixture.context)).toBeUndefined();
  });
});

describe('the accounts file', () => {
  it('is private, keeps each name once, and survives invalid content', () => {
    setActiveAccount(process.env, 'a@x');
    setActiveAccount(process.env, 'b@x');
    setActiveAccount(process.env, 'a@x');
    setActiveAccount(process.env, null);
    expect(fixture.read('google_accounts.json')).toEqual({ active: null, old: ['b@x', 'a@x'] });
    expect(fixture.modeOf('google_accounts.json')).toBe(0o600);
    fixture.write('google_accounts.json', 'nonsense');
    expect(readAccounts(process.env)).toEqual({ active: null, old: [] });
    setActiveAccount(process.env, 'c@x');
    expect(readAccounts(process.env)).toEqual({ active: 'c@x', old: [] });
    fixture.write('google_accounts.json', '{"active":5,"old":[1,"d@x"]}');
    expect(readAccounts(process.env)).toEqual({ active: null, old: ['d@x'] });
  });
});
