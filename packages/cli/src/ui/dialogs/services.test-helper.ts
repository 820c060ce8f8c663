/** Dialog services for tests: real settings in a temporary folder, all calls recorded. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LoadedSettings, noTelemetry } from '@gemini-cli/core';
import type { DialogServices } from './dialog.js';

export interface TestServices extends DialogServices {
  /** `name:argument,argument` of each call. */
  calls: string[];
  remove(): void;
}

export interface TestSettings {
  user?: object;
  workspace?: object;
  system?: object;
}

export function testServices(changes: Partial<DialogServices> = {}, files: TestSettings = {}): TestServices {
  const root = mkdtempSync(join(tmpdir(), 'dialogs-'));
  const cwd = join(root, 'project');
  const home = join(root, 'home');
  mkdirSync(cwd);
  mkdirSync(home);
  const write = (path: string, value: object | undefined) => {
    if (!value) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(value));
  };
  const system = join(root, 'system.json');
  write(join(home, '.gemini/settings.json'), files.user);
  write(join(cwd, '.gemini/settings.json'), files.workspace);
  write(system, files.system);
  const env = { ...process.env, GEMINI_CLI_HOME: home, GEMINI_CLI_SYSTEM_SETTINGS_PATH: system };
  const settings = LoadedSettings.load({ cwd, env, trusted: true });
  const calls: string[] = [];
  const note =
    <T>(name: string, result: T) =>
    (...args: unknown[]) => {
      calls.push(
        `${name}:${args.map((arg) => (typeof arg === 'object' ? JSON.stringify(arg) : String(arg))).join(',')}`,
      );
      return result;
    };
  return {
    config: undefined,
    telemetry: () => noTelemetry,
    settings,
    cwd,
    env,
    ownEnv: env,
    addItem: note('addItem', undefined),
    previewTheme: note('previewTheme', undefined),
    changeSetting: async (scope, key, value) => {
      note('changeSetting', undefined)(scope, key, value);
      await settings.setValue(scope, key, value);
    },
    restartEngine: note('restartEngine', Promise.resolve(undefined)),
    switchModel: note('switchModel', Promise.resolve(undefined)),
    setTrust: note('setTrust', Promise.resolve(undefined)),
    trustOf: () => ({ trusted: true, source: 'file' }),
    resumeSession: note('resumeSession', Promise.resolve()),
    setInput: note('setInput', undefined),
    copyToClipboard: note('copyToClipboard', Promise.resolve()),
    openUrl: note('openUrl', Promise.resolve(true)),
    openEditor: note('openEditor', Promise.resolve()),
    quit: note('quit', undefined),
    ...changes,
    calls,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
