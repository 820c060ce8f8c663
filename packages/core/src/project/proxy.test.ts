/** `general.proxy`: which requests go through it, what wins over it, and who never learns of it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROXY_PASSWORD, sendPrompt, startProxyServer, tempDir } from '@gemini-cli/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import { Config } from '../config/config.js';
import { createAuthorizer } from '../model/auth/index.js';
import { openProject } from './open-project.js';

const SEARCH = JSON.stringify({ results: [{ title: 'T', url: 'https://found.example/', content: 'C' }] });

it.each([
  ['the model', { GEMINI_API_KEY: 'a-key' }, 'CONNECT generativelanguage.googleapis.com:443'],
  [
    'another provider',
    { OPENAI_API_KEY: 'a-key', GEMINI_MODEL: 'openai/gpt-4o' },
    'CONNECT api.openai.com:443',
  ],
])('requests to %s go through the proxy of the settings', async (_, variables, expected) => {
  const { proxy, config } = await projectBehindProxy(variables);
  const events = await sendPrompt(config, 'hello');
  expect(proxy.asked).toEqual([expected]);
  expect(proxy.credentials).toEqual([`mona:${PROXY_PASSWORD}`]);
  expect(JSON.stringify(events)).not.toContain(PROXY_PASSWORD);
});

it('pages and the search service are reached through it, plain http too', async () => {
  const { proxy, config } = await projectBehindProxy({ GEMINI_API_KEY: 'a-key' });
  const environment = config.getEnvironment();
  const { askSearchService } = await import('../tools/web-search/search-service.js');
  const { GuardedHttp } = await import('../platform/net/guarded-http.js');
  const { signal } = new AbortController();
  const service = { endpoint: 'http://search.example/?q={query}' };
  expect(await askSearchService(service, 'x', environment, signal)).toMatchObject({ text: 'T\nC [1]' });
  const pages = new GuardedHttp({ userAgent: 'test', proxies: environment, resolve: async () => [] });
  await pages.get(new URL('http://page.example/a'), signal);
  expect(proxy.asked).toEqual(['GET http://search.example/?q=x', 'GET http://page.example/a']);
});

it('a sign-in goes through it', async () => {
  const proxy = await startProxyServer();
  onTestFinished(() => proxy.close());
  const home = tempDir('proxy-auth-');
  onTestFinished(() => home.cleanup());
  const credentials = join(home.path, 'credentials.json');
  const content = { type: 'authorized_user', client_id: 'c', client_secret: 's', refresh_token: 'r' };
  writeFileSync(credentials, JSON.stringify(content));
  const env = {
    GEMINI_CLI_HOME: home.path,
    GOOGLE_APPLICATION_CREDENTIALS: credentials,
    GEMINI_FORCE_FILE_STORAGE: 'true',
  };
  const signedIn = createAuthorizer('oauth-personal', { env, proxy: proxy.url, onSecret: () => undefined });
  await signedIn.then((authorizer) => authorizer.headers?.()).catch(() => undefined);
  expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT oauth2.googleapis.com:443']));
});

it('proxy variables win over it, and commands never get it', async () => {
  const other = await startProxyServer();
  onTestFinished(() => other.close());
  const { proxy, config } = await projectBehindProxy({ GEMINI_API_KEY: 'a-key', HTTPS_PROXY: other.url });
  await sendPrompt(config, 'hello');
  expect([proxy.asked, other.asked.length]).toEqual([[], 1]);
  const { variables } = (await projectBehindProxy({ GEMINI_API_KEY: 'a-key' })).config.getEnvironment();
  expect(JSON.stringify(variables)).not.toMatch(/_proxy|mona:/i);
});

async function projectBehindProxy(variables: Record<string, string>) {
  const proxy = await startProxyServer(SEARCH);
  const root = tempDir('proxy-');
  const [home, cwd] = [join(root.path, 'home'), join(root.path, 'work')];
  for (const path of [join(home, '.gemini'), cwd]) mkdirSync(path, { recursive: true });
  const settings = {
    general: { proxy: proxy.url, maxAttempts: 1 },
    security: { folderTrust: { enabled: false } },
  };
  writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings));
  const env = { HOME: home, GEMINI_CLI_HOME: home, GEMINI_FORCE_FILE_STORAGE: 'true', ...variables };
  const config = new Config(await openProject({ cwd, env, frontEnd: { interactive: false } }));
  onTestFinished(async () => {
    await config.shutdown();
    await proxy.close();
    root.cleanup();
  });
  await config.initialize();
  return { proxy, config };
}
