/** Chooses the command of the user's editor, with the options that make it wait until the file is closed. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface EditorStart {
  name: string;
  file: string;
  args: string[];
  /** Runs in the terminal, which the screen must release. */
  isTerminal: boolean;
}

export interface EditorOptions {
  /** `general.preferredEditor`. */
  preferred?: string;
  env: Readonly<Record<string, string | undefined>>;
  platform?: NodeJS.Platform;
  /** Finds the path of an installed program. */
  find?: (program: string) => string | undefined;
}

interface KnownEditor {
  programs: readonly string[];
  options: readonly string[];
  isTerminal: boolean;
}

const window = (...programs: string[]): KnownEditor => ({ programs, options: ['--wait'], isTerminal: false });
const terminal = (programs: string[], ...options: string[]): KnownEditor => ({
  programs,
  options,
  isTerminal: true,
});
/** Without modelines: text in a prompt must not configure the editor. */
const VIM = ['--cmd', 'set nomodeline'];

const KNOWN: Readonly<Record<string, KnownEditor>> = {
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
const NOTEPAD: KnownEditor = { programs: ['notepad'], options: [], isTerminal: false };

/** The setting, then `VISUAL`, then `EDITOR`, then an editor that most systems have. */
export function editorCommand(options: EditorOptions): EditorStart | undefined {
  const { preferred, env, platform = process.platform } = options;
  const find =
    options.find ?? ((program: string) => findProgram(program, env['PATH'] ?? env['Path'], platform));
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

function start(known: KnownEditor | undefined, find: Find): EditorStart | undefined {
  for (const program of known?.programs ?? []) {
    const file = find(program);
    if (file && known) {
      // Plain vi may not know these options.
      const options = program === 'vi' ? [] : known.options;
      return { name: program, file, args: [...options], isTerminal: known.isTerminal };
    }
  }
  return undefined;
}

/** From the user's command line; a known program gets `--wait`. */
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
    // An empty or relative entry means the current folder, whose programs the user has not chosen.
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
