/** The supported editors: how to start each so that it shows two files and ends when the user closes them. */
import { basename } from 'node:path';
import { findProgram } from '../process/find-program.js';

export interface EditorFiles {
  /** The current content. */
  before: string;
  /** The proposed content, which the user changes. */
  after: string;
}

export interface EditorCommand {
  /** For messages. */
  name: string;
  file: string;
  args: string[];
  /** Runs in the terminal and needs the whole screen. */
  isTerminal: boolean;
}

interface Editor {
  programs: readonly string[];
  isTerminal: boolean;
  /** Shows both files if the editor can, else only the one to change. */
  args(files: EditorFiles): string[];
}

const vsCodeLike = (...programs: string[]): Editor => ({
  programs,
  isTerminal: false,
  args: ({ before, after }) => ['--wait', '--diff', before, after],
});

/** The content is untrusted: it must not configure the editor (modelines) or be kept in its history. */
const vimLike = (...programs: string[]): Editor => ({
  programs,
  isTerminal: true,
  args: ({ before, after }) => [
    ...['-i', 'NONE', '--cmd', 'set nomodeline', '-d', before, after],
    ...['-c', 'wincmd l'],
  ],
});

const emacsLike = (isTerminal: boolean, ...programs: string[]): Editor => ({
  programs,
  isTerminal,
  args: ({ before, after }) => [
    ...(isTerminal ? ['-nw'] : []),
    '--eval',
    `(progn (setq enable-local-variables nil enable-local-eval nil) (ediff-files ${lisp(before)} ${lisp(after)}))`,
  ],
});

const opening = (programs: string[], options: readonly string[], isTerminal = false): Editor => ({
  programs,
  isTerminal,
  args: ({ after }) => [...options, after],
});

/** By the values of `general.preferredEditor`. */
const EDITORS: Readonly<Record<string, Editor>> = {
  vscode: vsCodeLike('code'),
  vscodium: vsCodeLike('codium', 'vscodium'),
  windsurf: vsCodeLike('windsurf'),
  cursor: vsCodeLike('cursor'),
  antigravity: vsCodeLike('agy', 'antigravity'),
  zed: opening(['zed', 'zeditor'], ['--wait']),
  sublimetext: opening(['subl'], ['--wait']),
  lapce: opening(['lapce'], ['--wait']),
  nova: opening(['nova'], ['--wait']),
  bbedit: opening(['bbedit'], ['--wait']),
  vim: vimLike('vim', 'vi', 'vimdiff'),
  neovim: vimLike('nvim'),
  emacs: emacsLike(true, 'emacs'),
  emacsclient: emacsLike(true, 'emacsclient'),
  hx: {
    programs: ['hx', 'helix'],
    isTerminal: true,
    args: ({ before, after }) => ['--vsplit', before, after],
  },
  micro: opening(['micro'], [], true),
  nano: opening(['nano', 'pico'], [], true),
};

export interface EditorChoice {
  /** The setting `general.preferredEditor`. */
  preferred?: string;
  /** The setting `general.openEditorInNewWindow`. */
  newWindow?: boolean;
  env: Readonly<Record<string, string | undefined>>;
  /** In a container the user's editor is not available. */
  isSandboxed?: boolean;
  /** Finds an installed program; for tests. */
  find?: (program: string) => string | undefined;
}

/** Builds the command that opens the files in the user's editor. */
export type StartsEditor = (files: EditorFiles) => EditorCommand;

export function chooseEditor(choice: EditorChoice): StartsEditor | undefined {
  if (choice.isSandboxed) return undefined;
  const find = choice.find ?? ((program) => findProgram(program, choice.env['PATH'], []));
  if (choice.preferred) return supported(choice.preferred, find, choice.newWindow ?? false);
  const words = splitWords(choice.env['VISUAL'] || choice.env['EDITOR'] || '');
  return words.length > 0 ? fromWords(words, find) : undefined;
}

/** Installed editors, as values of the setting. */
export function installedEditors(env: EditorChoice['env']): string[] {
  return Object.keys(EDITORS).filter((preferred) => chooseEditor({ preferred, env }) !== undefined);
}

type Find = (program: string) => string | undefined;

function supported(name: string, find: Find, newWindow: boolean): StartsEditor | undefined {
  const editor = EDITORS[name];
  const file = editor?.programs.map(find).find((path) => path !== undefined);
  if (!editor || !file) return undefined;
  return (files) => {
    const args = editor.args(files);
    const wantsWindow = newWindow && args.includes('--diff');
    return {
      name,
      file,
      args: wantsWindow ? ['--new-window', ...args] : args,
      isTerminal: editor.isTerminal,
    };
  };
}

/** A supported editor shows both files; any other program gets only the file to change. */
function fromWords([program = '', ...options]: string[], find: Find): StartsEditor | undefined {
  const file = basename(program) === program ? find(program) : program;
  if (!file) return undefined;
  const name = basename(program).replace(/\.(exe|cmd)$/i, '');
  const editor = Object.values(EDITORS).find(({ programs }) => programs.includes(name));
  return (files) => {
    const own = editor?.args(files) ?? [files.after];
    const extra = options.filter((option) => !own.includes(option) && option !== '-w');
    return { name, file, args: [...extra, ...own], isTerminal: editor?.isTerminal ?? true };
  };
}

/** `VISUAL` is a command line with optional quotes. */
function splitWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

function lisp(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
