import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '@gemini-cli/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExtensionActions } from '../extension-actions.js';
import { type TestContextOptions, testContext } from '../testing/context.test-helper.js';
import { config as configure, install, uninstall, update } from './change-extensions.js';
import { explore } from './explore-extensions.js';
import { completeDisabled, completeEnabled, disable, enable, list, restart } from './extensions.js';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'slash-extensions-')));
  for (const name of ['alpha', 'beta']) add(name);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function add(name: string, text = JSON.stringify({ name, version: '1.0.0', description: `About ${name}` })) {
  const dir = join(home, '.gemini', 'extensions', name);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'gemini-extension.json'), text);
}

function context(options: TestContextOptions = {}) {
  const config: Partial<Config> = {
    getEnvironment: () => ({ variables: {}, cwd: home, home }),
    getTargetDir: () => join(home, 'work'),
    isTrustedFolder: () => true,
    getMcpClientManager: () => undefined,
  };
  Object.defineProperty(config, 'storage', { value: { getGlobalGeminiDir: () => join(home, '.gemini') } });
  return testContext({ config, cwd: home, ...options });
}
const RELOADING = { settings: { experimental: { extensionReloading: true } } };
const rules = () =>
  JSON.parse(readFileSync(join(home, '.gemini/extensions/extension-enablement.json'), 'utf8')) as unknown;

describe('/extensions list', () => {
  it('shows each with version and state, and names broken ones', async () => {
    add('broken', '{');
    const shown = await list(context(), '');
    expect(shown).toMatchObject({ type: 'items', items: [{ type: 'list', title: 'Extensions' }] });
    const text = JSON.stringify(shown);
    expect(text).toContain('"name":"alpha","note":"1.0.0, enabled"');
    expect(text).toMatch(/"note":"not loaded","detail":"[^"]*not valid JSON/);
  });
});

describe('/extensions enable and disable', () => {
  it('hold for the session without a scope, write nothing and load the choice', async () => {
    const one = context();
    expect(await disable(one, 'ALPHA')).toMatchObject({
      messageType: 'info',
      content: 'Extension "alpha" disabled (session). It holds until this session ends.',
    });
    expect(one.calls).toEqual(['reloadExtensions(["beta"])', 'reloadCommands()']);
    expect(rules).toThrow();
    const none = context();
    await disable(none, '--all');
    expect(none.calls[0]).toBe('reloadExtensions(["none"])');
    const back = context({ app: { chosenExtensions: () => ['beta'] } });
    await enable(back, 'alpha');
    expect(back.calls[0]).toBe('reloadExtensions(["alpha","beta"])');
  });

  it('write the rule of a scope, and take effect now or with the next start', async () => {
    const later = context();
    expect(await disable(later, 'alpha --scope=user')).toMatchObject({
      content: 'Extension "alpha" disabled (user). Restart gemini to apply it.',
    });
    expect(rules()).toEqual({ alpha: { overrides: [`!${home}/*`] } });
    expect(later.calls).toEqual([]);
    const now = context(RELOADING);
    expect(await enable(now, 'alpha --scope workspace')).toMatchObject({
      content: 'Extension "alpha" enabled (workspace). It is in effect now.',
    });
    expect(now.calls).toEqual(['reloadExtensions()', 'reloadCommands()']);
    const chosen = context({ ...RELOADING, app: { chosenExtensions: () => ['beta'] } });
    await enable(chosen, 'alpha --scope=user');
    expect(chosen.calls[0]).toBe('reloadExtensions(["beta","alpha"])');
  });

  it.each([
    ['', /A name is missing/],
    ['alpha --all', /not both/],
    ['alpha --scope=planet', /user, workspace or session/],
    ['gamma', /Extension not found: gamma\. Installed: alpha, beta/],
    ['alpha --force', /Unknown argument "--force"/],
  ])('refuse "%s"', async (args, expected) => {
    expect(await enable(context(), args)).toMatchObject({
      messageType: 'error',
      content: expect.stringMatching(expected),
    });
  });

  it('are completed with the names that fit, and with scopes after them', async () => {
    const one = context({ app: { chosenExtensions: () => ['beta'] } });
    expect(await completeEnabled(one, '')).toEqual(['beta', '--all']);
    expect(await completeDisabled(one, 'a')).toEqual(['alpha']);
    expect(await completeEnabled(one, 'beta --scope=w')).toEqual(['beta --scope=workspace']);
  });
});

describe('/extensions restart', () => {
  it('needs the setting, and loads all again', async () => {
    expect(await restart(context(), '--all')).toMatchObject({ messageType: 'error' });
    const one = context(RELOADING);
    expect(await restart(one, '')).toMatchObject({ content: 'Extensions loaded again: 2 enabled.' });
    expect(one.calls).toContain('reloadExtensions()');
  });
});

describe('/extensions explore', () => {
  it('opens the page, or the gallery whose choice is installed', async () => {
    const one = context();
    await explore(one, '');
    expect(one.calls).toEqual(['openUrl("https://geminicli.com/extensions/")']);
    const shown = await explore(context({ settings: { experimental: { extensionRegistry: true } } }), '');
    expect(shown).toMatchObject({ type: 'dialog', dialog: 'extensionGallery' });
    const next = shown?.type === 'dialog' ? shown.next : undefined;
    expect(next?.('https://github.com/a/b')).toBe('/extensions install https://github.com/a/b');
    expect(next?.(undefined)).toBeUndefined();
  });
});

describe('/extensions install, update, uninstall and config', () => {
  /** Records what was asked of it; asks for consent before an install. */
  function actions() {
    const asked: unknown[] = [];
    const given: ExtensionActions = {
      install: async (request, ask) => {
        asked.push(request);
        return (await ask.consent('Installing "x"')) ? { name: 'x', version: '2.0.0' } : undefined;
      },
      link: async (path) => ({ name: path, version: '1.0.0' }),
      uninstall: async (name) => {
        if (name !== 'alpha') throw new Error(`Extension not found: ${name}.`);
        return name;
      },
      update: async (names) => {
        asked.push(names);
        return [{ name: 'alpha', message: 'alpha: 1.0.0 → 1.1.0.', level: 'info', hasChanged: true }];
      },
      configure: async (request, ask) => {
        asked.push(request);
        return [`KEY is ${await ask.value({ title: 'Key', isSecret: true })}`];
      },
    };
    return { asked, given };
  }
  const questions = (yes: boolean) => ({
    questions: { confirm: async () => yes, value: async () => 'typed' },
  });

  it('asks before it installs, and says when it takes effect', async () => {
    const { asked, given } = actions();
    const yes = context({ ...RELOADING, extensions: given, ui: questions(true) });
    expect(await install(yes, 'https://x.example/a --ref v1 --auto-update')).toMatchObject({
      content: 'Installed "x" 2.0.0. It is in effect now.',
    });
    expect(asked).toEqual([{ source: 'https://x.example/a', ref: 'v1', autoUpdate: true }]);
    const no = context({ extensions: given, ui: questions(false) });
    expect(await install(no, 'a/b')).toMatchObject({ content: 'Nothing was installed.' });
    const headless = context({ extensions: given });
    expect(await install(headless, 'a/b')).toMatchObject({ content: 'Nothing was installed.' });
    expect(JSON.stringify(headless.items)).toContain('gemini extensions install --consent');
  });

  it('updates named ones or all, and refuses unknown names', async () => {
    const { asked, given } = actions();
    const one = context({ extensions: given });
    expect(await update(one, '--all')).toMatchObject({
      content: 'alpha: 1.0.0 → 1.1.0.\nRestart gemini to apply it.',
    });
    expect(asked).toEqual(['all']);
    expect(await update(one, 'gamma')).toMatchObject({ messageType: 'error' });
    expect(await update(one, '')).toMatchObject({ messageType: 'error' });
  });

  it('removes what it can and names the rest', async () => {
    const { given } = actions();
    expect(await uninstall(context({ extensions: given }), 'alpha gamma')).toMatchObject({
      messageType: 'error',
      content: 'Removed "alpha". Restart gemini to apply it.\nExtension not found: gamma.',
    });
  });

  it('asks for values', async () => {
    const { asked, given } = actions();
    const one = context({ extensions: given, ui: questions(true) });
    expect(await configure(one, 'alpha KEY --scope=workspace')).toMatchObject({
      content: 'KEY is typed\nRestart gemini to apply it.',
    });
    expect(asked).toEqual([{ name: 'alpha', setting: 'KEY', scope: 'workspace' }]);
  });
});
