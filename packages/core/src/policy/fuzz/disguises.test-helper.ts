/** Generates disguised assignments, directory changes, redirections and wrappers. */
import type { Choices } from './random.test-helper.js';
import { pathWord } from './readers.test-helper.js';
import { formsOf, VALUES, VARIABLES } from './vocabulary.test-helper.js';

/** `N` stands for the variable, `V` for its value. */
const ASSIGNMENTS = formsOf('assignments');

/** These alone make git or bash start a planted program. */
const STRONGEST = ['PATH', 'PATH', 'HOME', 'GIT_DIR'];

export function assignment(choices: Choices): string {
  const name = choices.chance(0.5) ? choices.pick(STRONGEST) : choices.pick(VARIABLES);
  return choices
    .pick(ASSIGNMENTS)
    .replace(/\bN\b/g, name)
    .replace(/\bV\b/g, () => choices.pick(VALUES));
}

const CHANGES = formsOf('directory-changes');

export function directoryChange(choices: Choices): string {
  return choices
    .pick(CHANGES)
    .replace(/\bP\b/g, () => pathWord(choices, 0.6).replace(/\/(?:\*|[\w.]+\.txt)$/, ''));
}

const WRITE_PATHS = formsOf('write-paths');
const WRITE_ENDS = formsOf('write-ends');

function writePath(choices: Choices): string {
  if (choices.chance(0.6)) return choices.pick(WRITE_PATHS);
  return `${pathWord(choices, 1)}/${choices.pick(WRITE_ENDS)}`;
}

const REDIRECTIONS = formsOf('redirections');

export function redirected(choices: Choices, command: string): string {
  const text = choices
    .pick(REDIRECTIONS)
    .replace(/\bW\b/g, () => writePath(choices))
    .replace(/\bP\b/g, () => pathWord(choices, 0.5));
  return choices.chance(0.8) ? `${command} ${text}` : `${text} ${command}`;
}

const single = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const double = (text: string) => `"${text.replace(/[\\"$`]/g, '\\$&')}"`;

/** Wrappers for one simple command. */
const WRAPPERS: readonly ((inner: string, choices: Choices) => string)[] = [
  (inner) => `env ${inner}`,
  (inner, choices) => `env ${choices.pick(VARIABLES)}=${choices.pick(VALUES)} ${inner}`,
  (inner) => `env -i ${inner}`,
  (inner) => `env - ${inner}`,
  (inner) => `env -u HOME ${inner}`,
  (inner) => `env -S ${single(inner)}`,
  (inner, choices) => `env -C ${pathWord(choices)} ${inner}`,
  (inner) => `timeout 2 ${inner}`,
  (inner) => `timeout -s KILL 2 ${inner}`,
  (inner) => `timeout --sig KILL 2 ${inner}`,
  (inner) => `timeout --foreground 2 ${inner}`,
  (inner) => `nice ${inner}`,
  (inner) => `nice -n 5 ${inner}`,
  (inner) => `nohup ${inner}`,
  (inner) => `setsid ${inner}`,
  (inner) => `setsid -w ${inner}`,
  (inner) => `stdbuf -oL ${inner}`,
  (inner) => `ionice -c 3 ${inner}`,
  (inner) => `command ${inner}`,
  (inner) => `command -p ${inner}`,
  (inner) => `builtin ${inner}`,
  (inner) => `exec ${inner}`,
  (inner) => `time ${inner}`,
  (inner) => `time -p ${inner}`,
  (inner) => `! ${inner}`,
  (inner) => `xargs ${inner} < /dev/null`,
  (inner, choices) => `echo ${pathWord(choices)} | xargs ${inner}`,
  (inner) => `find src -maxdepth 0 -exec ${inner} \\;`,
  (inner) => `coproc ${inner}`,
  (inner, choices) => `x=${choices.pick(VALUES)} ${inner}`,
];

/** Wrappers for any list of commands. */
const SHAPES: readonly ((inner: string) => string)[] = [
  (inner) => `bash -c ${single(inner)}`,
  (inner) => `bash -c ${double(inner)}`,
  (inner) => `bash -ec ${single(inner)} x`,
  (inner) => `bash --norc -c ${single(inner)}`,
  (inner) => `bash -p -c ${single(inner)}`,
  (inner) => `bash -O extglob -c ${single(inner)}`,
  (inner) => `sh -c ${single(inner)}`,
  (inner) => `eval ${single(inner)}`,
  (inner) => `eval ${double(inner)}`,
  (inner) => `(${inner}\n)`,
  (inner) => `{ ${inner}\n}`,
  (inner) => `echo "$( ${inner}\n)"`,
  (inner) => `x=$( ${inner}\n); echo "$x"`,
  (inner) => `cat <( ${inner}\n)`,
  (inner) => `if true; then ${inner}\nfi`,
  (inner) => `if ${inner}\nthen true; fi`,
  (inner) => `for i in 1 2; do ${inner}\ndone`,
  (inner) => `while ${inner}\ndo break; done`,
  (inner) => `case a in a) ${inner}\n;; esac`,
  (inner) => `f() { ${inner}\n}; f`,
  (inner) => `cat <<E\n$( ${inner}\n)\nE`,
  (inner) => `cat <<< "$( ${inner}\n)"`,
  (inner) => `echo \${y:-$( ${inner}\n)}`,
  (inner) => `[[ -n $( ${inner}\n) ]]`,
  (inner) => `{ ${inner}\n} | cat`,
  (inner) => `${inner} | cat`,
  (inner) => `{ ${inner}\n} 2>&1`,
  (inner) => `trap ${single(inner)} EXIT`,
];

export function wrapped(choices: Choices, command: string): string {
  return choices.pick(WRAPPERS)(command, choices);
}

export function shaped(choices: Choices, line: string): string {
  return choices.pick(SHAPES)(line);
}
