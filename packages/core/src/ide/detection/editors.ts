/** The editors that the program knows: one row each. The first row that matches the environment names the editor. */
import type { Variables } from '../../platform/environment.js';
import type { IdeInfo } from '../types.js';

export interface Editor extends IdeInfo {
  isHere(env: Variables): boolean;
  /** Programs that can install extensions, the first that exists is used. Absent: extensions are not installed here. */
  installers?: (env: Variables) => readonly string[];
}

const CODE = () => ['code'];
const orCode = (command: string) => () => [command, 'code'];

export const EDITORS: readonly Editor[] = [
  {
    name: 'antigravity',
    displayName: 'Antigravity',
    isHere: has('ANTIGRAVITY_CLI_ALIAS'),
    installers: ({ ANTIGRAVITY_CLI_ALIAS: alias }) => [...(alias ? [alias] : []), 'antigravity', 'agy'],
  },
  {
    name: 'devin',
    displayName: 'Devin',
    isHere: has('__COG_BASHRC_SOURCED'),
    installers: CODE,
  },
  { name: 'replit', displayName: 'Replit', isHere: has('REPLIT_USER'), installers: CODE },
  { name: 'cursor', displayName: 'Cursor', isHere: has('CURSOR_TRACE_ID'), installers: orCode('cursor') },
  { name: 'codespaces', displayName: 'GitHub Codespaces', isHere: has('CODESPACES'), installers: CODE },
  {
    name: 'cloudshell',
    displayName: 'Cloud Shell',
    isHere: has('EDITOR_IN_CLOUD_SHELL', 'CLOUD_SHELL'),
    installers: CODE,
  },
  { name: 'trae', displayName: 'Trae', isHere: is('TERM_PRODUCT', 'Trae'), installers: orCode('trae') },
  { name: 'firebasestudio', displayName: 'Firebase Studio', isHere: has('MONOSPACE_ENV'), installers: CODE },
  {
    name: 'positron',
    displayName: 'Positron',
    isHere: is('POSITRON', '1'),
    installers: () => ['positron'],
  },
  { name: 'sublimetext', displayName: 'Sublime Text', isHere: is('TERM_PROGRAM', 'sublime') },
  { name: 'zed', displayName: 'Zed', isHere: isZed },
  { name: 'xcode', displayName: 'Xcode', isHere: has('XCODE_VERSION_ACTUAL') },
  {
    name: 'jetbrains',
    displayName: 'JetBrains IDE',
    isHere: ({ TERMINAL_EMULATOR: emulator = '' }) => emulator.toLowerCase().includes('jetbrains'),
  },
];

export const VSCODE: Editor = {
  name: 'vscode',
  displayName: 'VS Code',
  isHere: is('TERM_PROGRAM', 'vscode'),
  installers: CODE,
};

/** Calls itself VS Code but its program is another one. */
export const VSCODE_FORK: Editor = { ...VSCODE, name: 'vscodefork', displayName: 'your editor' };

/** Editors of JetBrains, by what the name of their process contains. */
export const JETBRAINS: readonly (readonly [process: string, info: IdeInfo])[] = [
  ['webstorm', { name: 'webstorm', displayName: 'WebStorm' }],
  ['pycharm', { name: 'pycharm', displayName: 'PyCharm' }],
  ['goland', { name: 'goland', displayName: 'GoLand' }],
  ['studio', { name: 'androidstudio', displayName: 'Android Studio' }],
  ['clion', { name: 'clion', displayName: 'CLion' }],
  ['rustrover', { name: 'rustrover', displayName: 'RustRover' }],
  ['datagrip', { name: 'datagrip', displayName: 'DataGrip' }],
  ['phpstorm', { name: 'phpstorm', displayName: 'PhpStorm' }],
  // Last: all of them are started with options that are called `idea`.
  ['idea', { name: 'intellijidea', displayName: 'IntelliJ IDEA' }],
];

/** What to do where the companion cannot be installed. */
export function overAcp(editor: string): string {
  return `Editors with the Agent Client Protocol run gemini themselves: see /docs editors/${acpPage(editor)}.`;
}

function acpPage(editor: string): string {
  if (editor === 'zed') return 'zed';
  return editor === 'jetbrains' || JETBRAINS.some(([, { name }]) => name === editor) ? 'jetbrains' : 'others';
}

/** For the message in a terminal that belongs to none of them. */
export const SUPPORTED_NAMES = [
  VSCODE.displayName,
  ...EDITORS.map(({ displayName }) => displayName.replace('JetBrains IDE', "JetBrains' editors")),
].join(', ');

/** Its terminals say `zed`. */
export function isZed({ ZED_SESSION_ID: session, TERM_PROGRAM: program = '' }: Variables): boolean {
  return Boolean(session) || program.toLowerCase() === 'zed';
}

function has(...names: string[]): Editor['isHere'] {
  return (env) => names.some((name) => Boolean(env[name]));
}

function is(name: string, value: string): Editor['isHere'] {
  return (env) => env[name] === value;
}
