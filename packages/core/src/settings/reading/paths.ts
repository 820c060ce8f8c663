/** Paths of the settings files. */
import { statSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { geminiHome } from '../../platform/environment.js';
import type { SettingScope } from '../types.js';

export interface SettingsPaths {
  files: Readonly<Record<SettingScope, string>>;
  mcpSettings: string;
  hooks: Readonly<Record<'user' | 'workspace', string>>;
  /** Remembers which notices were shown. */
  shownNotices: string;
  /** The workspace is the home directory, so its file is the user's own. */
  isHome: boolean;
}

export function settingsPaths(cwd: string, env: NodeJS.ProcessEnv): SettingsPaths {
  const home = homeOr(parse(cwd).root, env);
  const own = join(home, '.gemini');
  const project = join(cwd, '.gemini');
  const system = env['GEMINI_CLI_SYSTEM_SETTINGS_PATH'] || join(systemDirectory(), 'settings.json');
  return {
    files: {
      'system-defaults':
        env['GEMINI_CLI_SYSTEM_DEFAULTS_PATH'] || join(dirname(system), 'system-defaults.json'),
      user: join(own, 'settings.json'),
      workspace: join(project, 'settings.json'),
      system,
    },
    mcpSettings: join(own, 'mcp-settings.json'),
    hooks: { user: join(own, 'hooks.toml'), workspace: join(project, 'hooks.toml') },
    shownNotices: join(own, 'tmp', 'settings-notices.json'),
    isHome: own === project || isSameDirectory(home, cwd),
  };
}

function systemDirectory(): string {
  if (process.platform === 'darwin') return '/Library/Application Support/GeminiCli';
  return process.platform === 'win32' ? 'C:\\ProgramData\\gemini-cli' : '/etc/gemini-cli';
}

/** A user who is not in the system's user database has no home directory and no settings file. */
function homeOr(root: string, env: NodeJS.ProcessEnv): string {
  try {
    return geminiHome(env);
  } catch {
    return root;
  }
}

/** Compares inodes, which also follows links and is cheaper than resolving both paths. */
function isSameDirectory(one: string, other: string): boolean {
  try {
    const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
    return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
  } catch {
    return false;
  }
}
