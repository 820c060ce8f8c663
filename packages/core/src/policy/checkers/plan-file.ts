/** The checker `plan-file`: in plan mode, Markdown files in the plans directory and nothing else. */
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import { allow, deny, type PolicyVerdict } from '../decision.js';

export function checkPlanFile(
  { file_path: path }: Readonly<Record<string, unknown>>,
  plansDirectory: string | undefined,
  resolvePath: (path: string) => string,
): PolicyVerdict {
  if (!plansDirectory || typeof path !== 'string') return deny('In plan mode files cannot be written here.');
  // As the tools read it: a bare name is one in the project.
  const real = realPathOf(resolvePath(path));
  const isPlan = isInside(real, realPathOf(plansDirectory)) && /\.md$/i.test(real);
  return isPlan
    ? allow()
    : deny(`In plan mode you may write Markdown files (.md) in ${plansDirectory} only.`);
}
