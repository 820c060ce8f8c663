/** For tests: a temporary home, project and system directory. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { LoadedSettings } from './loaded-settings.js';
import type { SettingScope } from './types.js';

export function settingsHome(): SettingsHome {
  const root = tempDir();
  const at = (...parts: string[]) => join(root.path, ...parts);
  for (const name of ['home', 'project', 'system']) mkdirSync(at(name));
  return new SettingsHome(root.path, root.cleanup);
}

export class SettingsHome {
  readonly home: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly files: Record<SettingScope, string>;

  constructor(
    root: string,
    readonly cleanup: () => void,
  ) {
    this.home = join(root, 'home');
    this.cwd = join(root, 'project');
    this.files = {
      'system-defaults': join(root, 'system', 'system-defaults.json'),
      user: join(this.home, '.gemini', 'settings.json'),
      workspace: join(this.cwd, '.gemini', 'settings.json'),
      system: join(root, 'system', 'settings.json'),
    };
    this.env = { GEMINI_CLI_HOME: this.home, GEMINI_CLI_SYSTEM_SETTINGS_PATH: this.files.system };
  }

  /** Objects are written as JSON. */
  put(scope: SettingScope, content: unknown): string {
    return this.putFile(this.files[scope], content);
  }

  putFile(path: string, content: unknown): string {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    return path;
  }

  load(options: { trusted?: boolean; tolerant?: boolean; env?: NodeJS.ProcessEnv; cwd?: string } = {}) {
    const { env, ...rest } = options;
    return LoadedSettings.load({ cwd: this.cwd, trusted: true, env: { ...this.env, ...env }, ...rest });
  }
}
