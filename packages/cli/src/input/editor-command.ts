/** The program that opens one file for the user to write in, and ends when it is closed. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface EditorStart {
  name: string;
  file: string;
  args: string[];
  /** Runs in the terminal: the screen has to make room for it. */
  isTerminal: boolean;
}

export interface EditorWish {
  /** `general.preferredEditor`. */
  preferred?: string;
  env: Readonly<Record<string, string | undefined>>;
  platform?: NodeJS.Platform;
  /** The path of an installed program. */
  find?: (program: string) => string | undefined;
}

interface Known {
  programs: readonly string[];
  options: readonly string[];
  isTerminal: boolean;
}

const window = (...programs: string[]): Known => ({ programs, options: ['--wait'], isTerminal: false });
const terminal = (programs: string[], ...options: string[]): Known => ({
  programs,
  options,
  isTerminal: true,
});
/** What stands in a prompt must not set up the editor. */
const VIM = ['--cmd', 'set nomodeline'];

const KNOWN: Readonly<Record<string, Known>> = {
  vscode: window('code'),
  vscodium: window('codium', 'vscodium'),
  windsurf: window('windsurf'),
  cursor: window('cursor'),
  antigravity: window('agy', 'antigravity'),
  zed: window('zed', 'zeditor'),
  sublimetext: window('subl'),
  lapce: window('lapce'),
  nova: window('nova'),
  bbedit: window('bbedit'),
  vim: terminal(['vim', 'vi'], ...VIM),
  neovim: terminal(['nvim'], ...VIM),
  emacs: terminal(['emacs'], '-nw'),
  emacsclient: terminal(['emacsclient'], '-nw'),
  hx: terminal(['hx', 'helix']),
  micro: terminal(['micro']),
  nano: terminal(['nano', 'pico']),
};
const NOTEPAD: Known = { programs: ['notepad'], options: [], isTerminal: false };

/** The setting first, then `VISUAL`, then `EDITOR`, then what every system has. */
export function editorCommand(wish: EditorWish): EditorStart | undefined {
  const { preferred, env, platform = process.platform } = wish;
  const find = wish.find ?? ((program: string) => findProgram(program, env['PATH'] ?? env['Path'], platform));
  const chosen = preferred ? start(KNOWN[preferred], find) : undefined;
  if (chosen) return chosen;
  for (const words of [splitWords(env['VISUAL'] ?? ''), splitWords(env['EDITOR'] ?? '')]) {
    const found = fromWords(words, find);
    if (found) return found;
  }
  const fallbacks = platform === 'win32' ? [NOTEPAD] : [KNOWN['vim'], KNOWN['nano']];
  return fallbacks.map((known) => start(known, find)).find((found) => found !== undefined);
}

type Find = (program: string) => string | undefined;

function start(known: Known | undefined, find: Find): EditorStart | undefined {
  for (const program of known?.programs ?? []) {
    const file = find(program);
    if (file && known) {
      // Plain vi may know no options.
      const options = program === 'vi' ? [] : known.options;
      return { name: program, file, args: [...options], isTerminal: known.isTerminal };
    }
  }
  return undefined;
}

/** A command line of the user's: a program we know gets what makes it wait. */
function fromWords([program, ...options]: string[], find: Find): EditorStart | undefined {
  if (!program) return undefined;
  const name = (program.split(/[\\/]/).at(-1) ?? program).replace(/\.(exe|cmd|bat)$/i, '');
  const file = name === program || !/[\\/]/.test(program) ? find(program) : program;
  if (!file) return undefined;
  const known = Object.values(KNOWN).find(({ programs }) => programs.includes(name));
  const waits = known && !known.isTerminal && !options.some((one) => one === '-w' || one === '--wait');
  return {
    name,
    file,
    args: waits ? [...options, '--wait'] : options,
    isTerminal: known?.isTerminal ?? true,
  };
}

function splitWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

function findProgram(
  program: string,
  path: string | undefined,
  platform: NodeJS.Platform,
): string | undefined {
  const endings = platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : [''];
  for (const directory of (path ?? '').split(delimiter)) {
    // An empty or relative entry is the folder one happens to be in: a program there is not the user's choice.
    if (!/^([\\/]|[a-z]:)/i.test(directory)) continue;
    for (const ending of endings) {
      const file = join(directory, program + ending);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // Not here.
      }
    }
  }
  return undefined;
}
