/** What dialogs and commands may do to the running program. */
import { spawn } from 'node:child_process';
import { messageOf, TrustedFolders, type Variables } from '@gemini-cli/core';
import { openRunFolder } from '../../../engine/run-folder.js';
import type { DialogServices, TrustLevel } from '../../dialogs/dialog.js';
import type { App } from '../app.js';

export interface ServicePorts {
  setInput(text: string): void;
  previewTheme(name: string | undefined): void;
  copyToClipboard(text: string): Promise<void>;
  /** What can be applied at once is. */
  onSettingChanged(): void;
  openEditor(path: string): Promise<void>;
  resumeSession(identifier: string): Promise<void>;
  quit(): void;
}

export function dialogServices(app: App, ports: ServicePorts, height: number): DialogServices {
  const { engine } = app;
  const { folder } = engine;
  return {
    config: engine.config,
    settings: folder.settings,
    cwd: folder.cwd,
    env: app.env,
    height,
    addItem: (item) => app.add(item),
    previewTheme: ports.previewTheme,
    changeSetting: async (scope, key, value) => {
      await folder.settings.setValue(scope, key, value);
      ports.onSettingChanged();
    },
    restartEngine: () => attempt(() => engine.start()),
    switchModel: (model) => switchModel(app, model),
    setTrust: (level, folder) => attempt(() => setTrust(app, level, folder)),
    resumeSession: ports.resumeSession,
    setInput: ports.setInput,
    copyToClipboard: ports.copyToClipboard,
    openUrl: (url) => openInBrowser(url, app.env),
    openEditor: ports.openEditor,
    quit: ports.quit,
  };
}

/** The problem as a sentence; undefined: it worked. */
async function attempt(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

async function switchModel({ engine, store }: App, model: string): Promise<string | undefined> {
  const before = engine.model;
  engine.model = model;
  const problem = await attempt(() => (engine.config ? engine.config.setModel(model) : engine.start()));
  if (problem !== undefined) engine.model = before;
  else if (engine.config)
    store.dispatch({ type: 'facts_changed', facts: { model: engine.config.getModel() } });
  return problem;
}

/** Saved, and in force at once: settings and `.env` of the folder are read anew, a running engine follows. */
async function setTrust(
  { engine, options, notice, store }: App,
  level: TrustLevel,
  path = engine.folder.cwd,
): Promise<void> {
  const { settings, environment } = engine.folder;
  const env = environment.variables;
  const folders = TrustedFolders.load(env, { trustedFolders: settings.merged.trustedFolders });
  await folders.setRule(path, level);
  const { flags } = options.line;
  const read = await openRunFolder({ flags, env, warn: notice });
  // The same variables: the running engine sees what the folder's `.env` file adds to them.
  Object.assign(env, read.environment.variables);
  engine.folder = { ...read, environment };
  const { trusted } = engine.folder.trust;
  engine.config?.setTrusted(trusted);
  store.dispatch({ type: 'facts_changed', facts: { trusted } });
}

/** None of them reads the address as a command: `cmd /c start` would, from the first `&` on. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** False: there is no browser, or nobody would see it. */
export async function openInBrowser(url: string, env: Variables): Promise<boolean> {
  if (!/^https?:\/\//.test(url) || env['NO_BROWSER'] || env['SSH_CONNECTION']) return false;
  const hasDesktop = process.platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY'];
  if (!hasDesktop) return false;
  const [file = 'xdg-open', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(file, [...args, url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
