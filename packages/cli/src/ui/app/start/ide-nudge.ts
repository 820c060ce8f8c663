/** The first start in the terminal of a supported editor: offers to connect with it. */
import { type Config, setting, type Variables } from '@gemini-cli/core';
import type { IdeNudgeAnswer } from '../../dialogs/ide/IdeNudge.js';
import type { AppContext } from '../context/app-context.js';
import type { Dialogs } from '../dialogs/dialogs.js';

export interface NudgePorts {
  context: AppContext;
  dialogs: Dialogs;
  runCommand(line: string): void;
  /** Nothing is typed, asked or answered yet. */
  isUntouched(): boolean;
}

/** Cheap: in any other terminal nothing is loaded. */
export function mayNudge({ settings, env }: Pick<AppContext, 'settings' | 'env'>): boolean {
  const isKnown = setting(settings, 'ide.enabled') || setting(settings, 'ide.hasSeenNudge');
  return !isKnown && !env['SANDBOX'] && isEditorTerminal(env);
}

export async function nudge(
  config: Config,
  { context, dialogs, runCommand, isUntouched }: NudgePorts,
): Promise<void> {
  const ide = config.getIde();
  const editor = await ide.editor();
  if (typeof editor === 'string') return;
  const isInstalled = editor.isInstalled || Boolean(context.env['GEMINI_CLI_IDE_SERVER_PORT']);
  // Where there is nothing to install, the companion must be there.
  if (!isInstalled && !editor.canInstall) return;
  // Keys on their way are not meant for it, and other questions come first: it waits for the next start.
  if (!isUntouched()) return;
  const props = { editor: editor.displayName, isInstalled };
  const answer = (await dialogs.ask('ideNudge', props)) as IdeNudgeAnswer | undefined;
  const save = (key: string) => context.folder.settings.setValue('user', key, true);
  if (answer === 'yes' || answer === 'never') await save('ide.hasSeenNudge');
  if (answer === 'yes') runCommand(isInstalled ? '/ide enable' : '/ide install');
}

/** Rough: which editor it is, and whether it can be connected, is looked up where this says yes. */
function isEditorTerminal(env: Variables): boolean {
  const { TERM_PROGRAM: program = '', TERMINAL_EMULATOR: emulator = '' } = env;
  const names = ['GEMINI_CLI_IDE_SERVER_PORT', 'ZED_SESSION_ID', 'XCODE_VERSION_ACTUAL'];
  const isNamed = /^(?:vscode|sublime|zed)$/i.test(program) || /jetbrains/i.test(emulator);
  return isNamed || names.some((name) => env[name]);
}
