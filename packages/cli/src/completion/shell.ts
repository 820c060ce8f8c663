/** Suggestions in shell mode, on Tab: programs, sub-commands of git and npm, branches, scripts, files. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { visibleName } from '@gemini-cli/core';
import { listPaths } from './folder-listing.js';
import { GIT_COMMANDS, GIT_WITH_BRANCHES, NPM_COMMANDS, RUNNERS } from './shell-words.js';
import type { CompletionSource, Suggestion, Suggestions } from './types.js';

export interface ShellHost {
  isShellMode(): boolean;
  cwd(): string;
  /** Names of programs on the PATH. */
  programs(): Promise<readonly string[]>;
  branches(signal: AbortSignal): Promise<readonly string[]>;
}

const LIMIT = 100;

export function shellSource(host: ShellHost): CompletionSource {
  return {
    complete({ text, cursor, asked, signal }) {
      if (!host.isShellMode()) return undefined;
      // An empty answer, so that no other source completes `/` or `@` here.
      if (!asked) return { items: [], start: cursor, end: cursor };
      return suggest(text.slice(0, cursor), host, signal);
    },
  };
}

async function suggest(typed: string, host: ShellHost, signal: AbortSignal): Promise<Suggestions> {
  const { words, last, start } = wordsBefore(typed);
  const range = { start, end: typed.length };
  const known = await knownWords(words, last, host, signal);
  const matching = [...new Set(known)].filter((word) => word.startsWith(last)).slice(0, LIMIT);
  const named = matching.map(
    (word): Suggestion => ({ label: visibleName(word), value: `${escapeWord(word)} ` }),
  );
  if (named.length >= LIMIT || (words.length === 0 && !last.includes('/') && named.length > 0))
    return { ...range, items: named };
  const paths = await listPaths(last, { cwd: host.cwd(), limit: LIMIT - named.length });
  const files = paths.map(({ path, isFolder }): Suggestion => {
    return { label: visibleName(path), value: escapeWord(path) + (isFolder ? '' : ' ') };
  });
  return { ...range, items: [...named, ...files] };
}

async function knownWords(
  words: readonly string[],
  last: string,
  host: ShellHost,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const [program, command] = words;
  if (program === undefined) return last.includes('/') ? [] : host.programs();
  if (program === 'git') {
    if (command === undefined) return GIT_COMMANDS;
    return GIT_WITH_BRANCHES.has(command) ? host.branches(signal) : [];
  }
  const runner = RUNNERS.get(program);
  if (!runner) return [];
  const runs = command === 'run' || command === 'run-script';
  if (words.length === 2 && runs) return scriptsIn(host.cwd());
  if (words.length > 1) return [];
  return runner === 'npm' ? NPM_COMMANDS : [...NPM_COMMANDS, ...(await scriptsIn(host.cwd()))];
}

/** The words of the command at the cursor, without escapes; commands end at `|`, `&`, `;` or `(`. */
function wordsBefore(typed: string): { words: string[]; last: string; start: number } {
  let words: string[] = [];
  let word = '';
  let start = 0;
  let quote = '';
  let isOpen = false;
  const close = () => {
    if (isOpen) words.push(word);
    word = '';
    isOpen = false;
  };
  for (let at = 0; at < typed.length; at++) {
    const character = typed[at] ?? '';
    const open = () => {
      if (!isOpen) start = at;
      isOpen = true;
    };
    if (quote !== '') {
      if (character === quote) quote = '';
      else word += character;
    } else if (character === '\\') {
      open();
      word += typed[++at] ?? '';
    } else if (character === '"' || character === "'") {
      open();
      quote = character;
    } else if (/\s/.test(character)) close();
    else if (/[|&;(]/.test(character)) {
      close();
      words = [];
    } else {
      open();
      word += character;
    }
  }
  const hasPrefix = words[0] === 'sudo' || words[0] === 'env' || words[0] === 'time';
  return { words: hasPrefix ? words.slice(1) : words, last: word, start: isOpen ? start : typed.length };
}

async function scriptsIn(cwd: string): Promise<string[]> {
  try {
    const parsed: unknown = JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8'));
    const scripts =
      typeof parsed === 'object' && parsed !== null && 'scripts' in parsed ? parsed.scripts : undefined;
    return typeof scripts === 'object' && scripts !== null ? Object.keys(scripts) : [];
  } catch {
    return [];
  }
}

function escapeWord(word: string): string {
  const isHome = word.startsWith('~/');
  const escaped = (isHome ? word.slice(2) : word).replace(/[^\w@%+=:,./-]/g, '\\$&');
  return isHome ? `~/${escaped}` : escaped;
}
