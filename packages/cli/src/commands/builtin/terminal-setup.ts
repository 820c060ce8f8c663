/** `/terminal-setup`: makes Shift+Enter insert a new line in the terminals of VS Code and its relatives. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseJsonc } from '@gemini-cli/core';
import type { SlashCommandActionReturn } from '../types.js';
import { type Action, failure, info } from './define.js';

interface Editor {
  name: string;
  folder: string;
}

const EDITORS: readonly (Editor & { isHere: (env: NodeJS.ProcessEnv) => boolean })[] = [
  { name: 'Cursor', folder: 'Cursor', isHere: (env) => env['CURSOR_TRACE_ID'] !== undefined },
  {
    name: 'Windsurf',
    folder: 'Windsurf',
    isHere: (env) => /windsurf/i.test(env['VSCODE_GIT_ASKPASS_MAIN'] ?? ''),
  },
  { name: 'VS Code', folder: 'Code', isHere: (env) => env['TERM_PROGRAM'] === 'vscode' },
];

/** Alt+Enter, which the program reads as a new line in every terminal. */
const TEXT = '\u001b\r';
/** Up to and including the bracket that opens the list. */
const OPENING = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*\[/;
const KEYS = ['shift+enter', 'ctrl+enter'] as const;

export const terminalSetup: Action = () => {
  const editor = EDITORS.find(({ isHere }) => isHere(process.env));
  if (!editor)
    return info('This is not a VS Code, Cursor or Windsurf terminal. Ctrl+J inserts a new line everywhere.');
  return setUp(editor.name, keybindingsPath(editor.folder));
};

/** Adds the bindings and keeps the rest of the file, comments included. */
export function setUp(name: string, path: string): SlashCommandActionReturn {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '[]\n';
  const bindings = parsed(text);
  const opening = OPENING.exec(text)?.[0];
  if (!Array.isArray(bindings) || !opening)
    return failure(`${path} is not a list of key bindings; nothing was changed. Repair it in ${name} first.`);
  const taken = new Set(bindings.flatMap(keyOf));
  const wanted = KEYS.filter((key) => !taken.has(key));
  if (wanted.length === 0) return info(`${path} already binds these keys; nothing was changed.`);
  const backup = existsSync(path) ? `${path}.backup-${Date.now()}` : undefined;
  if (backup) copyFileSync(path, backup);
  mkdirSync(dirname(path), { recursive: true });
  const added = wanted.map((key) => `\n  ${JSON.stringify(bindingFor(key))}`).join(',');
  const rest = text.slice(opening.length);
  writeFileSync(path, `${opening}${added}${bindings.length > 0 ? ',' : '\n'}${rest}`);
  const kept = backup ? ` Backup: ${backup}` : '';
  return info(`Added ${wanted.join(' and ')} to ${path}.${kept}`);
}

function bindingFor(key: string) {
  const command = 'workbench.action.terminal.sendSequence';
  return { key, command, when: 'terminalFocus', args: { text: TEXT } };
}

function parsed(text: string): unknown {
  try {
    return parseJsonc(text);
  } catch {
    return undefined;
  }
}

function keyOf(binding: unknown): string[] {
  if (typeof binding !== 'object' || binding === null || !('key' in binding)) return [];
  const when = 'when' in binding ? String(binding.when) : '';
  const isForTerminal = when === '' || when.includes('terminalFocus');
  return isForTerminal && typeof binding.key === 'string' ? [binding.key.toLowerCase()] : [];
}

function keybindingsPath(folder: string): string {
  const base =
    process.platform === 'darwin'
      ? join(homedir(), 'Library', 'Application Support')
      : process.platform === 'win32'
        ? (process.env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'))
        : join(homedir(), '.config');
  return join(base, folder, 'User', 'keybindings.json');
}
