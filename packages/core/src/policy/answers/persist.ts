/** Writes "always" answers to `auto-saved.toml`: equal rules merged, under a lock, the file replaced as a whole. */
import { copyFileSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, UserError } from '../../base/errors.js';
import { readPrivateFile, writePrivateFile } from '../../platform/files/private-file.js';
import { withFileLock } from '../../platform/locks/file-lock.js';
import { type SavedRule, savedForm, withoutUndefined } from '../files/saved-answers.js';
import type { PolicyRule } from '../rules/rule.js';

/** @returns a warning for the user, if there is one. @throws UserError when nothing could be saved */
export async function saveAlwaysRule(path: string, rule: PolicyRule): Promise<string | undefined> {
  refuseLink(dirname(path));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return withFileLock(path, async () => {
    refuseLink(path);
    const { rules, warning } = await readSaved(path);
    writePrivateFile(path, render(merge(rules, savedForm(rule))));
    return warning;
  });
}

function refuseLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new UserError(`${path} is a symbolic link; the rule is not saved.`, { code: 'policy_save' });
}

async function readSaved(path: string): Promise<{ rules: SavedRule[]; warning?: string }> {
  const text = readPrivateFile(path);
  if (text === undefined) return { rules: [] };
  const { parse } = await import('smol-toml');
  try {
    const { rule = [] } = parse(text) as { rule?: unknown };
    if (!Array.isArray(rule)) throw new Error('"rule" must be written as [[rule]]');
    return { rules: rule as SavedRule[] };
  } catch (error) {
    copyFileSync(path, `${path}.bak`);
    const [reason] = messageOf(error).split('\n');
    return {
      rules: [],
      warning: `${path} could not be read (${reason}); it was saved as ${path}.bak and replaced.`,
    };
  }
}

/** Equal rules become one that holds in the modes of both. */
function merge(rules: SavedRule[], added: SavedRule): SavedRule[] {
  const keyOf = ({ modes: _modes, ...rest }: SavedRule) => JSON.stringify(rest, Object.keys(rest).sort());
  const same = rules.findIndex((rule) => keyOf(rule) === keyOf(added));
  if (same < 0) return [...rules, added];
  return rules.map((rule, index) =>
    index === same ? { ...rule, modes: union(rule['modes'], added['modes']) } : rule,
  );
}

function union(a: unknown, b: unknown): unknown {
  // A rule without modes holds in all of them.
  return Array.isArray(a) && Array.isArray(b) ? [...new Set([...a, ...b])] : undefined;
}

function render(rules: readonly SavedRule[]): string {
  const blocks = rules.map((rule) => {
    const lines = Object.entries(withoutUndefined(rule)).map(([key, value]) => `${key} = ${toToml(value)}`);
    return ['[[rule]]', ...lines, ''].join('\n');
  });
  return `# Written by the program when you answer "always". You may edit or delete rules.\n\n${blocks.join('\n')}`;
}

function toToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toToml).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)} = ${toToml(item)}`);
    return `{ ${pairs.join(', ')} }`;
  }
  return JSON.stringify(typeof value === 'bigint' ? Number(value) : value).replaceAll('\x7f', '\\u007f');
}
