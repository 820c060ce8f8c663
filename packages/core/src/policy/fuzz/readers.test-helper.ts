/** Generates commands of the known-safe list in many forms, and some that only look like them. */
import type { Choices } from './random.test-helper.js';
import { formsOf } from './vocabulary.test-helper.js';

/** Beginnings, middle steps and ends of paths. */
const STARTS = formsOf('path-starts');
const STEPS = formsOf('path-steps');
const ENDS = formsOf('path-ends');
/** Paths that leave the workspace. */
const ESCAPES = formsOf('escapes');
/** Ordinary paths: most are read unasked. */
const PLAIN_PATHS = formsOf('plain-paths');

/** @param wildness share of paths with links and `..` */
export function pathWord(choices: Choices, wildness = 0.4): string {
  if (!choices.chance(wildness)) return choices.pick(PLAIN_PATHS);
  if (choices.chance(0.5)) return respelled(choices, choices.pick(ESCAPES));
  const steps = choices.some(0, 3, () => choices.pick(STEPS));
  const end = choices.chance(0.7) ? [choices.pick(ENDS)] : [];
  return respelled(choices, [choices.pick(STARTS), ...steps, ...end].join('/'));
}

/** The same path in another spelling: quotes, escapes, doubled slashes. */
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
/** Programs that should ask. */
const OTHERS = formsOf('reader-others');
/** Share of commands that are not known to be safe. */
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
