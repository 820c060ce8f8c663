/** Our ignore rules as arguments of ripgrep. */
import { isInside } from '../../platform/files/real-path.js';
import type { IgnoreRule } from '../../workspace/ignore.js';
import type { IgnoreFilter } from '../../workspace/ignore-filter.js';

export interface RipgrepIgnore {
  args: string[];
  /** ripgrep reports ignored files too; each must be judged by the filter. */
  needsJudging: boolean;
}

/**
 * ripgrep honours git's files itself. The rules above them become `--glob` arguments: those have the highest
 * precedence, while `--ignore-file` would rank below `.gitignore`. What cannot be said that way (a rule that
 * re-includes) is left to the filter.
 */
export function ripgrepIgnoreArgs(filter: IgnoreFilter, base: string): RipgrepIgnore {
  const rules = isInside(base, filter.projectRoot) ? filter.overrides.flatMap((list) => list.rules) : [];
  const respectsGit = filter.options.respectGitIgnore;
  const isSimple = rules.every((rule) => !rule.negated && !/[[\]\\]|\*{3}/.test(rule.glob));
  if (!isSimple || (respectsGit && filter.isExemptFromGit(base))) {
    return { args: ['--no-ignore'], needsJudging: true };
  }
  const sources = respectsGit ? ['--no-ignore-dot', '--no-ignore-global'] : ['--no-ignore'];
  return { args: [...sources, ...rules.map(toGlobArgument)], needsJudging: false };
}

function toGlobArgument({ glob, anchored, directoryOnly }: IgnoreRule): string {
  // Braces mean alternatives to ripgrep and nothing to git.
  const literalBraces = glob.replace(/[{}]/g, '\\$&');
  return `--glob=!${anchored ? '/' : ''}${literalBraces}${directoryOnly ? '/' : ''}`;
}
