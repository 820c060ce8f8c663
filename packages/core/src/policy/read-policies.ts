/** Reads all policy files; what reads them is loaded only where there are any. */
import { FatalConfigError } from '../base/errors.js';
import { describeProblem } from './rule.js';
import type { LoadedPolicies, PolicySources } from './sources.js';

/** @throws FatalConfigError when a deny rule of the administrator is broken */
export async function readPolicies(sources: PolicySources): Promise<LoadedPolicies> {
  const { loadPolicies, fatalProblem } = await import('./sources.js');
  const loaded = await loadPolicies(sources);
  const fatal = fatalProblem(loaded.problems);
  if (fatal) throw new FatalConfigError(describeProblem(fatal));
  return loaded;
}
