import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { HttpClient } from '../platform/net/http.js';
import { SecretStore } from '../platform/secrets/secret-store.js';
import { checkKey } from './check-key.js';
import {
  deleteProviderKeys,
  modelWithAnyKey,
  resolveWithSavedKey,
  savedKeyProviders,
  saveProviderKey,
} from './provider-keys.js';

let env: NodeJS.ProcessEnv;
let secrets: SecretStore;
beforeEach(() => {
  const home = tempDir();
  onTestFinished(() => home.cleanup());
  env = { GEMINI_CLI_HOME: home.path, HOME: home.path, GEMINI_FORCE_FILE_STORAGE: 'true' };
  secrets = new SecretStore({ env });
});

const keyOf = async (id: string, more: NodeJS.ProcessEnv = {}, settings = {}) =>
  (await resolveWithSavedKey(id, { env: { ...env, ...more }, providers: settings, secrets })).apiKey;

describe('a saved key of a provider', () => {
  it('is used where the environment has none, for its provider alone', async () => {
    expect(await saveProviderKey('openai', ' sk-saved ', { env, secrets })).toBe('file');
    expect(await keyOf('openai')).toBe('sk-saved');
    expect(await keyOf('openai', { OPENAI_API_KEY: 'sk-env' })).toBe('sk-env');
    await expect(keyOf('anthropic')).rejects.toThrow('set ANTHROPIC_API_KEY, or save one with /auth');
    expect(await savedKeyProviders({ env, secrets })).toEqual(['openai']);
  });

  it('is not sent to another address, nor to a provider that names its variable', async () => {
    await saveProviderKey('openai', 'sk-saved', { env, secrets });
    const elsewhere = { openai: { baseUrl: 'https://evil.example/v1' } };
    await expect(keyOf('openai', {}, elsewhere)).rejects.toThrow('needs a key');
    const other = { evil: { baseUrl: 'https://evil.example/v1', apiKeyEnv: 'OPENAI_API_KEY' } };
    await expect(keyOf('evil', {}, other)).rejects.toThrow('needs a key');
  });

  it('is used for a server on this machine, too, which may work without', async () => {
    const local = { OPENAI_BASE_URL: 'http://127.0.0.1:4000/v1' };
    expect(await keyOf('openai', local)).toBeUndefined();
    await saveProviderKey('openai', 'sk-local', { env: { ...env, ...local }, secrets });
    expect(await keyOf('openai', local)).toBe('sk-local');
    expect(await savedKeyProviders({ env: { ...env, ...local }, secrets })).toEqual(['openai']);
  });

  it('counts as a key that takes the place of a missing Google sign-in', async () => {
    expect(await modelWithAnyKey({ env, secrets })).toBeUndefined();
    await saveProviderKey('anthropic', 'sk-ant', { env, secrets });
    expect(await modelWithAnyKey({ env, secrets })).toEqual({
      model: expect.stringMatching(/^anthropic\//),
      source: 'the saved key of anthropic',
    });
    const withEnv = { ...env, OPENAI_API_KEY: 'k' };
    expect(await modelWithAnyKey({ env: withEnv, secrets })).toMatchObject({ source: 'OPENAI_API_KEY' });
  });

  it('is deleted with the sign-out', async () => {
    await saveProviderKey('openai', 'sk-saved', { env, secrets });
    await deleteProviderKeys({ env, secrets });
    await expect(keyOf('openai')).rejects.toThrow('needs a key');
  });

  it('is deleted whatever address and providers the settings name at the sign-out', async () => {
    const gateway = { OPENAI_BASE_URL: 'https://gateway.example/v1' };
    const mine = { mine: { baseUrl: 'https://mine.example/v1', apiKeyEnv: 'MINE_KEY' } };
    await saveProviderKey('openai', 'sk-saved', { env, secrets });
    await saveProviderKey('openai', 'sk-gateway', { env: { ...env, ...gateway }, secrets });
    await saveProviderKey('mine', 'sk-mine', { env, secrets, providers: mine });
    const elsewhere = { openai: { baseUrl: 'https://elsewhere.example/v1' } };
    await deleteProviderKeys({ env, secrets, providers: elsewhere });
    await expect(keyOf('openai')).rejects.toThrow('needs a key');
    await expect(keyOf('openai', gateway)).rejects.toThrow('needs a key');
    await expect(keyOf('mine', {}, mine)).rejects.toThrow('needs a key');
    expect(existsSync(join(env['HOME'] ?? '', '.gemini/gemini-credentials.json'))).toBe(false);
  });

  it('is deleted at the built-in address, too, when it was saved before addresses were listed', async () => {
    await secrets.set('gemini-cli-provider-key', 'openai@api.openai.com', 'sk-old');
    const elsewhere = { openai: { baseUrl: 'https://elsewhere.example/v1' } };
    await deleteProviderKeys({ env, secrets, providers: elsewhere });
    await expect(keyOf('openai')).rejects.toThrow('needs a key');
  });

  it('is found and deleted beside a provider whose settings are broken', async () => {
    const providers = {
      homeless: { apiKeyEnv: 'HOMELESS_KEY' },
      plain: { baseUrl: 'http://plain.example', apiKeyEnv: 'PLAIN_KEY' },
    };
    await saveProviderKey('openai', 'sk-saved', { env, secrets });
    expect(await savedKeyProviders({ env, secrets, providers })).toEqual(['openai']);
    await deleteProviderKeys({ env, secrets, providers });
    expect(await savedKeyProviders({ env, secrets })).toEqual([]);
  });
});

describe('checking a key', () => {
  const check = async (status: number, body: string, type: 'openai' | 'gemini' = 'openai') => {
    const server = createServer((_request, response) => {
      response.statusCode = status;
      response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const http = new HttpClient();
    onTestFinished(() => {
      http.close();
      server.close();
    });
    const baseUrl = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
    return checkKey({ id: 'x', type, baseUrl, key: 'k' }, http, new AbortController().signal);
  };

  it('names the models of a key that works', async () => {
    expect(await check(200, '{"data":[{"id":"gpt-5"},{"id":"whisper-1"}]}')).toEqual({
      state: 'works',
      models: ['gpt-5'],
    });
  });

  it.each([
    [401, '{}'],
    [403, '{}'],
    [400, '{"error":{"details":[{"reason":"API_KEY_INVALID"}]}}'],
  ])('says that the key is refused (HTTP %i)', async (status, body) => {
    expect(await check(status, body, 'gemini')).toEqual({ state: 'refused', status });
  });

  it('says nothing about the key when the server answers otherwise, or not at all', async () => {
    expect(await check(500, 'oops')).toEqual({ state: 'unknown', reason: 'the server answered HTTP 500' });
    const http = new HttpClient();
    onTestFinished(() => http.close());
    const dead = { id: 'x', type: 'openai', baseUrl: new URL('http://127.0.0.1:1/v1'), key: 'k' } as const;
    expect(await checkKey(dead, http, new AbortController().signal)).toMatchObject({ state: 'unknown' });
  });
});
