/** Finds removals by `find`, which removes everything below its roots that its tests do not exclude. */
import { isInside } from '../../../platform/files/real-path.js';
import { startsOthers } from '../nested/wrappers.js';
import { literalWord } from '../parsing/words.js';
import type { Word } from '../types.js';
import { isLimitedFind } from './find-limits.js';
import { removerOf } from './rough-commands.js';
import type { Targets } from './targets.js';

const REMOVING = /^(?:rm|shred|mv|unlink|truncate|rmdir|trash|trash-put|rimraf)$/;

/** The threatened root. */
export function removalByFind(args: readonly Word[], targets: Targets): string | undefined {
  if (!removes(args)) return undefined;
  const roots = rootsOf(args);
  const isLimited = isLimitedFind(args, namesBelow(roots, targets));
  const takesLocks = args.some(({ text }) => text.endsWith('.lock'));
  if (isLimited) return takesLocks ? undefined : roots.find(targets.isOfGit)?.source;
  return roots.find(targets.isThreat)?.source;
}

function removes(args: readonly Word[]): boolean {
  return args.some(({ text }, index) => {
    if (text === '-delete') return true;
    if (!/^-(?:exec|ok)/.test(text)) return false;
    const rest = args.slice(index + 1);
    const end = rest.findIndex((word) => word.text === ';' || word.text === '+');
    const [first, ...others] = rest.slice(0, end < 0 ? rest.length : end);
    if (!first) return false;
    const isRemover = (word: string) => REMOVING.test(removerOf(word) ?? word);
    if (!first.literal || isRemover(first.text)) return true;
    // `-exec env rm`, `-exec sh -c 'rm "$1"'`
    const words = others.flatMap((word) => word.text.split(/[\s;&|()`"']+/));
    return startsOthers(first.text) && (words.some(isRemover) || others.some(({ literal }) => !literal));
  });
}

function rootsOf(args: readonly Word[]): Word[] {
  const firstTest = args.findIndex(({ text }) => /^[-(!]/.test(text) && !/^-[HLPDO]/.test(text));
  const roots = args
    .slice(0, firstTest < 0 ? args.length : firstTest)
    .filter(({ text }) => !text.startsWith('-'));
  return roots.length > 0 ? roots : [literalWord('.')];
}

/** Protected folders that `find` meets by name; it meets the root `.` only as a dot. */
function namesBelow(roots: readonly Word[], targets: Targets): string[] {
  return roots.flatMap((root) => {
    const isDot = /(?:^|\/)\.{1,2}\/*$/.test(root.text);
    return targets.protectedPaths.all.filter((path) =>
      targets.pathsOf(root).some((folder) => isInside(path, folder) && !(isDot && path === folder)),
    );
  });
}
