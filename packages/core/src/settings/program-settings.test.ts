import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LoadedSettings, type ProgramSettings } from './loaded-settings.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'program-settings-'));
  for (const [path, settings] of Object.entries({
    'home/.gemini/settings.json': { model: { name: 'of the user' }, general: { vimMode: true } },
    'work/.gemini/settings.json': { model: { name: 'of the folder' } },
    'system.json': { general: { vimMode: false } },
  })) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(settings));
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('settings of a program', () => {
  const load = (program: ProgramSettings) => {
    const env = { HOME: join(root, 'home'), GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(root, 'system.json') };
    return LoadedSettings.load({ cwd: join(root, 'work'), env, trusted: true, program });
  };

  it('count over those of user and folder, and under those of the administrator', () => {
    const { merged } = load({ values: { model: { name: 'mine' }, general: { vimMode: true } } });
    expect([merged.model?.name, merged.general?.vimMode]).toEqual(['mine', false]);
  });

  it('stand in place of the files of user and folder', () => {
    const { merged } = load({ replacesFiles: true });
    expect([merged.model?.name, merged.general?.vimMode]).toEqual([undefined, false]);
  });

  it('are checked like those of files', () => {
    const { merged, problems } = load({ values: { model: { name: 7 as unknown as string } } });
    expect(merged.model?.name).toBe('of the folder');
    expect(problems).toMatchObject([{ file: 'the settings of this program', keyPath: 'model.name' }]);
  });
});
