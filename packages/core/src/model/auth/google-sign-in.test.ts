import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { browse } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FatalAuthenticationError } from '../../base/errors.js';
import { readAccounts, setActiveAccount } from './accounts.js';
import { type AuthFixture, authFixture, willingUser } from './auth-fixture.test-helper.js';
import type { SignInPrompts } from './context.js';
import { needsCode, signInWithGoogle } from './google-sign-in.js';

let fixture: AuthFixture;
beforeEach(async () => {
  fixture = await authFixture();
});
afterEach(() => fixture.cleanup());

const signIn = (overrides: Partial<SignInPrompts> = {}, env: NodeJS.ProcessEnv = {}, signal?: AbortSignal) =>
  signInWithGoogle({
    ...fixture.context,
    env: { ...fixture.context.env, ...env },
    prompts: willingUser(fixture, overrides),
    signal,
  });

describe('signing in with the browser', () => {
  it('ends with saved tokens and the account as the active one', async () => {
    setActiveAccount(process.env, 'old@example.com');
    const shown: string[] = [];
    const tokens = await signIn({ showUrl: (url) => shown.push(url) });
    expect(tokens).toEqual({
      access_token: 'ya29.access-2',
      refresh_token: '1//refresh-2',
      scope: 'openid',
      token_type: 'Bearer',
      id_token: 'header.payload.signature',
      expiry_date: fixture.clock.now() + 3_600_000,
    });
    expect(fixture.read('oauth_creds.json')).toEqual(tokens);
    expect([fixture.modeOf('oauth_creds.json'), fixture.modeOf('.')]).toEqual([0o600, 0o700]);
    expect(readAccounts(process.env)).toEqual({ active: 'ada@example.com', old: ['old@example.com'] });
    expect(await fixture.pages[0]).toMatchObject({ status: 200, text: expect.stringContaining('terminal') });
    const asked = new URL(shown[0] ?? '').searchParams;
    expect(asked.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/oauth2callback$/);
    expect(asked.get('access_type')).toBe('offline');
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('state')).toMatch(/^[0-9a-f]{64}$/);
    expect(
      asked
        .get('scope')
        ?.split(' ')
        .map((scope) => scope.split('/').at(-1)),
    ).toEqual(['cloud-platform', 'userinfo.email', 'userinfo.profile']);
  });

  it('opens no browser when the user declines', async () => {
    await expect(signIn({ confirm: async () => false })).rejects.toThrow('given up');
    expect(fixture.server.requests).toEqual([]);
  });

  it('works when no browser starts and the user opens the shown address', async () => {
    const tokens = await signIn({
      openBrowser: async () => false,
      showUrl: (url) => void fixture.pages.push(browse(url)),
    });
    expect(tokens.access_token).toBeDefined();
    const again = await signIn({
      openBrowser: async () => {
        throw new Error('no xdg-open');
      },
      showUrl: (url) => void fixture.pages.push(browse(url)),
    });
    expect(again.access_token).not.toBe(tokens.access_token);
  });

  it('ends with the reason when access is denied', async () => {
    fixture.server.consent = 'deny';
    const outcome = await signIn().catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(FatalAuthenticationError);
    expect(String(outcome)).toContain('access was denied in the browser');
    expect(fixture.exists('oauth_creds.json')).toBe(false);
    expect(await fixture.pages[0]).toMatchObject({ status: 400 });
  });

  it('ignores requests without the state', async () => {
    const seen: number[] = [];
    const tokens = await signIn({
      openBrowser: async (url) => {
        const callback = new URL(url).searchParams.get('redirect_uri') ?? '';
        const state = new URL(url).searchParams.get('state') ?? '';
        fixture.server.consent = 'foreign-state';
        seen.push((await browse(url)).status);
        for (const attack of [
          browse(`${callback}?code=4/evil`),
          browse(`${callback}?code=4/evil&state=${state.slice(1)}`),
          browse(`${callback}?error=access_denied&state=`),
          browse(callback.replace('/oauth2callback', '/')),
          browse(`${callback}?code=4/evil&state=${state}`, { method: 'POST' }),
          browse(`${callback}?code=4/evil&state=${state}`, { headers: { host: 'evil.example' } }),
          browse(`${callback}?code=4/evil&state=${state}`, {
            headers: { host: `evil.example:${new URL(callback).port}` },
          }),
          browse(`${callback}?code=4/evil&state=${state}`, { headers: { origin: 'https://evil.example' } }),
        ]) {
          seen.push((await attack).status);
        }
        fixture.server.consent = 'grant';
        fixture.pages.push(browse(url));
        return true;
      },
    });
    expect(seen).toEqual([400, 400, 400, 400, 404, 405, 403, 403, 403]);
    expect(tokens.access_token).toMatch(/^ya29/);
    expect(fixture.server.to('/token')).toHaveLength(1);
  });

  it('accepts one request, then the server is gone, and the code is worthless a second time', async () => {
    await signIn();
    const visited = (await fixture.pages[0])?.url ?? '';
    await expect(browse(visited)).rejects.toThrow('ECONNREFUSED');
    const code = new URL(visited).searchParams.get('code') ?? '';
    const { client, endpoints } = fixture.server;
    const { status } = await fixture.context.http.send({
      method: 'POST',
      url: endpoints.token,
      form: {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        grant_type: 'authorization_code',
        code,
      },
    });
    expect(status).toBe(400);
  });

  it('times out after five minutes', async () => {
    let callback = '';
    const running = signIn({
      openBrowser: async (url) => {
        callback = new URL(url).searchParams.get('redirect_uri') ?? '';
        fixture.clock.advance(299_999);
        expect((await browse(callback)).status).toBe(400);
        fixture.clock.advance(1);
        return true;
      },
    });
    await expect(running).rejects.toThrow('not completed within 5 minutes');
    await expect(browse(callback)).rejects.toThrow('ECONNREFUSED');
  });

  it('ends when the user cancels', async () => {
    const cancel = new AbortController();
    const running = signIn(
      {
        openBrowser: async () => {
          cancel.abort();
          return true;
        },
      },
      {},
      cancel.signal,
    );
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  });

  it.each([
    [
      'refuses the code',
      { status: 400, body: { error: 'invalid_grant', error_description: 'Bad' } },
      'invalid_grant: Bad',
    ],
    ['talks nonsense', { status: 200, body: '<html>' }, 'holds no token'],
    ['is broken', { status: 503, body: 'down' }, 'HTTP 503'],
    ['is silent', 'silence' as const, 'no answer in time'],
  ])('ends with the reason when the token server %s', async (_name, answer, message) => {
    fixture.server.misbehave('/token', answer);
    await expect(signIn()).rejects.toThrow(message);
    expect(fixture.exists('oauth_creds.json')).toBe(false);
  });

  it('continues without the account name', async () => {
    fixture.server.misbehave('/userinfo', { status: 500, body: 'down' });
    expect((await signIn()).access_token).toBeDefined();
    expect(readAccounts(process.env).active).toBeNull();
  });

  it('keeps a session without a place to save it, and says so', async () => {
    mkdirSync(join(fixture.file('oauth_creds.json'), 'inside'), { recursive: true });
    const warnings: string[] = [];
    await signIn({ warn: (message) => warnings.push(message) });
    expect(warnings).toEqual([expect.stringContaining('for this session only')]);
  });
});

describe('signing in with a pasted code', () => {
  const noBrowser = { NO_BROWSER: 'true' };

  it('needs only the code of the page, and proves by PKCE that the request was ours', async () => {
    const shown: string[] = [];
    const tokens = await signIn({ showUrl: (url) => shown.push(url) }, noBrowser);
    expect(fixture.read('oauth_creds.json')).toEqual(tokens);
    const asked = new URL(shown[0] ?? '').searchParams;
    expect(asked.get('redirect_uri')).toBe(fixture.server.endpoints.manualRedirect);
    const [exchange] = fixture.server.to('/token');
    expect(exchange?.params.get('code_verifier')).toMatch(/^[0-9a-f]{96}$/);
  });

  it('accepts the whole address of the page as well', async () => {
    const tokens = await signIn({ askCode: async (url) => ` ${(await browse(url)).url}\n` }, noBrowser);
    expect(tokens.access_token).toBeDefined();
  });

  it('asks a second time, then gives up', async () => {
    const problems: (string | undefined)[] = [];
    const askCode = async (url: string, problem: string | undefined) => {
      problems.push(problem);
      return problems.length === 1 ? '4/wrong' : (await browse(url)).text;
    };
    expect((await signIn({ askCode }, noBrowser)).access_token).toBeDefined();
    expect(problems).toEqual([undefined, expect.stringContaining('Malformed auth code')]);
    let asked = 0;
    const wrong = signIn({ askCode: async () => (asked++ === 0 ? 'not a code!' : '4/wrong') }, noBrowser);
    await expect(wrong).rejects.toThrow('did not accept the code');
    expect(asked).toBe(2);
  });

  it('refuses the address of another sign-in', async () => {
    const askCode = async () => 'https://codeassist.google.com/authcode?code=4/evil&state=other';
    await expect(signIn({ askCode }, noBrowser)).rejects.toThrow('not the code of this sign-in');
    expect(fixture.server.to('/token')).toEqual([]);
  });

  it('times out after five minutes, and ends when the user cancels', async () => {
    await expect(signIn({ askCode: async () => undefined }, noBrowser)).rejects.toThrow('given up');
    const askCode = (_url: string, _problem: string | undefined, signal: AbortSignal) => {
      fixture.clock.advance(300_000);
      return new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
    };
    await expect(signIn({ askCode }, noBrowser)).rejects.toThrow('not completed within 5 minutes');
  });
});

describe('signing in without a requirement', () => {
  it('says that no user can use a browser in this run', async () => {
    await expect(signInWithGoogle(fixture.context)).rejects.toMatchObject({
      exitCode: 41,
      message: expect.stringMatching(/GEMINI_API_KEY.*--model offline/),
    });
  });

  it('says that a client or a key is needed', async () => {
    await expect(signIn({}, { GEMINI_OAUTH_CLIENT_SECRET: '' })).rejects.toMatchObject({
      exitCode: 41,
      message: expect.stringMatching(/GEMINI_OAUTH_CLIENT_ID.*GEMINI_OAUTH_CLIENT_SECRET.*GEMINI_API_KEY/),
    });
  });

  it.each([
    ['linux', {}, true],
    ['linux', { DISPLAY: ':0' }, false],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, false],
    ['linux', { WSL_DISTRO_NAME: 'Debian' }, false],
    ['linux', { DISPLAY: ':0', NO_BROWSER: 'true' }, true],
    ['darwin', {}, false],
    ['darwin', { SSH_CONNECTION: '1 2 3 4' }, true],
    ['win32', {}, false],
  ] as const)('decides on %s with %o whether a code is needed: %s', (platform, env, expected) => {
    expect(needsCode(env, platform)).toBe(expected);
  });
});
