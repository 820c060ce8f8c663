import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LoadedSettings, loadExtensionInstallation } from '@gemini-cli/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { updateInBackground } from './background-updates.js';
import { installPorts } from './install-ports.js';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'background-updates-')));
  for (const dir of ['home/.gemini', 'work', 'source']) mkdirSync(join(base, dir), { recursive: true });
  git('init', '-q', '-b', 'main');
  publish({ version: '1.0.0' });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

it('updates an extension with auto-update', async () => {
  const start = await installed({ autoUpdate: true });
  publish({ version: '1.1.0' });
  expect(await start()).toEqual(['Extension "tides" was updated: 1.0.0 → 1.1.0. The next session uses it.']);
  expect(version()).toBe('1.1.0');
  expect(await start()).toEqual([]);
});

it('leaves one that brings more to the user, who is told once for each version', async () => {
  const start = await installed({ autoUpdate: true });
  publish({ version: '2.0.0', excludeTools: ['glob'] });
  const review = 'The new version of the extension "tides" brings more. Review it: /extensions update tides';
  expect(await start()).toEqual([review]);
  expect(await start()).toEqual([]);
  expect(version()).toBe('1.0.0');
  publish({ version: '3.0.0', excludeTools: ['glob'] });
  expect(await start()).toEqual([review]);
});

it('names each new version of the others once, and is silent about a source that is gone', async () => {
  const start = await installed({});
  publish({ version: '1.1.0' });
  const offer = 'A new version of the extension "tides" is available. Get it: /extensions update tides';
  expect(await start()).toEqual([offer]);
  expect(await start()).toEqual([]);
  expect(version()).toBe('1.0.0');
  renameSync(join(base, 'source'), join(base, 'away'));
  expect(await start()).toEqual([]);
  renameSync(join(base, 'away'), join(base, 'source'));
  expect(await start()).toEqual([]);
});

it('keeps what the user was told when the session ends while it looks', async () => {
  const start = await installed({});
  publish({ version: '1.1.0' });
  expect(await start()).toHaveLength(1);
  expect(await start(AbortSignal.abort())).toEqual([]);
  expect(await start()).toEqual([]);
});

/** @returns what a start of the program does; it gives what the user was told */
async function installed(options: {
  autoUpdate?: boolean;
}): Promise<(signal?: AbortSignal) => Promise<string[]>> {
  const home = join(base, 'home');
  const variables = { HOME: home, PATH: process.env['PATH'] ?? '', GEMINI_FORCE_FILE_STORAGE: 'true' };
  const environment = { variables, cwd: join(base, 'work'), home };
  const settings = LoadedSettings.load({ cwd: environment.cwd, env: variables, trusted: true });
  const places = { environment, settings, isTrusted: true };
  const core = await loadExtensionInstallation();
  const signal = new AbortController().signal;
  const yes = async () => true;
  const questions = { consent: yes, confirm: yes, value: async () => undefined, notice: () => {}, signal };
  const ports = installPorts(places, questions, core);
  await core.installExtension({ source: `file://${base}/source`, ...options }, ports);
  let told: Record<string, string> = {};
  return async (ending = signal) => {
    const texts: string[] = [];
    await updateInBackground({
      extensions: core.installedExtensions(ports),
      places,
      tell: (text) => void texts.push(text),
      told,
      remember: (next) => {
        told = next;
      },
      signal: ending,
    });
    return texts;
  };
}

function publish(manifest: object): void {
  const file = join(base, 'source/gemini-extension.json');
  writeFileSync(file, JSON.stringify({ name: 'tides', ...manifest }));
  git('add', '-A');
  git('-c', 'user.name=n', '-c', 'user.email=n@example.com', 'commit', '-qm', 'x');
}

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: join(base, 'source') });
}

function version(): unknown {
  const file = join(base, 'home/.gemini/extensions/tides/gemini-extension.json');
  const manifest: { version?: unknown } = JSON.parse(readFileSync(file, 'utf8'));
  return manifest.version;
}
