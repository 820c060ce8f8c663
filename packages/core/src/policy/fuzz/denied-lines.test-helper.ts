/** Generates lines for yolo mode: a denied program behind wrappers, and removals of what cannot be restored. */
import { shaped, wrapped } from './disguises.test-helper.js';
import { DENIED } from './lab.test-helper.js';
import type { Choices } from './random.test-helper.js';
import { pathWord, reader } from './readers.test-helper.js';
import { formsOf, SEPARATORS } from './vocabulary.test-helper.js';

/** `D` stands for the denied program. */
const SPELLINGS = formsOf('denied-spellings');

const STARTERS = formsOf('denied-starters');

export function deniedLine(choices: Choices): string {
  const core = choices.chance(0.75) ? choices.pick(STARTERS) : choices.pick(SPELLINGS);
  let text = core.replace(/\bD\b/g, () =>
    (choices.chance(0.85)
      ? DENIED
      : choices.pick(['"canarycmd"', '/LAB/pathbin/canarycmd', 'canary\\cmd'])
    ).replace('/LAB', 'LAB'),
  );
  if (choices.chance(0.3)) text = wrapped(choices, text);
  if (choices.chance(0.3)) text = [reader(choices, 0), text].join(choices.pick(SEPARATORS));
  return choices.chance(0.2) ? shaped(choices, text) : text;
}

const REMOVALS = formsOf('removals');
const TARGETS = formsOf('removal-targets');

export function removalLine(choices: Choices): string {
  const target = choices.chance(0.85) ? choices.pick(TARGETS) : pathWord(choices, 1);
  const text = choices.pick(REMOVALS).replace(/\bT\b/g, target);
  const begun = choices.chance(0.15)
    ? `${choices.pick(['cd src', 'cd deep', 'cd -P here', 'cd link', 'pushd src', 'cd hk'])}; ${text}`
    : text;
  if (choices.chance(0.2)) return shaped(choices, begun);
  return choices.chance(0.1) ? `${reader(choices, 0)}; ${begun}` : begun;
}
