/** Checks for a newer version after start-up, tells the user, and installs it when the session ends. */
import { spawn } from 'node:child_process';
import type { Settings } from '@gemini-cli/core';
import { type LookRequest, lookForUpdate } from './look.js';

export interface UpdateRequest extends LookRequest {
  settings: Settings;
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
  const look = await lookForUpdate({ env, proxy: general?.proxy, version, script, signal });
  if (look.state !== 'newer' || signal.aborted) return;
  const { version: newer, command } = look;
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
