/** Commands of the known-safe list in many of their forms, and some that only look like them. */
import type { Choices } from './random.test-helper.js';
import { formsOf } from './vocabulary.test-helper.js';

/** Places where a path may begin, what may follow, and names at its end. */
const STARTS = formsOf('path-starts');
const STEPS = formsOf('path-steps');
const ENDS = formsOf('path-ends');
/** Ways out that lead to something. */
const ESCAPES = formsOf('escapes');
/** Paths as people write them: most of these are read without a question. */
const PLAIN_PATHS = formsOf('plain-paths');

/** @param wildness share of paths that are made up of links and `..` */
export function pathWord(choices: Choices, wildness = 0.4): string {
  if (!choices.chance(wildness)) return choices.pick(PLAIN_PATHS);
  if (choices.chance(0.5)) return respelled(choices, choices.pick(ESCAPES));
  const steps = choices.some(0, 3, () => choices.pick(STEPS));
  const end = choices.chance(0.7) ? [choices.pick(ENDS)] : [];
  return respelled(choices, [choices.pick(STARTS), ...steps, ...end].join('/'));
}

/** The same path in other letters: quotes, escapes, doubled slashes. */
function respelled(choices: Choices, path: string): string {
  switch (choices.below(12)) {
    case 0:
      return `"${path}"`;
    case 1:
      return `'${path}'`;
    case 2:
      return path.replace('/', '//');
    case 3:
      return path.replace(/[a-z]/, '\\$&');
    case 4:
      return `$'${path.replace(/[a-z]/, (letter) => `\\x${letter.charCodeAt(0).toString(16)}`)}'`;
    case 5:
      return path.replace('/', '/./');
    case 6:
      return `${path}/`;
    default:
      return path;
  }
}

const READERS = formsOf('readers');
/** Programs that ask, or should. */
const OTHERS = formsOf('reader-others');
/** How many of the commands are not of the known-safe kind. */
const OTHER_SHARE = 0.06;

export function reader(choices: Choices, wildness: number): string {
  return filled(choices, choices.pick(choices.chance(OTHER_SHARE) ? OTHERS : READERS), wildness);
}

const GIT_READERS = formsOf('git-readers');
const GIT_OTHERS = formsOf('git-others');

export function gitReader(choices: Choices, wildness: number): string {
  const form = choices.pick(choices.chance(OTHER_SHARE * 2) ? GIT_OTHERS : GIT_READERS);
  return filled(choices, `git ${form}`, wildness);
}

function filled(choices: Choices, form: string, wildness: number): string {
  return form.replace(/\bP\b/g, () => pathWord(choices, wildness));
}
