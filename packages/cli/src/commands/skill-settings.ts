/** Enables and disables skills in the settings files, for `gemini skills` and `/skills`. */
import { isObject, type LoadedSettings } from '@gemini-cli/core';

export type SkillScope = 'user' | 'workspace';

const KEY = 'skills.disabled';
const SCOPES: readonly SkillScope[] = ['workspace', 'user'];

export function isSkillScope(word: string): word is SkillScope {
  return word === 'user' || word === 'workspace';
}

/** Of one file, also that of a folder that is not trusted. */
function disabledIn(settings: LoadedSettings, scope: SkillScope): string[] {
  const { skills } = settings.file(scope).raw as Record<string, unknown>;
  const list = isObject(skills) ? skills['disabled'] : undefined;
  return Array.isArray(list) ? list.filter((name): name is string => typeof name === 'string') : [];
}

/** Removes the names from both files. @returns the scopes that changed */
export async function enableSkills(
  settings: LoadedSettings,
  names: readonly string[] | 'all',
): Promise<SkillScope[]> {
  const changed: SkillScope[] = [];
  for (const scope of SCOPES) {
    const before = disabledIn(settings, scope);
    const left = names === 'all' ? [] : before.filter((name) => !includes(names, name));
    if (left.length === before.length) continue;
    await settings.setValue(scope, KEY, left.length > 0 ? left : undefined);
    changed.push(scope);
  }
  return changed;
}

/** @returns the names that were not disabled there before */
export async function disableSkills(
  settings: LoadedSettings,
  names: readonly string[],
  scope: SkillScope,
): Promise<string[]> {
  const before = disabledIn(settings, scope);
  const added = names.filter((name) => !includes(before, name));
  if (added.length > 0) await settings.setValue(scope, KEY, [...before, ...added]);
  return added;
}

function includes(names: readonly string[], name: string): boolean {
  return names.some((other) => other.toLowerCase() === name.toLowerCase());
}
