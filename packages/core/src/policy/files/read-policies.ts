/** Reads all policy files; imports the loader only when there are any. */
import { FatalConfigError } from '../../base/errors.js';
import { describeProblem } from '../rules/rule.js';
import type { FileRules, LoadedPolicies, PolicySources } from './sources.js';

/** @throws FatalConfigError when a deny rule of the administrator is broken */
export async function readPolicies(sources: PolicySources): Promise<LoadedPolicies> {
  const { loadPolicies, fatalProblem } = await import('./sources.js');
  const loaded = await loadPolicies(sources);
  const fatal = fatalProblem(loaded.problems);
  if (fatal) throw new FatalConfigError(describeProblem(fatal));
  return loaded;
}

/** Restrictions of files that cannot be read. @param before the rules in force until now */
export async function keptRestrictions(loaded: LoadedPolicies, before: FileRules): Promise<FileRules> {
  const { restrictionsOfUnreadableFiles } = await import('./unreadable-files.js');
  return restrictionsOfUnreadableFiles(loaded, before);
}
