import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SettingsHome, settingsHome } from '../settings-home.test-helper.js';

let place: SettingsHome;
beforeEach(() => {
  place = settingsHome();
});
afterEach(() => place.cleanup());

describe('the extra files', () => {
  it('report errors in hooks.toml by line and drop only the wrong entries', async () => {
    const path = place.putFile(
      join(place.home, '.gemini', 'hooks.toml'),
      '[hooks.AfterTool]\nhooks = [ { type = "command", command = "good" }, { type = "command", command = 5 } ]\n' +
        '\n[hooks.AfterTol]\nhooks = []\n',
    );
    const settings = place.load();
    await settings.loadExtraFiles();
    expect(settings.merged.hooks).toEqual({ AfterTool: [{ hooks: [{ type: 'command', command: 'good' }] }] });
    expect(settings.problems).toEqual([
      {
        severity: 'warning',
        guard: true,
        file: path,
        line: 1,
        keyPath: 'hooks.AfterTool[0].hooks[1].command',
        message: 'expected string, received number',
        hint: 'Until it is right, hooks.AfterTool[0].hooks[1] is left out.',
      },
      {
        severity: 'warning',
        guard: true,
        file: path,
        line: 4,
        keyPath: 'hooks.AfterTol',
        message: 'unknown key',
        hint: 'Did you mean hooks.AfterTool?',
      },
    ]);
    place.putFile(path, '[hooks.AfterTool]\nhooks = [\n');
    await settings.loadExtraFiles();
    expect(settings.problems).toEqual([expect.objectContaining({ severity: 'error', file: path, line: 3 })]);
    expect(settings.merged).toEqual({});
    rmSync(path);
    execFileSync('mkfifo', [path]);
    await settings.loadExtraFiles();
    expect(settings.problems).toEqual([
      expect.objectContaining({ severity: 'error', file: path, message: 'it is not a regular file.' }),
    ]);
    rmSync(path);
    await settings.loadExtraFiles();
    expect(settings.problems).toEqual([]);
  });
});
