import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AuthFixture, authFixture, willingUser } from './auth-fixture.test-helper.js';
import type { SignInPrompts } from './context.js';
import { signInWithGoogle } from './google-sign-in.js';

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
  it('uses the configured port, and says when it is taken', async () => {
    const other = createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(signIn({}, { OAUTH_CALLBACK_PORT: String(port) })).rejects.toThrow(`port ${port} is in use`);
    other.close();
    await once(other, 'close');
    await signIn({}, { OAUTH_CALLBACK_PORT: String(port), OAUTH_CALLBACK_HOST: '0.0.0.0' });
    expect((await fixture.pages[0])?.url).toContain(`http://127.0.0.1:${port}/oauth2callback`);
    await expect(signIn({}, { OAUTH_CALLBACK_PORT: '80x' })).rejects.toThrow('OAUTH_CALLBACK_PORT is "80x"');
  });
});
