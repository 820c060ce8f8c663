import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadUserSettings } from './load.js';
import { isFolderExplicitlyUntrusted } from './trust.js';

describe('user files', () => {
  let home: ReturnType<typeof tempDir>;
  beforeEach(() => {
    home = tempDir();
    vi.stubEnv('GEMINI_CLI_HOME', home.path);
    vi.stubEnv('GEMINI_CLI_TRUSTED_FOLDERS_PATH', '');
    mkdirSync(join(home.path, '.gemini'));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    home.cleanup();
  });
  const put = (name: string, text: string) => writeFileSync(join(home.path, '.gemini', name), text);

  it('settings: known keys are read, wrong types named and dropped, unknown keys ignored', () => {
    put(
      'settings.json',
      '{ "model": { "name": "pro", "maxSessionTurns": "3" }, // no\n "tools": { "core": [] }, "zzz": 1, }',
    );
    const warnings: string[] = [];
    expect(loadUserSettings((text) => warnings.push(text))).toEqual({
      model: { name: 'pro' },
      tools: { core: [] },
    });
    expect(warnings).toEqual([expect.stringContaining('model.maxSessionTurns must be a number')]);
  });

  it('settings: none is fine, one that does not parse is fatal and names the line', () => {
    expect(loadUserSettings(() => {})).toEqual({});
    put('settings.json', '{\n  "model": {\n');
    expect(() => loadUserSettings(() => {})).toThrow(/settings\.json:3:1 is not valid JSON/);
    put('settings.json', '[1]');
    expect(() => loadUserSettings(() => {})).toThrow('one JSON object');
  });

  it('trust: the nearest rule decides, links count by their target', () => {
    const at = (name: string) => join(home.path, name);
    for (const name of ['a', 'a/b', 'a/b/c']) mkdirSync(at(name));
    put('trustedFolders.json', JSON.stringify({ [at('a')]: 'DO_NOT_TRUST', [at('a/b')]: 'TRUST_FOLDER' }));
    expect([at('a'), at('a/b'), at('a/b/c'), home.path].map(isFolderExplicitlyUntrusted)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    put('trustedFolders.json', 'broken');
    expect(isFolderExplicitlyUntrusted(at('a'))).toBe(false);
  });
});
