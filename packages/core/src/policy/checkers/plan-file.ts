/** The checker `plan-file`: in plan mode only Markdown files in the plans directory may be written. */
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import { allow, deny, type PolicyVerdict } from '../decision.js';

export function checkPlanFile(
  { file_path: path }: Readonly<Record<string, unknown>>,
  plansDirectory: string | undefined,
  resolvePath: (path: string) => string,
): PolicyVerdict {
  if (!plansDirectory || typeof path !== 'string') return deny('In plan mode files cannot be written here.');
  // Resolved as the tools do: a bare name is a file of the project.
  const real = realPathOf(resolvePath(path));
  const isPlan = isInside(real, realPathOf(plansDirectory)) && /\.md$/i.test(real);
  return isPlan
    ? allow()
    : deny(`In plan mode you may write Markdown files (.md) in ${plansDirectory} only.`);
}
