/** Whether tests of `find` keep it from matching everything. */
import { globPattern } from './glob-targets.js';
import type { Word } from './types.js';

const PATTERN = /^-(?:i?name|i?path|i?wholename|i?regex|l?name)$/;
const LIMIT = /^-(?:newer.*|[amc]time|[amc]min|size|empty|inum|samefile)$/;

/** `find . -name '*.o' -delete` is; `-name '*'`, `-name .git`, `! -name x` and `-name x -o -delete` are not. */
export function isLimitedFind(args: readonly Word[]): boolean {
  const limits = args.filter((_word, index) => isLimit(args, index)).length;
  const alternatives = args.filter(({ text }) => /^(?:-o|-or|,)$/.test(text)).length;
  return limits > alternatives;
}

function isLimit(args: readonly Word[], index: number): boolean {
  const { text = '' } = args[index] ?? {};
  if (/^(?:!|-not)$/.test(args[index - 1]?.text ?? '')) return false;
  if (!PATTERN.test(text)) return LIMIT.test(text);
  const value = args[index + 1];
  if (!value?.literal || globPattern(value.text).test('.git')) return false;
  return /[^*?.[\]/\\+]/.test(value.text) && !/\.git(?:\W|$)/.test(value.text);
}
