/** Generates command lines from links, assignments, wrappers, options, redirections and known-safe programs. */
import type { FuzzMode } from './canaries.test-helper.js';
import { deniedLine, removalLine } from './denied-lines.test-helper.js';
import { assignment, directoryChange, redirected, shaped, wrapped } from './disguises.test-helper.js';
import type { DriverJob } from './driver-lab.test-helper.js';
import { type FuzzLab, PORT } from './lab.test-helper.js';
import { Choices } from './random.test-helper.js';
import { gitReader, reader } from './readers.test-helper.js';
import { SEPARATORS } from './vocabulary.test-helper.js';

const MODES: readonly FuzzMode[] = [
  'default',
  'default',
  'default',
  'auto_edit',
  'auto_edit',
  'rules',
  'yolo-deny',
  'yolo-removal',
];
/** Folders that a call may run in; the tool itself refuses folders outside. */
const DIRECTORIES = ['ws/src', 'ws/src/sub', 'ws/nested', 'ws/bare', 'ws/embedded', 'ws/mod', 'ws/10'];

/** Deterministic in seed and number. */
export function jobOf(seed: number, number: number, { root }: FuzzLab): DriverJob {
  const choices = new Choices(Math.imul(seed, 1_000_003) + number);
  // Skipped, because the first numbers of neighbouring seeds are similar.
  for (let times = 0; times < 4; times++) choices.number();
  const mode = choices.pick(MODES);
  const directory = choices.chance(0.08) ? choices.pick(DIRECTORIES) : 'ws';
  const text = lineFor(mode, choices);
  return { command: text.replaceAll('LAB', root).replaceAll('PORT', String(PORT)), directory, mode };
}

function lineFor(mode: FuzzMode, choices: Choices): string {
  if (mode === 'yolo-deny') return deniedLine(choices);
  if (mode === 'yolo-removal') return removalLine(choices);
  return line(choices, mode, 2);
}

function line(choices: Choices, mode: FuzzMode, depth: number): string {
  // Usually one odd part among plain ones: if all are odd, one of them nearly always asks.
  const count = 1 + choices.below(3);
  const odd = choices.chance(0.3) ? count : choices.below(count + 1);
  const parts = Array.from({ length: count }, (_, index) => part(choices, mode, depth, index === odd));
  const joined = parts.reduce((left, right) => left + choices.pick(SEPARATORS) + right);
  return depth > 0 && choices.chance(0.2) ? shaped(choices, joined) : joined;
}

function part(choices: Choices, mode: FuzzMode, depth: number, isOdd: boolean): string {
  const wildness = isOdd ? 0.7 : 0.05;
  if (isOdd) {
    const kind = choices.below(12);
    if (mode === 'auto_edit' && kind > 6) return redirected(choices, plain(choices, 0.1));
    if (kind < 2) return directoryChange(choices);
    // The next command shows the effect of the assignment.
    if (kind < 5) return assignment(choices) + choices.pick(['; ', ' && ', '\n']) + affected(choices);
    if (kind === 5 && depth > 0) return shaped(choices, line(choices, mode, depth - 1));
    if (kind === 6) return wrapped(choices, plain(choices, 0.2));
    if (kind === 7) return redirected(choices, plain(choices, 0.1));
  }
  return plain(choices, wildness);
}

function plain(choices: Choices, wildness: number): string {
  return choices.chance(0.3) ? gitReader(choices, wildness) : reader(choices, wildness);
}

/** Commands that run a planted program if an earlier variable leads to it. */
function affected(choices: Choices): string {
  return choices.chance(0.5) ? choices.pick(AFFECTED) : plain(choices, 0);
}

const AFFECTED = [
  'git status',
  'git diff',
  'git log -p -1',
  'ls',
  'cat a.txt',
  'cat ../secret.txt',
  'id',
  'cd sub; cat a.txt',
];
