/** Reads all policy files; what reads them is loaded only where there are any. */
import { FatalConfigError } from '../../base/errors.js';
import { describeProblem } from '../rules/rule.js';
import type { LoadedPolicies, PolicySources } from './sources.js';

type Restrictions = Pick<LoadedPolicies, 'rules' | 'checkers'>;

/** @throws FatalConfigError when a deny rule of the administrator is broken */
export async function readPolicies(sources: PolicySources): Promise<LoadedPolicies> {
  const { loadPolicies, fatalProblem } = await import('./sources.js');
  const loaded = await loadPolicies(sources);
  const fatal = fatalProblem(loaded.problems);
  if (fatal) throw new FatalConfigError(describeProblem(fatal));
  return loaded;
}

/** What files that cannot be read leave behind. @param before what was in force until now */
export async function lostIn(loaded: LoadedPolicies, before: Restrictions): Promise<Restrictions> {
  const { restrictionsLostIn } = await import('./lost-policies.js');
  return restrictionsLostIn(loaded, before);
}
