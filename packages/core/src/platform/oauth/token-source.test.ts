import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.js';
import { AuthHttp } from '../net/auth-http.js';
import {
  type OidcServer,
  PUBLIC_CLIENT,
  signInInBrowser,
  startOidcServer,
} from './oidc-server.test-helper.js';
import { discoverServer } from './server-metadata.js';
import { OAuthSignIn } from './sign-in.js';
import { OAuthTokenSource } from './token-source.js';
import type { StoredTokens, TokenStorage } from './token-storage.js';

const never = new AbortController().signal;
const ORIGIN = 'https://agent.example';
let http: AuthHttp;
let server: OidcServer;
let signIns: number;
let later: number;

beforeEach(async () => {
  http = new AuthHttp();
  server = await startOidcServer();
  signIns = 0;
  later = 0;
});
afterEach(async () => {
  http.close();
  await server.close();
});

class MemoryStorage implements TokenStorage {
  readonly all = new Map<string, StoredTokens>();
  async load(serverName: string, origin: string) {
    const stored = this.all.get(serverName);
    return stored?.origin === origin ? stored : undefined;
  }
  async save(stored: StoredTokens) {
    this.all.set(stored.serverName, stored);
  }
  async remove(serverName: string) {
    this.all.delete(serverName);
  }
}

function sourceOn(storage: TokenStorage, { hasUser = true, secrets = [] as string[] } = {}) {
  const clock = { ...systemClock, now: () => Date.now() + later };
  const prompts = {
    confirm: async () => true,
    showUrl: () => {},
    openBrowser: async (url: string) => {
      signIns++;
      void signInInBrowser(url);
      return true;
    },
    askCode: async () => undefined,
  };
  return new OAuthTokenSource({
    serverName: 'reviewer',
    origin: ORIGIN,
    storage,
    http,
    clock,
    onSecret: (secret) => secrets.push(secret),
    signIn: new OAuthSignIn({
      http,
      env: {},
      clock,
      clientName: 'A test',
      prompts: () => (hasUser ? prompts : undefined),
    }),
    request: async () => ({
      service: 'the reviewer',
      server: await discoverServer(http, server.issuer),
      client: PUBLIC_CLIENT,
      scopes: ['openid'],
    }),
  });
}

describe('a token of a server', () => {
  it('is asked for once, shared by callers, kept, and used again by another process', async () => {
    const storage = new MemoryStorage();
    const secrets: string[] = [];
    const source = sourceOn(storage, { secrets });
    const [first, second] = await Promise.all([source.token(never), source.token(never)]);
    expect(first).toBe(second);
    expect(secrets).toContain(first);
    expect(await sourceOn(storage, { hasUser: false }).token(never)).toBe(first);
    expect(signIns).toBe(1);
    expect(storage.all.get('reviewer')).toMatchObject({ origin: ORIGIN, clientId: 'public-client' });
  });

  it('that lives for two minutes only is refreshed after one, not before every use', async () => {
    await server.close();
    server = await startOidcServer({ tokenSeconds: 120 });
    const storage = new MemoryStorage();
    const first = await sourceOn(storage).token(never);
    const source = sourceOn(storage, { hasUser: false });
    for (const seconds of [0, 50]) {
      later = seconds * 1_000;
      expect(await source.token(never)).toBe(first);
    }
    later = 65_000;
    expect(await source.token(never)).not.toBe(first);
  });

  it('that cannot be refreshed is used until it expires', async () => {
    const storage = new MemoryStorage();
    const first = await sourceOn(storage).token(never);
    const [stored] = storage.all.values();
    delete stored?.token.refreshToken;
    const token = () => sourceOn(storage, { hasUser: false }).token(never, { mayAsk: false });
    later = 3_500_000;
    expect(await token()).toBe(first);
    later = 3_601_000;
    await expect(token()).rejects.toThrow('reviewer needs a sign-in');
  });

  it('is refreshed five minutes before it expires, and after the server refused it', async () => {
    const storage = new MemoryStorage();
    const source = sourceOn(storage);
    const first = await source.token(never);
    later = 3_400_000;
    const second = await source.token(never);
    expect(second).not.toBe(first);
    later = 0;
    source.refused();
    const third = await source.token(never);
    expect(third).not.toBe(second);
    expect(signIns).toBe(1);
    expect(server.exchanges.map((form) => form.get('grant_type'))).toEqual([
      'authorization_code',
      'refresh_token',
      'refresh_token',
    ]);
  });

  it('is removed when the server refuses the refresh, and the user is told without a terminal', async () => {
    const storage = new MemoryStorage();
    await sourceOn(storage).token(never);
    server.refuses = 'all';
    later = 3_590_000;
    await expect(sourceOn(storage, { hasUser: false }).token(never)).rejects.toMatchObject({
      problem: 'user_needed',
    });
    expect(storage.all.size).toBe(0);
  });

  it('is taken from another process that refreshed it first', async () => {
    const storage = new MemoryStorage();
    const source = sourceOn(storage);
    await source.token(never);
    const stored = storage.all.get('reviewer') as StoredTokens;
    await storage.save({ ...stored, token: { ...stored.token, accessToken: 'of-another-process' } });
    server.refuses = 'all';
    source.refused();
    expect(await source.token(never)).toBe('of-another-process');
  });

  it('is still used when it is valid and the server cannot be reached', async () => {
    const storage = new MemoryStorage();
    const source = sourceOn(storage);
    const first = await source.token(never);
    const known = await discoverServer(http, server.issuer);
    await server.close();
    later = 3_400_000;
    const offline = new OAuthTokenSource({
      serverName: 'reviewer',
      origin: ORIGIN,
      storage,
      http,
      clock: { ...systemClock, now: () => Date.now() + later },
      signIn: new OAuthSignIn({
        http,
        env: {},
        clock: systemClock,
        clientName: 'A test',
        prompts: () => undefined,
      }),
      request: async () => ({ service: 'the reviewer', server: known, client: PUBLIC_CLIENT }),
    });
    expect(await offline.token(never)).toBe(first);
  });

  it('is not sent to another origin, and its refresh token not to another token address', async () => {
    const storage = new MemoryStorage();
    await sourceOn(storage).token(never);
    expect(await storage.load('reviewer', 'https://evil.example')).toBeUndefined();
    const stored = storage.all.get('reviewer') as StoredTokens;
    await storage.save({ ...stored, tokenUrl: 'https://old.example/token' });
    later = 3_601_000;
    const count = server.exchanges.length;
    await sourceOn(storage).token(never);
    expect(server.exchanges.slice(count).map((form) => form.get('grant_type'))).toEqual([
      'authorization_code',
    ]);
  });

  it('ends its sign-in when the last caller gives up', async () => {
    const storage = new MemoryStorage();
    const source = sourceOn(storage);
    const [one, two] = [new AbortController(), new AbortController()];
    const waiting = [source.token(one.signal), source.token(two.signal)];
    one.abort(new Error('first'));
    two.abort(new Error('second'));
    await expect(waiting[0]).rejects.toThrow('first');
    await expect(waiting[1]).rejects.toThrow('second');
    expect(storage.all.size).toBe(0);
  });
});
