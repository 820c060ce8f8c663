/**
 * Which extensions are enabled in which folders: `extensions/extension-enablement.json`. A rule is a folder with slashes
 * at both ends; `!` before it disables, `*` after it includes the folders below. The last rule that fits decides; without
 * one an extension is enabled.
 */
import { join } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import {
  DamagedFileError,
  readSmallFile,
  removePrivateFile,
  writePrivateFile,
} from '../../platform/files/private-file.js';
import { isDirectory } from '../../platform/files/try-read.js';
import { withFileLock } from '../../platform/locks/file-lock.js';
import type { ExtensionProblem, ExtensionSettingScope } from '../types.js';
import { addRule, matches, ruleFor } from './rules.js';

export interface EnablementRules {
  overrides: ReadonlyMap<string, readonly string[]>;
  /** The file cannot be read: any extension might be disabled in it, so all count as disabled. */
  problem?: ExtensionProblem;
}

export function readEnablement(globalDir: string): EnablementRules {
  try {
    const entries = Object.entries(read(globalDir)).map(
      ([name, entry]) => [name, overridesOf(entry)] as const,
    );
    return { overrides: new Map(entries) };
  } catch (error) {
    const message = `No extension is loaded: ${messageOf(error)}`;
    return { overrides: new Map(), problem: { level: 'error', message, file: fileIn(globalDir) } };
  }
}

export function isEnabled({ overrides, problem }: EnablementRules, name: string, path: string): boolean {
  if (problem) return false;
  const rule = overrides.get(name)?.findLast((candidate) => matches(candidate, path));
  return rule === undefined || !rule.startsWith('!');
}

export interface EnablementChange {
  enabled: boolean;
  /** `user`: everywhere below the home folder. */
  scope: ExtensionSettingScope;
  /** The workspace. */
  path: string;
  home: string;
}

/** @throws UserError when the file cannot be read or written */
export async function setEnabled(
  globalDir: string,
  name: string,
  { enabled, scope, path, home }: EnablementChange,
): Promise<void> {
  const rule = ruleFor(scope === 'user' ? home : path, enabled);
  await change(globalDir, (all) => ({
    ...all,
    [name]: { overrides: addRule(overridesOf(all[name]), rule) },
  }));
}

/** Removes all rules of an extension that is not installed any more. */
export async function forget(globalDir: string, name: string): Promise<void> {
  // Nothing to forget, and the folder may be gone.
  if (!isDirectory(join(globalDir, 'extensions')) || !Object.hasOwn(read(globalDir), name)) return;
  await change(globalDir, ({ [name]: _, ...others }) => others);
}

/** An extension that changes its name stays enabled and disabled where it was. */
export async function copyRules(globalDir: string, from: string, to: string): Promise<void> {
  if (!Object.hasOwn(read(globalDir), from)) return;
  await change(globalDir, (all) => ({ ...all, [to]: { overrides: overridesOf(all[from]) } }));
}

async function change(
  globalDir: string,
  next: (all: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> {
  const file = fileIn(globalDir);
  const { mkdir } = await import('node:fs/promises');
  await mkdir(join(globalDir, 'extensions'), { recursive: true, mode: 0o700 });
  await withFileLock(file, () => {
    const all = next(read(globalDir));
    if (Object.keys(all).length === 0) removePrivateFile(file);
    else writePrivateFile(file, `${JSON.stringify(all, null, 2)}\n`);
  });
}

function fileIn(globalDir: string): string {
  return join(globalDir, 'extensions', 'extension-enablement.json');
}

function read(globalDir: string): Record<string, unknown> {
  const file = fileIn(globalDir);
  const text = readSmallFile(file)?.text;
  if (text === undefined || text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new DamagedFileError(file, `${file} is damaged. Correct or delete it.`);
}

function overridesOf(entry: unknown): string[] {
  const list = isObject(entry) ? entry['overrides'] : undefined;
  return Array.isArray(list) ? list.filter((rule): rule is string => typeof rule === 'string') : [];
}
