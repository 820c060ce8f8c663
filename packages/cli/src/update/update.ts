/** Checks for a newer version after start-up, tells the user, and installs it when the session ends. */
import { spawn } from 'node:child_process';
import { homeOf, type Settings } from '@gemini-cli/core';
import { findInstallation } from './installation.js';
import { fetchTags, registryFor } from './registry.js';
import { newerVersion } from './version.js';

export interface UpdateRequest {
  settings: Settings;
  env: NodeJS.ProcessEnv;
  version: string;
  /** The file Node runs. */
  script: string | undefined;
  signal: AbortSignal;
  tell: (text: string) => void;
  /** The version that an earlier session tried to install. */
  tried: string | undefined;
  /**
   * Calls `install` when the session ends: until then the program still loads parts of the old version.
   */
  atSessionEnd: (version: string, install: () => void) => void;
  /** Starts a command and does not wait for it. */
  run?: (command: readonly string[]) => void;
}

export async function checkForUpdate(request: UpdateRequest): Promise<void> {
  const { settings, env, version, script, signal, tell, tried, atSessionEnd, run = runDetached } = request;
  const { general } = settings;
  if (general?.enableAutoUpdateNotification === false || env['DEV'] === 'true') return;
  const installation = findInstallation(script, env);
  if (!installation) return;
  const { name, isPrivate } = installation.package;
  const registry = registryFor(name, env, homeOf(env));
  // The public registry knows nothing of a copy that was never published, or of one from the sources.
  if ((isPrivate || installation.isCheckout) && !registry.isConfigured) return;
  const tags = await fetchTags(name, registry.url, env, signal);
  const newer = tags && newerVersion(version, tags);
  if (!newer || signal.aborted) return;
  const command = installation.updateCommand(newer);
  const found = `Version ${newer} is available; this is ${version}.`;
  if (!command) tell(found);
  else if (general?.enableAutoUpdate === false) tell(`${found} Get it with: ${command.join(' ')}`);
  else if (tried === newer)
    tell(`Version ${newer} could not be installed. Try it yourself: ${command.join(' ')}`);
  else {
    tell(`${found} It will be installed when you exit.`);
    atSessionEnd(newer, () => run(command));
  }
}

/** The command may outlive the program. */
function runDetached([file = '', ...args]: readonly string[]): void {
  // On Windows package managers are batch files.
  const shell = process.platform === 'win32';
  const child = spawn(file, args, { detached: true, stdio: 'ignore', shell, windowsHide: true });
  child.once('error', () => undefined);
  child.unref();
}
