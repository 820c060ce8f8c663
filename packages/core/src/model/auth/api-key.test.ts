import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deleteApiKey, findApiKey, saveApiKey } from './api-key.js';
import { type AuthFixture, authFixture } from './auth-fixture.test-helper.js';
import { createAuthorizer } from './index.js';

describe('the API key', () => {
  let fixture: AuthFixture;
  beforeEach(async () => {
    fixture = await authFixture();
  });
  afterEach(() => fixture.cleanup());
  const withEnv = (env: NodeJS.ProcessEnv) => ({
    ...fixture.context,
    env: { ...fixture.context.env, ...env },
  });

  it('comes from the environment first, and is announced for redaction', async () => {
    await saveApiKey(fixture.context.secrets, 'AIza-saved');
    const authorizer = await createAuthorizer('gemini-api-key', withEnv({ GEMINI_API_KEY: ' AIza-env ' }));
    expect(authorizer.type).toBe('gemini-api-key');
    expect(await authorizer.headers()).toEqual({ 'x-goog-api-key': 'AIza-env' });
    expect(fixture.announced).toEqual(['AIza-env']);
  });

  it('is saved encrypted, found again, and deleted', async () => {
    expect(await saveApiKey(fixture.context.secrets, 'AIza-saved\n')).toBe('file');
    expect(await findApiKey(fixture.context)).toEqual({ key: 'AIza-saved', source: 'file' });
    expect(fixture.modeOf('gemini-credentials.json')).toBe(0o600);
    const authorizer = await createAuthorizer('gemini-api-key', fixture.context);
    expect(await authorizer.headers()).toEqual({ 'x-goog-api-key': 'AIza-saved' });
    await deleteApiKey(fixture.context.secrets);
    expect(await findApiKey(fixture.context)).toBeUndefined();
    expect(fixture.exists('gemini-credentials.json')).toBe(false);
  });

  it('is read again after a refusal', async () => {
    await saveApiKey(fixture.context.secrets, 'AIza-old');
    const authorizer = await createAuthorizer('gemini-api-key', fixture.context);
    await saveApiKey(fixture.context.secrets, 'AIza-new');
    expect(await authorizer.headers()).toEqual({ 'x-goog-api-key': 'AIza-old' });
    authorizer.invalidate();
    expect(await authorizer.headers()).toEqual({ 'x-goog-api-key': 'AIza-new' });
  });

  it('can be sent as a bearer token', async () => {
    const env = { GEMINI_API_KEY: 'k', GEMINI_API_KEY_AUTH_MECHANISM: 'bearer' };
    expect(await (await createAuthorizer('gemini-api-key', withEnv(env))).headers()).toEqual({
      authorization: 'Bearer k',
    });
  });

  it('is read from the record of another program', async () => {
    const record = JSON.stringify({ serverName: 'default-api-key', token: { accessToken: 'AIza-old-cli' } });
    await fixture.context.secrets.set('gemini-cli-api-key', 'default-api-key', record);
    expect(await findApiKey(fixture.context)).toEqual({ key: 'AIza-old-cli', source: 'file' });
  });

  it('is reported when missing, with what to do, and why the saved one was not found', async () => {
    await expect(createAuthorizer('gemini-api-key', fixture.context)).rejects.toMatchObject({
      exitCode: 41,
      message: expect.stringMatching(/GEMINI_API_KEY is not set and none is saved\. .*\.env.*no reload/),
    });
    await saveApiKey(fixture.context.secrets, 'AIza-saved');
    fixture.write('gemini-credentials.json', 'damaged');
    await expect(createAuthorizer('gemini-api-key', fixture.context)).rejects.toThrow(/cannot be decrypted/);
  });

  it.each(['a b', 'a\r\nx-evil: 1', 'schlüssel', ''])('%j is refused', async (key) => {
    await expect(saveApiKey(fixture.context.secrets, key)).rejects.toThrow('no key has');
    if (key) {
      await expect(createAuthorizer('gemini-api-key', withEnv({ GEMINI_API_KEY: key }))).rejects.toThrow(
        'GEMINI_API_KEY',
      );
    }
  });
});

describe('a gateway', () => {
  let fixture: AuthFixture;
  beforeEach(async () => {
    fixture = await authFixture();
  });
  afterEach(() => fixture.cleanup());

  it('gets an empty key unless one was set for it, and never the saved one', async () => {
    await saveApiKey(fixture.context.secrets, 'AIza-saved');
    const gateway = await createAuthorizer('gateway', fixture.context);
    expect(await gateway.headers()).toEqual({ 'x-goog-api-key': '' });
    fixture.context.env['GEMINI_API_KEY'] = 'AIza-env';
    expect(await gateway.headers()).toEqual({ 'x-goog-api-key': 'AIza-env' });
  });
});
