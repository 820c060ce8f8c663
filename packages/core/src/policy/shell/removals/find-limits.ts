/** Decides whether the tests of a `find` keep it from matching everything. */
import { basename } from 'node:path';
import { globPattern } from '../paths/glob-targets.js';
import type { Word } from '../types.js';

const PATTERN = /^-(?:i?name|i?path|i?wholename|i?regex|l?name)$/;
const LIMIT = /^-(?:newer.*|[amc]time|[amc]min|size|empty|inum|samefile)$/;

/**
 * `find . -name '*.o' -delete` is limited; `-name '*'`, `-name .git`, `! -name x` and `-name x -o -delete` are not.
 * @param protectedPaths paths that a pattern must not match
 */
export function isLimitedFind(args: readonly Word[], protectedPaths: readonly string[]): boolean {
  const limits = args.filter((_word, index) => isLimit(args, index, protectedPaths)).length;
  const alternatives = args.filter(({ text }) => /^(?:-o|-or|,)$/.test(text)).length;
  return limits > alternatives;
}

function isLimit(args: readonly Word[], index: number, protectedPaths: readonly string[]): boolean {
  const { text = '' } = args[index] ?? {};
  if (/^(?:!|-not)$/.test(args[index - 1]?.text ?? '')) return false;
  if (!PATTERN.test(text)) return LIMIT.test(text);
  const value = args[index + 1];
  if (!value?.literal || globPattern(value.text).test('.git')) return false;
  if (!/[^*?.[\]/\\+]/.test(value.text) || /\.git(?:\W|$)/.test(value.text)) return false;
  return !protectedPaths.some((path) => matches(text, value.text.toLowerCase(), path.toLowerCase()));
}

/** In a pattern for whole paths each name counts: `x/home/y` matches files in `home`. */
function matches(test: string, pattern: string, path: string): boolean {
  const names = pattern.split('/').filter((name) => /[^*.+?]/.test(name));
  if (!test.endsWith('regex')) return names.some((name) => globPattern(name).test(basename(path)));
  try {
    return names.some((name) => new RegExp(`^(?:${name})$`).test(basename(path)));
  } catch {
    return true;
  }
}
