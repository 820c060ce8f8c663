import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Settings } from '@gemini-cli/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registryFor } from './registry.js';
import { checkForUpdate } from './update.js';
import { newerVersion } from './version.js';

let root: string;
let server: Server | undefined;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'update-')));
});
afterEach(async () => {
  rmSync(root, { recursive: true, force: true });
  server?.closeAllConnections();
  await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  server = undefined;
});

async function registry(status: number, body: unknown): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/npm`, asked };
}

function install(relative: string, json: object = { name: '@our/tool', version: '1.0.0' }): string {
  const script = join(root, relative, 'dist', 'gemini.cjs');
  mkdirSync(dirname(script), { recursive: true });
  writeFileSync(script, '');
  writeFileSync(join(root, relative, 'package.json'), JSON.stringify(json));
  return script;
}

async function check(
  script: string,
  env: NodeJS.ProcessEnv,
  general: Settings['general'] = {},
  tried?: string,
): Promise<{ told: string[]; ran: string[] }> {
  const told: string[] = [];
  const ran: string[] = [];
  const atEnd: (() => void)[] = [];
  await checkForUpdate({
    settings: { general },
    env,
    version: '1.0.0',
    script,
    signal: new AbortController().signal,
    tell: (text) => told.push(text),
    tried,
    atSessionEnd: (_, install) => atEnd.push(install),
    run: (command) => ran.push(command.join(' ')),
  });
  // The running program needs its files.
  expect(ran).toEqual([]);
  for (const install of atEnd) install();
  return { told, ran };
}

const GLOBAL = 'prefix/lib/node_modules/@our/tool';

describe('a newer version', () => {
  it('is installed at the end of the session by the package manager that installed this one', async () => {
    const { url, asked } = await registry(200, { latest: '1.1.0', nightly: '2.0.0-nightly.1' });
    const { told, ran } = await check(install(GLOBAL), { npm_config_registry: url });
    expect(asked).toEqual(['/npm/-/package/%40our%2Ftool/dist-tags']);
    expect(ran).toEqual(['npm install -g @our/tool@1.1.0']);
    expect(told[0]).toContain('when you exit');
  });

  it('is announced with its command and not tried again after a failed install', async () => {
    const { url } = await registry(200, { latest: '1.1.0' });
    const { told, ran } = await check(install(GLOBAL), { npm_config_registry: url }, {}, '1.1.0');
    expect(ran).toEqual([]);
    expect(told[0]).toContain('Try it yourself: npm install -g @our/tool@1.1.0');
    const next = await check(install(GLOBAL), { npm_config_registry: url }, {}, '1.0.5');
    expect(next.ran).toHaveLength(1);
  });

  it.each([
    ['home/.local/share/pnpm/global/5/node_modules/@our/tool', 'pnpm add -g @our/tool@1.1.0'],
    ['home/.bun/install/global/node_modules/@our/tool', 'bun add -g @our/tool@1.1.0'],
    ['home/.volta/tools/image/packages/x/lib/node_modules/@our/tool', 'volta install @our/tool@1.1.0'],
    ['home/.config/yarn/global/node_modules/@our/tool', 'yarn global add @our/tool@1.1.0'],
    ['brew/Cellar/our-tool/1.0.0/libexec/lib/node_modules/@our/tool', 'brew upgrade our-tool'],
  ])('is installed in %s by %s', async (folder, command) => {
    const { url } = await registry(200, { latest: '1.1.0' });
    expect((await check(install(folder), { npm_config_registry: url })).ran).toEqual([command]);
  });

  it.each([
    ['home/.npm/_npx/abc/node_modules/@our/tool', {}],
    ['home/.cache/pnpm/dlx-123/node_modules/@our/tool', {}],
    ['tmp/bunx-0-tool/node_modules/@our/tool', {}],
    [GLOBAL, { SANDBOX: 'docker' }],
    ['project/node_modules/@our/tool', {}],
  ])('is only announced in %s %o', async (folder, env) => {
    const { url } = await registry(200, { latest: '1.1.0' });
    const { told, ran } = await check(install(folder), { npm_config_registry: url, ...env });
    expect(ran).toEqual([]);
    expect(told).toEqual(['Version 1.1.0 is available; this is 1.0.0.']);
  });

  it('is never installed into a checkout or for a private package', async () => {
    const { url } = await registry(200, { latest: '1.1.0' });
    const script = install('checkout/packages/cli');
    mkdirSync(join(root, 'checkout/.git'));
    expect((await check(script, { npm_config_registry: url })).ran).toEqual([]);
    const hidden = install(GLOBAL, { name: '@our/tool', private: true });
    expect((await check(hidden, { npm_config_registry: url })).ran).toEqual([]);
  });

  it('is announced with its command when automatic updates are disabled', async () => {
    const { url } = await registry(200, { latest: '1.1.0' });
    const { told, ran } = await check(
      install(GLOBAL),
      { npm_config_registry: url },
      { enableAutoUpdate: false },
    );
    expect(ran).toEqual([]);
    expect(told[0]).toContain('Get it with: npm install -g @our/tool@1.1.0');
  });
});

describe('checkForUpdate says nothing', () => {
  it.each([
    [404, { error: 'not found' }],
    [200, 'no json'],
    [200, ['list']],
    [200, { latest: 7 }],
    [200, { latest: '0.9.0' }],
    [200, 'x'.repeat(100_000)],
  ])('after the answer %s %o', async (status, body) => {
    const { url } = await registry(status, body);
    expect(await check(install(GLOBAL), { npm_config_registry: url })).toEqual({ told: [], ran: [] });
  });

  it('when the registry does not answer', async () => {
    const env = { npm_config_registry: 'http://127.0.0.1:1/' };
    expect(await check(install(GLOBAL), env)).toEqual({ told: [], ran: [] });
  });

  it('and asks no registry when disabled, in development, and for unpublished packages', async () => {
    const { url, asked } = await registry(200, { latest: '1.1.0' });
    const script = install(GLOBAL);
    await check(script, { npm_config_registry: url }, { enableAutoUpdateNotification: false });
    await check(script, { npm_config_registry: url, DEV: 'true' });
    await check(install('p', { name: '@our/tool', private: true }), {});
    expect(asked).toEqual([]);
  });
});

describe('newerVersion', () => {
  it.each([
    ['1.0.0', { latest: '1.0.1', preview: '2.0.0-preview.0', nightly: '3.0.0-nightly.1' }, '1.0.1'],
    ['1.0.0', { latest: '2.0.0-preview.0' }, undefined],
    ['1.0.0-preview.9', { preview: '1.0.0-preview.10', nightly: '3.0.0-nightly.1' }, '1.0.0-preview.10'],
    ['1.0.0-preview.9', { preview: '1.0.0-preview.10', latest: '1.0.0' }, '1.0.0'],
    ['1.0.0-nightly.20260102.a', { nightly: '1.0.0-nightly.20260101.b' }, undefined],
    ['1.0.0-nightly.20260102.a', { nightly: '1.0.0-nightly.20260103.b' }, '1.0.0-nightly.20260103.b'],
    ['1.0.0-nightly.1', { latest: '1.0.0', preview: '9.0.0-preview.1' }, '1.0.0'],
    ['1.10.0', { latest: '1.9.0' }, undefined],
    ['1.0.0', { latest: '1.0.0; rm -rf /' }, undefined],
  ])('offers for %s, with the tags %o, %s', (current, tags, expected) => {
    expect(newerVersion(current, tags as Record<string, string>)).toBe(expected);
  });
});

it("registryFor takes the user's registry from environment, scope or .npmrc, else the public one", () => {
  expect(registryFor('@our/tool', {}, root).url).toBe('https://registry.npmjs.org/');
  writeFileSync(join(root, '.npmrc'), '# x\nregistry = https://a.test\n@our:registry=https://b.test/x\n');
  expect(registryFor('@our/tool', {}, root).url).toBe('https://b.test/x/');
  expect(registryFor('tool', {}, root)).toEqual({ url: 'https://a.test/', isConfigured: true });
  expect(registryFor('tool', { npm_config_registry: 'https://c.test' }, root).url).toBe('https://c.test/');
});
