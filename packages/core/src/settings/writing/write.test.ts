import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SettingsHome, settingsHome } from '../settings-home.test-helper.js';

let place: SettingsHome;
beforeEach(() => {
  place = settingsHome();
});
afterEach(() => place.cleanup());
const text = (path = place.files.user) => readFileSync(path, 'utf8');

describe('setValue', () => {
  it('keeps comments, order, unknown keys and variables', async () => {
    place.put(
      'user',
      '{\n  // first\n  "ui": {\n    "theme": "$MY_THEME", // by variable\n    "own": [1,2], /* mine */\n  },\n  "zzz": { "a":1 }\n}\n',
    );
    const settings = place.load({ env: { MY_THEME: 'dark' } });
    await settings.setValue('user', 'ui.hideTips', true);
    await settings.setValue('user', 'general.vimMode', true);
    expect(text()).toBe(
      '{\n  // first\n  "ui": {\n    "theme": "$MY_THEME", // by variable\n    "own": [1,2], /* mine */\n    "hideTips": true,\n  },\n' +
        '  "zzz": { "a":1 },\n  "general": {\n    "vimMode": true\n  }\n}\n',
    );
    expect(settings.merged).toMatchObject({
      ui: { theme: 'dark', hideTips: true },
      general: { vimMode: true },
    });
  });

  it('keeps a comment at the end of the last line with its key', async () => {
    place.put('user', '{\n  "ui": {\n    "theme": "x" // about the theme\n  } // about ui\n}\n');
    const settings = place.load();
    await settings.setValue('user', 'ui.hideTips', true);
    await settings.setValue('user', 'tools.shell.pager', 'less');
    expect(text()).toBe(
      '{\n  "ui": {\n    "theme": "x", // about the theme\n    "hideTips": true\n  }, // about ui\n' +
        '  "tools": {\n    "shell": {\n      "pager": "less"\n    }\n  }\n}\n',
    );
  });

  it.each([
    [
      'tabs',
      '{\n\t"ui": {\n\t\t"theme": "x"\n\t}\n}',
      '{\n\t"ui": {\n\t\t"theme": "x",\n\t\t"hideTips": true\n\t}\n}',
    ],
    ['four blanks', '{\n    "a": 1\n}', '{\n    "a": 1,\n    "ui": {\n        "hideTips": true\n    }\n}'],
    [
      'lines of Windows',
      '{\r\n  "ui": {\r\n    "theme": "x" // t\r\n  }\r\n}',
      '{\r\n  "ui": {\r\n    "theme": "x", // t\r\n    "hideTips": true\r\n  }\r\n}',
    ],
    ['a byte order mark', '\ufeff{\n  "ui": {}\n}', '\ufeff{\n  "ui": {\n    "hideTips": true\n  }\n}'],
    [
      'a trailing comma',
      '{\n  "ui": { "theme": "x", }, // u\n}',
      '{\n  "ui": { "theme": "x", "hideTips": true, }, // u\n}',
    ],
    ['an empty file', '', '{\n  "ui": {\n    "hideTips": true\n  }\n}\n'],
  ])('keeps the style of a file with %s', async (_what, before, after) => {
    place.put('user', before);
    await place.load().setValue('user', 'ui.hideTips', true);
    expect(text()).toBe(after);
  });

  it('replaces and removes values, also under names with dots', async () => {
    place.put('user', { ui: { theme: 'x', hideTips: true }, mcpServers: { 'a.b': { command: 'x' } } });
    const settings = place.load();
    await settings.setValue('user', 'ui.theme', 'y');
    await settings.setValue('user', 'ui.hideTips', undefined);
    await settings.setValue('user', ['mcpServers', 'a.b', 'disabled'], true);
    await settings.setValue('user', 'ui.hideBanner', undefined);
    expect(JSON.parse(text())).toEqual({
      ui: { theme: 'y' },
      mcpServers: { 'a.b': { command: 'x', disabled: true } },
    });
    expect(settings.merged).toEqual(JSON.parse(text()));
  });

  it('changes the last one of a repeated key, and removes all', async () => {
    place.put('user', '{ "ui": { "theme": "dead" }, "ui": { "theme": "a", "theme": "b" } }');
    const settings = place.load();
    await settings.setValue('user', 'ui.theme', 'new');
    expect(text()).toBe('{ "ui": { "theme": "dead" }, "ui": { "theme": "a", "theme": "new" } }');
    expect(settings.merged).toEqual({ ui: { theme: 'new' } });
    await settings.setValue('user', 'ui.theme', undefined);
    expect(settings.merged).toEqual({ ui: {} });
    await settings.setValue('user', 'ui', undefined);
    expect(text()).toBe('{ }');
  });

  it('creates the user file for the user only, and the project file with usual access', async () => {
    const settings = place.load();
    await settings.setValue('user', 'general.vimMode', true);
    await settings.setValue('workspace', 'general.vimMode', false);
    expect(text()).toBe('{\n  "general": {\n    "vimMode": true\n  }\n}\n');
    expect(statSync(place.files.user).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(place.files.user)).mode & 0o777).toBe(0o700);
    expect(statSync(place.files.workspace).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(settings.merged).toEqual({ general: { vimMode: false } });
    expect(readdirSync(dirname(place.files.user))).toEqual(['settings.json']);
  });

  it('keeps the mode and a link', async () => {
    const real = place.putFile(join(place.home, 'dotfiles', 'gemini.json'), '{}');
    chmodSync(real, 0o640);
    mkdirSync(dirname(place.files.user));
    symlinkSync(real, place.files.user);
    await place.load().setValue('user', 'ui.theme', 'x');
    expect(lstatSync(place.files.user).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o640);
    expect(JSON.parse(text(real))).toEqual({ ui: { theme: 'x' } });
  });

  it('keeps what another program wrote since the file was read, and applies it', async () => {
    place.put('user', { ui: { theme: 'x' } });
    const settings = place.load();
    place.put('user', '{\n  // by an editor\n  "ui": { "theme": "y" },\n  "model": { "name": "pro" }\n}');
    await settings.setValue('user', 'general.vimMode', true);
    expect(text()).toBe(
      '{\n  // by an editor\n  "ui": { "theme": "y" },\n  "model": { "name": "pro" },\n  "general": {\n    "vimMode": true\n  }\n}',
    );
    expect(settings.merged).toEqual({
      ui: { theme: 'y' },
      model: { name: 'pro' },
      general: { vimMode: true },
    });
  });

  it('does not touch a file that was broken meanwhile; the value holds in memory', async () => {
    place.put('user', { ui: { theme: 'x' } });
    const settings = place.load();
    place.put('user', '{ "ui": ');
    await expect(settings.setValue('user', 'ui.theme', 'y')).rejects.toThrow(
      /^Failed to save settings: .*settings\.json has a mistake: .*\(line 1, column \d+\)\. Correct it first\.$/,
    );
    expect(text()).toBe('{ "ui": ');
    expect(settings.merged).toEqual({ ui: { theme: 'y' } });
  });

  it.each([
    ['a directory in its place', (path: string) => mkdirSync(path), 'a directory stands where'],
    [
      'bytes that are not UTF-8',
      (path: string) => writeFileSync(path, Buffer.from('{"a":"\xfc"}', 'latin1')),
      'not UTF-8',
    ],
  ])('tells why it cannot save: %s', async (_what, make, reason) => {
    const settings = place.load();
    mkdirSync(dirname(place.files.user), { recursive: true });
    make(place.files.user);
    await expect(settings.setValue('user', 'ui.theme', 'y')).rejects.toThrow(reason);
    expect(settings.merged.ui?.theme).toBe('y');
  });

  it('refuses values that the next start would report, and the workspace file in the home directory', async () => {
    const settings = place.load();
    await expect(settings.setValue('user', 'general.vimMode', 'maybe')).rejects.toThrow(
      'Failed to save settings: general.vimMode: expected boolean, received string',
    );
    await expect(settings.setValue('workspace', 'security.folderTrust.enabled', false)).rejects.toThrow(
      "Failed to save settings: security.folderTrust.enabled: this can be set in the user's",
    );
    await expect(place.load({ cwd: place.home }).setValue('workspace', 'ui.theme', 'x')).rejects.toThrow(
      'Failed to save settings: in the home directory',
    );
    expect(existsSync(place.files.user)).toBe(false);
  });

  it('saves one after the other in the order of the calls', async () => {
    const settings = place.load();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => settings.setValue('user', 'model.maxSessionTurns', index)),
    );
    expect(JSON.parse(text())).toEqual({ model: { maxSessionTurns: 19 } });
  });
});
