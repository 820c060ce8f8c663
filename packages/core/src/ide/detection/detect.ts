/** Which editor the terminal belongs to, by its environment and, where that is not enough, by the editor's process. */
import type { Variables } from '../../platform/environment.js';
import type { IdeInfo } from '../types.js';
import { EDITORS, type Editor, isZed, JETBRAINS, VSCODE, VSCODE_FORK } from './editors.js';
import { productsHere } from './products.js';

/** The terminals of supported editors. */
export function isInEditor(env: Variables): boolean {
  const { TERM_PROGRAM: program = '', TERMINAL_EMULATOR: emulator = '' } = env;
  return (
    ['vscode', 'sublime'].includes(program) ||
    isZed(env) ||
    Boolean(env['XCODE_VERSION_ACTUAL']) ||
    emulator.toLowerCase().includes('jetbrains')
  );
}

/** @param commandOf the command line of the editor's process, read only where the name depends on it */
export function detectEditor(env: Variables, commandOf: () => string | undefined): IdeInfo {
  const editor = EDITORS.find(({ isHere }) => isHere(env));
  if (!editor) return named(plain(isCode(commandOf()) ? VSCODE : VSCODE_FORK), env);
  if (editor.name !== 'jetbrains') return plain(editor);
  const command = commandOf()?.toLowerCase() ?? '';
  return JETBRAINS.find(([process]) => command.includes(process))?.[1] ?? plain(editor);
}

/** The row of an editor, for what only the table knows. */
export function editorNamed(name: string): Editor | undefined {
  return [VSCODE, VSCODE_FORK, ...EDITORS].find((editor) => editor.name === name);
}

function isCode(command: string | undefined): boolean {
  return command === undefined || command.toLowerCase().includes('code');
}

function named(info: IdeInfo, env: Variables): IdeInfo {
  const [displayName] = productsHere(env).flatMap((product) => product.displayName ?? []);
  return displayName === undefined ? info : { ...info, displayName };
}

function plain({ name, displayName }: Editor): IdeInfo {
  return { name, displayName };
}
