/** Installs the companion that comes with the program into the editor of this terminal, by the editor's own command. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf } from '../base/errors.js';
import { findBuiltFile } from '../platform/built-file.js';
import type { Variables } from '../platform/environment.js';
import { createLog } from '../platform/log.js';
import { editorNamed } from './detection/detect.js';
import { overAcp } from './detection/editors.js';
import { editorCommand } from './editor-command.js';
import type { IdeInfo } from './types.js';

export type InstallOutcome =
  | { kind: 'installed' }
  /** The companion of Gemini CLI is there and speaks the same protocol. */
  | { kind: 'other_companion' }
  | { kind: 'failed'; message: string };

export interface InstallScene {
  ide: IdeInfo;
  env: Variables;
  signal: AbortSignal;
  /** The extension's file; absent: the one in this build. */
  file?: string;
}

export const OFFICIAL_ID = 'google.gemini-cli-vscode-ide-companion';
const INSTALL_MS = 60_000;
const log = createLog('ide');

export async function installCompanion({ ide, env, signal, file }: InstallScene): Promise<InstallOutcome> {
  const installers = editorNamed(ide.name)?.installers?.(env);
  if (!installers)
    return failed(`The companion cannot be installed in ${ide.displayName}. ${overAcp(ide.name)}`);
  const extension = file ?? findBuiltFile('companion.vsix');
  if (extension === undefined) return failed('The companion is not part of this build.');
  const command = editorCommand(installers, env);
  if (command === undefined)
    return failed(`The command "${installers[0]}" was not found. ${byHand(ide, installers[0], extension)}`);
  if (await hasOfficial(command, env, signal)) return { kind: 'other_companion' };
  try {
    await run(command, ['--install-extension', extension, '--force'], env, signal);
    return { kind: 'installed' };
  } catch (error) {
    return failed(
      `${ide.displayName} did not install the companion: ${reasonOf(error)} Its file: ${extension}`,
    );
  }
}

/** Only on a Mac the editor does not put its command into PATH when it is installed. */
function byHand({ displayName }: IdeInfo, command: string | undefined, extension: string): string {
  const first = `run "Shell Command: Install '${command}' command in PATH" and try again, or `;
  const ways = process.platform === 'darwin' ? first : '';
  return `In ${displayName} ${ways}run "Extensions: Install from VSIX…" with this file: ${extension}`;
}

async function hasOfficial(command: string, env: Variables, signal: AbortSignal): Promise<boolean> {
  try {
    const list = await run(command, ['--list-extensions'], env, signal);
    return list.split(/\r?\n/).some((id) => id.trim().toLowerCase() === OFFICIAL_ID);
  } catch (error) {
    log.debug('The extensions could not be listed.', messageOf(error));
    return false;
  }
}

async function run(command: string, args: string[], env: Variables, signal: AbortSignal): Promise<string> {
  const isScript = process.platform === 'win32' && /\.(?:cmd|bat)$/i.test(command);
  const { stdout } = await promisify(execFile)(
    isScript ? `"${command}"` : command,
    isScript ? args.map((arg) => `"${arg}"`) : args,
    {
      env: env as NodeJS.ProcessEnv,
      signal,
      timeout: INSTALL_MS,
      shell: isScript,
      windowsHide: true,
    },
  );
  return stdout;
}

/** The last line an installer prints says what went wrong. */
function reasonOf(error: unknown): string {
  const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  const line = stderr.split('\n').at(-1) || messageOf(error);
  return line.endsWith('.') ? line : `${line}.`;
}

function failed(message: string): InstallOutcome {
  return { kind: 'failed', message };
}
