/** Names the family of commands that an "always" answer covers, as a rule's prefix: `ls`, `git add`. */

import { literalWord, textOf } from './parsing/words.js';
import { boundWords } from './programs.js';
import type { Word } from './types.js';

/** Undefined: more words would change what is run or written, so an answer covers this command only. */
export function familyOf(words: readonly Word[]): string | undefined {
  if (words.length === 0) return undefined;
  // One more word, because `node` alone must be bound like `node x`.
  const bound = boundWords([...words, ANY_WORD]);
  return bound.length > words.length ? undefined : textOf(bound);
}

const ANY_WORD = literalWord('x');
