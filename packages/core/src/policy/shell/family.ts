/** The family of commands that an "always" answer holds for, in the words of a rule: `ls`, `git add`. */
import { boundWords } from './programs.js';
import type { Word } from './types.js';
import { literalWord, textOf } from './words.js';

/** Undefined: further words would change what is run or written, so the command stands for itself alone. */
export function familyOf(words: readonly Word[]): string | undefined {
  if (words.length === 0) return undefined;
  // `node` alone is bound like `node x`: what may follow decides.
  const bound = boundWords([...words, ANY_WORD]);
  return bound.length > words.length ? undefined : textOf(bound);
}

const ANY_WORD = literalWord('x');
