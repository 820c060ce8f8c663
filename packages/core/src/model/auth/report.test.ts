import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuthHttp } from '../../platform/net/auth-http.js';
import { setActiveAccount } from './accounts.js';
import { saveApiKey } from './api-key.js';
import { type AuthFixture, authFixture } from './auth-fixture.test-helper.js';
import { reportAuth } from './report.js';

let fixture: AuthFixture;
beforeEach(async () => {
  fixture = await authFixture();
});
afterEach(() => fixture.cleanup());

describe('reportAuth', () => {
  const storage = {
    place: 'file',
    keychain: { state: 'absent', reason: 'GEMINI_FORCE_FILE_STORAGE is set' },
  };
  const report = (env: NodeJS.ProcessEnv = {}, more = {}) =>
    reportAuth({ env: { ...fixture.context.env, ...env }, ...more });

  it('names the source of the credentials', async () => {
    expect(await report({ GEMINI_API_KEY: 'k' })).toEqual({
      type: 'gemini-api-key',
      source: 'GEMINI_API_KEY',
      problems: [],
      storage,
    });
    await saveApiKey(fixture.context.secrets, 'k');
    expect(await report({}, { selectedType: 'gemini-api-key' })).toMatchObject({
      source: 'saved key (file)',
    });
    expect(await report({ GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_API_KEY: 'k' })).toMatchObject({
      source: 'GOOGLE_API_KEY',
      problems: [],
    });
    fixture.write('oauth_creds.json', { ...fixture.server.issue(), expiry_date: 1 });
    setActiveAccount(process.env, 'ada@example.com');
    expect(await report({ GOOGLE_GENAI_USE_GCA: 'true' })).toMatchObject({
      type: 'oauth-personal',
      source: 'saved Google sign-in',
      account: 'ada@example.com',
      problems: [],
    });
    expect(fixture.server.requests).toEqual([]);
  });

  it('names the key that takes the place of a Google sign-in without credentials', async () => {
    expect(await report({ GEMINI_API_KEY: 'k' }, { selectedType: 'oauth-personal' })).toMatchObject({
      type: 'gemini-api-key',
      source: expect.stringMatching(/^GEMINI_API_KEY .*Google sign-in/),
      problems: [],
    });
    expect(await report({}, { selectedType: 'oauth-personal' })).toMatchObject({
      type: 'oauth-personal',
      problems: [expect.stringContaining('/auth')],
    });
  });

  it('names the problem', async () => {
    expect((await report()).problems).toEqual([expect.stringContaining('No way to sign in')]);
    expect((await report({}, { selectedType: 'gemini-api-key' })).problems).toEqual([
      expect.stringContaining('There is no API key'),
    ]);
    expect((await report({ GOOGLE_GENAI_USE_VERTEXAI: 'true' })).problems).toEqual([
      expect.stringContaining('GOOGLE_CLOUD_PROJECT'),
    ]);
    expect((await report({ GEMINI_API_KEY: 'k' }, { enforcedType: 'vertex-ai' })).problems).toEqual([
      expect.stringMatching(/vertex-ai.*gemini-api-key/),
    ]);
    fixture.write('oauth_creds.json', '{');
    expect((await report({ GOOGLE_GENAI_USE_GCA: 'true' })).problems).toEqual([
      expect.stringContaining(fixture.file('oauth_creds.json')),
      expect.stringContaining('You are not signed in'),
    ]);
  });
});

describe('AuthHttp', () => {
  it('sends no credentials over plain http to another machine', async () => {
    const http = new AuthHttp();
    await expect(http.send({ method: 'GET', url: 'http://example.com/token' })).rejects.toThrow(
      'only sent over https',
    );
    await expect(http.send({ method: 'GET', url: 'ftp://127.0.0.1/' })).rejects.toThrow(
      'only sent over https',
    );
    http.close();
  });
});
