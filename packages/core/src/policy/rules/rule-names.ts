/** Decides whether an allow rule itself names the dangerous part of a command, and so covers it. */
import { basename } from 'node:path';
import type { Danger } from '../shell/programs/entry.js';
import type { SimpleCommand } from '../shell/types.js';
import type { PolicyRule } from './rule.js';
import { hasPrefix, isShellRule } from './rule-match.js';

export function isNamedBy(rule: PolicyRule | undefined, part: SimpleCommand, danger: Danger): boolean {
  if (!rule || !isShellRule(rule)) return false;
  const { commandPrefixes, commandRegex, commandPattern } = rule;
  if (commandPrefixes) {
    const own = commandPrefixes.filter((prefix) => hasPrefix(part.text, prefix));
    return own.some((prefix) => namesIt(prefix.split(/\s+/), part, danger) || prefix === part.text);
  }
  return namesIt(wordsOfPattern((commandRegex ?? commandPattern)?.source ?? ''), part, danger);
}

/** A rule that names `rm` covers every removal by it. */
function namesIt(words: readonly string[], { name }: SimpleCommand, { written, option }: Danger): boolean {
  const isRemoval = basename(name) === 'rm' && words.some((word) => basename(word) === 'rm');
  return isRemoval || words.includes(written) || words.includes(option);
}

/** `git .*(--cached|status)` names `git`, `--cached` and `status`, but not `-c`. */
function wordsOfPattern(source: string): string[] {
  return source
    .replace(/\(\?<?!(?:\\.|[^\\()])*\)/g, ' ')
    .replace(/\[(?:\\.|[^\\\]])*\]/g, ' ')
    .replace(/\\[bBsSwWdDnt]/g, ' ')
    .replace(/\\(.)/g, '$1')
    .split(/[^\w.:/=-]+/)
    .filter(Boolean);
}
