/** What a client supplied for one sign-in must not serve another. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadedSettings } from '@gemini-cli/core';
import { expect, it, onTestFinished } from 'vitest';
import { SignIns } from './sign-ins.js';

function signIns() {
  const home = mkdtempSync(join(tmpdir(), 'sign-ins-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const auth: { selectedType?: string } = {};
  const settings = {
    merged: { security: { auth } },
    setValue: async (_scope: string, _name: string, value: string) => {
      auth.selectedType = value;
    },
  } as unknown as LoadedSettings;
  const variables = { HOME: home, GEMINI_CLI_HOME: home, GEMINI_FORCE_FILE_STORAGE: 'true' };
  const all = new SignIns();
  const signIn = (methodId: string, meta?: unknown) =>
    all.authenticate(methodId, meta, { settings, variables });
  return { all, signIn };
}

const GATEWAY = { gateway: { baseUrl: 'http://127.0.0.1:9/', headers: { 'X-Team': 'red' } } };

it('forgets a gateway when the client signs in with a key, and the key when it goes back', async () => {
  const { all, signIn } = signIns();
  await signIn('gateway', GATEWAY);
  await signIn('gemini-api-key', { 'api-key': 'of-the-client' });
  expect(all.variables).toEqual({ GEMINI_API_KEY: 'of-the-client' });
  await signIn('gateway', GATEWAY);
  expect(all.variables).toEqual({
    GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9/',
    GEMINI_CLI_CUSTOM_HEADERS: 'X-Team: red',
  });
});

it('keeps what was supplied while the sign-in stays the same, and when another one fails', async () => {
  const { all, signIn } = signIns();
  await signIn('gemini-api-key', { 'api-key': 'of-the-client' });
  await signIn('gemini-api-key');
  await expect(signIn('none')).rejects.toThrow('There is no sign-in');
  expect(all.variables).toEqual({ GEMINI_API_KEY: 'of-the-client' });
});
