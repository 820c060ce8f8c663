import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SettingsHome, settingsHome } from '../settings-home.test-helper.js';
import { saveSetting } from './write.js';

let place: SettingsHome;
beforeEach(() => {
  place = settingsHome();
});
afterEach(() => place.cleanup());
const text = (path = place.files.user) => readFileSync(path, 'utf8');
describe('old names', () => {
  it('are replaced at the first save, after one backup', async () => {
    const before =
      '{\n  "model": "gemini-2.0-flash", // fast\n  "vimMode": true,\n  // ignore rules\n  "fileFiltering": { "respectGitIgnore": false, "disableFuzzySearch": true },\n' +
      '  "context": {\n    "fileFiltering": { "respectGitIgnore": true } // keep\n  },\n  "disableAutoUpdate": "$NO_UPDATE",\n  "theme": "VS"\n}\n';
    place.put('user', before);
    const settings = place.load({ env: { NO_UPDATE: 'true' } });
    const inForce = structuredClone(settings.merged);
    await settings.setValue('user', 'ui.hideTips', true);
    expect(readFileSync(`${place.files.user}.orig`, 'utf8')).toBe(before);
    const after = text();
    expect(after).toContain('// keep');
    expect(after).toContain('// ignore rules');
    expect(settings.file('user').raw).toEqual({
      model: { name: 'gemini-2.0-flash' },
      general: { vimMode: true },
      context: { fileFiltering: { respectGitIgnore: true, enableFuzzySearch: false } },
      // What a variable says cannot be turned round in the file.
      disableAutoUpdate: '$NO_UPDATE',
      ui: { theme: 'Default Light', hideTips: true },
    });
    expect(settings.merged).toEqual({ ...inForce, ui: { theme: 'Default Light', hideTips: true } });
    place.put('user', { vimMode: true });
    await settings.setValue('user', 'ui.hideTips', true);
    expect(readFileSync(`${place.files.user}.orig`, 'utf8')).toBe(before);
  });
});

/** A process of its own that saves eight settings one by one. */
const SAVER = `
  const { saveSetting } = await import(${JSON.stringify(new URL('./write.ts', import.meta.url).href)});
  for (let index = 0; index < 8; index++) {
    const keys = ['mcpServers', process.env.PREFIX + index];
    await saveSetting(process.env.TARGET, { keys, value: { command: 'x' }, isPrivate: true });
  }
`;

describe('several processes', () => {
  it('lose nothing when they write the same file', async () => {
    place.put('user', '{\n  // keep me\n}\n');
    const run = (prefix: string) =>
      spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', SAVER], {
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, TARGET: place.files.user, PREFIX: prefix },
      });
    const children = ['a', 'b', 'c'].map(run);
    const mine = Array.from({ length: 8 }, (_, index) =>
      saveSetting(place.files.user, {
        keys: ['ui', 'customThemes', `t${index}`],
        value: {},
        isPrivate: true,
      }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
    await Promise.all(mine);
    expect(codes).toEqual([0, 0, 0]);
    expect(text()).toContain('// keep me');
    const { mcpServers, ui } = place.load().merged;
    expect(Object.keys(mcpServers ?? {}).sort()).toEqual(
      ['a', 'b', 'c'].flatMap((prefix) => [0, 1, 2, 3, 4, 5, 6, 7].map((index) => `${prefix}${index}`)),
    );
    expect(Object.keys(ui?.customThemes ?? {})).toHaveLength(8);
    expect(readdirSync(dirname(place.files.user))).toEqual(['settings.json']);
  }, 30_000);
});
