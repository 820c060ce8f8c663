/** A newer version: told, or brought in, after the first prompt can be typed. Nothing of it ever stands in the way. */
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import type { Settings } from '@gemini-cli/core';
import { findInstallation } from './installation.js';
import { fetchTags, registryFor } from './registry.js';
import { newerVersion } from './version.js';

export interface UpdateRequest {
  settings: Settings;
  env: NodeJS.ProcessEnv;
  version: string;
  /** What Node runs. */
  script: string | undefined;
  signal: AbortSignal;
  tell: (text: string) => void;
  /** Runs a command to its end, detached. True: it went well. */
  run?: (command: readonly string[]) => Promise<boolean>;
}

export async function checkForUpdate(request: UpdateRequest): Promise<void> {
  const { settings, env, version, script, signal, tell, run = runDetached } = request;
  const { general } = settings;
  if (general?.enableAutoUpdateNotification === false || env['DEV'] === 'true') return;
  const installation = findInstallation(script, env);
  if (!installation) return;
  const { name, isPrivate } = installation.package;
  const registry = registryFor(name, env, homedir());
  // The public registry knows nothing of a copy that was never published, or of one from the sources.
  if ((isPrivate || installation.isCheckout) && !registry.isConfigured) return;
  const tags = await fetchTags(name, registry.url, signal);
  const newer = tags && newerVersion(version, tags);
  if (!newer || signal.aborted) return;
  const command = installation.updateCommand(newer);
  const found = `Version ${newer} is available; this is ${version}.`;
  if (!command || general?.enableAutoUpdate === false) {
    tell(command ? `${found} Get it with: ${command.join(' ')}` : found);
    return;
  }
  tell(`${found} It is being installed.`);
  const isDone = await run(command);
  tell(
    isDone
      ? `Version ${newer} is installed and counts from the next start.`
      : `Version ${newer} could not be installed. Try it yourself: ${command.join(' ')}`,
  );
}

/** It goes on when the program ends meanwhile: half an installation is worse than none. */
function runDetached([file = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const isWindows = process.platform === 'win32';
    // On Windows package managers are batch files.
    const child = spawn(file, args, { detached: true, stdio: 'ignore', shell: isWindows, windowsHide: true });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    child.unref();
  });
}
