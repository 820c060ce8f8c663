/** Programs that start another command given in their arguments, and how to find it there. */
import type { Word } from './types.js';

export interface Wrapped {
  /** Words of the command that is started. */
  words?: Word[];
  /** Or a text that a shell will read. */
  script?: string;
  /** It starts something that the text does not show. */
  dynamic?: boolean;
  transparent?: boolean;
  openArguments?: boolean;
  assignments?: Word[];
  /** Commands it would start if an option were not what we take it for; counts for those who forbid them. */
  alternatives?: Word[][];
}

interface Grammar {
  /** Short options that take a value, as letters. */
  valued?: string;
  /** Long options whose value is the next word. */
  longValued?: readonly string[];
  /** Operands before the command. */
  operands?: number;
  /** Options that name a text for a shell. */
  scriptOptions?: readonly string[];
  /** What that text is read after. */
  scriptHead?: string;
  /** The remaining words are joined and given to a shell. */
  joins?: boolean;
  /** `NAME=value` words before the command. */
  assignments?: boolean;
  transparent?: boolean;
  /** Options of it do more than start the command. */
  plainOnly?: boolean;
  openArguments?: boolean;
  /** Without a command it starts a shell that reads its input. */
  opensShell?: boolean;
}

const GRAMMARS: Record<string, Grammar> = {
  builtin: { transparent: true },
  busybox: {},
  toybox: {},
  caffeinate: { valued: 'tw' },
  catchsegv: {},
  cgexec: { valued: 'g' },
  choom: { valued: 'np' },
  chroot: { opensShell: true, operands: 1, longValued: ['--userspec', '--groups'] },
  chrt: { valued: 'TPD', longValued: ['--sched-runtime', '--sched-period', '--sched-deadline'], operands: 1 },
  command: { transparent: true },
  coproc: {},
  'dbus-run-session': { longValued: ['--config-file', '--dbus-daemon'] },
  doas: { valued: 'uCa', opensShell: true },
  env: {
    valued: 'uCSaPLU',
    longValued: ['--unset', '--chdir', '--split-string', '--argv0'],
    assignments: true,
    scriptOptions: ['-S', '--split-string'],
    scriptHead: 'env ',
    transparent: true,
    plainOnly: true,
  },
  exec: { valued: 'a' },
  fakeroot: { valued: 'lisb', longValued: ['--lib', '--faked'] },
  firejail: {},
  flock: {
    valued: 'wEc',
    longValued: ['--timeout', '--wait', '--conflict-exit-code', '--command'],
    operands: 1,
    scriptOptions: ['-c', '--command'],
  },
  gdb: {},
  ionice: { valued: 'cnpPu', longValued: ['--class', '--classdata'], transparent: true },
  logsave: { operands: 1 },
  ltrace: { valued: 'acDeFlnopsuxX' },
  nice: { valued: 'n', longValued: ['--adjustment'], transparent: true },
  nohup: { transparent: true },
  nsenter: { opensShell: true, valued: 'tSGr', longValued: ['--target', '--setuid', '--setgid'] },
  numactl: { valued: 'NmipCl' },
  parallel: { valued: 'jaIndPL', openArguments: true, joins: true, opensShell: true },
  pkexec: { opensShell: true, valued: 'u', longValued: ['--user'] },
  prlimit: {},
  proxychains: { valued: 'f' },
  rlwrap: {},
  run0: { opensShell: true, valued: 'uDg' },
  runuser: {
    opensShell: true,
    valued: 'ugGc',
    longValued: ['--user', '--group', '--command'],
    scriptOptions: ['-c', '--command'],
  },
  script: {
    opensShell: true,
    valued: 'cIOBEmoT',
    longValued: ['--command'],
    scriptOptions: ['-c', '--command'],
  },
  setarch: { operands: 1 },
  setpriv: {
    longValued: [
      '--reuid',
      '--regid',
      '--groups',
      '--inh-caps',
      '--ambient-caps',
      '--bounding-set',
      '--securebits',
    ],
  },
  sg: { opensShell: true, operands: 1, valued: 'c', scriptOptions: ['-c'] },
  setsid: { transparent: true },
  stdbuf: { valued: 'ioe', longValued: ['--input', '--output', '--error'], transparent: true },
  strace: { valued: 'abeEIoOpPsSuUX' },
  su: {
    opensShell: true,
    valued: 'cgGsTw',
    longValued: ['--command', '--group', '--shell'],
    scriptOptions: ['-c', '--command'],
    // Whatever is left are arguments of the shell it opens.
    operands: Number.MAX_SAFE_INTEGER,
  },
  sudo: {
    opensShell: true,
    valued: 'CDghpRrtTuU',
    longValued: [
      '--user',
      '--group',
      '--host',
      '--prompt',
      '--chdir',
      '--chroot',
      '--close-from',
      '--role',
      '--type',
      '--command-timeout',
      '--other-user',
    ],
    assignments: true,
  },
  'systemd-run': {
    valued: 'pEutH',
    longValued: ['--unit', '--property', '--setenv', '--slice', '--uid', '--gid'],
  },
  taskset: { operands: 1 },
  time: { valued: 'fo', longValued: ['--format', '--output'], transparent: true, plainOnly: true },
  timeout: { valued: 'ks', longValued: ['--kill-after', '--signal'], operands: 1, transparent: true },
  torify: {},
  torsocks: {},
  trap: {},
  unbuffer: {},
  unshare: { opensShell: true, valued: 'RwSG', longValued: ['--root', '--wd', '--setuid', '--setgid'] },
  valgrind: {},
  'xvfb-run': { valued: 'enfpsw' },
  watch: { valued: 'nqs', longValued: ['--interval'], joins: true },
  xargs: {
    valued: 'aEILnPsdJRS',
    longValued: [
      '--arg-file',
      '--delimiter',
      '--max-args',
      '--max-procs',
      '--max-chars',
      '--process-slot-var',
    ],
    openArguments: true,
  },
};

const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'ash', 'mksh', 'fish', 'rbash']);
const FIND_STARTERS = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/** @param name without its folder. Empty: it starts nothing. */
export function wrappedBy(name: string, args: readonly Word[]): Wrapped[] {
  if (SHELLS.has(name)) return shellScript(args).map((item) => asReadBy(name, item));
  if (name === 'eval') return evaluated(args);
  if (name === '.' || name === 'source') return sourced(args);
  if (name === 'trap') return trapped(args);
  if (name === 'find' || name === 'gfind' || name === 'bfs') return findCommands(args);
  if (name === 'fd' || name === 'fdfind') return fdCommands(args);
  const grammar = Object.hasOwn(GRAMMARS, name) ? GRAMMARS[name] : undefined;
  return grammar ? startedBy(grammar, args) : [];
}

function startedBy(grammar: Grammar, args: readonly Word[]): Wrapped[] {
  const head = readHead(grammar, args);
  if (head === undefined || (grammar.openArguments && takesNameFromInput(args, head.rest)))
    return [{ dynamic: true }];
  const { found, assignments, alternatives, hasOptions, rest } = head;
  if (rest.length === 0) {
    if (found.length > 0 || !grammar.opensShell)
      return alternatives.length > 0 ? [...found, { alternatives }] : found;
    return [{ dynamic: true, alternatives }];
  }
  const transparent = Boolean(grammar.transparent) && !(hasOptions && grammar.plainOnly);
  const common = { assignments, alternatives, transparent, openArguments: grammar.openArguments };
  if (!grammar.joins) return [...found, { ...common, words: rest }];
  const script = rest.every(({ literal }) => literal) ? rest.map(({ text }) => text).join(' ') : undefined;
  return [...found, script === undefined ? { dynamic: true } : { ...common, script }];
}

/** What is put in the place of the mark may be the command, or a text for a shell. `parallel ::: 'a b'` runs `a b`. */
function takesNameFromInput(args: readonly Word[], rest: readonly Word[]): boolean {
  const [command] = rest;
  if (/^:{3,4}\+?$/.test(command?.text ?? '')) return true;
  const options = args.slice(0, args.length - rest.length).map(({ text }) => text);
  const at = options.findIndex((text) => /^-[A-Za-z]*[IiJ]|^--(?:replace|I)/.test(text));
  const given = /^(?:-[A-Za-z]*[IiJ]|--replace=)(.+)$/.exec(options[at] ?? '')?.[1];
  const mark = given ?? (/^-[A-Za-z]*[IJ]$/.test(options[at] ?? '') ? options[at + 1] : '{}');
  const isMarked = ({ text }: Word) => text.includes(mark || '{}') || text.includes('{}');
  if (command && isMarked(command)) return true;
  return startsOthers(command?.text ?? '') && rest.some(isMarked);
}

/** A program that is there to start another one. */
export function startsOthers(program: string): boolean {
  const name = program.slice(program.lastIndexOf('/') + 1);
  return SHELLS.has(name) || Object.hasOwn(GRAMMARS, name) || ['eval', '.', 'source'].includes(name);
}

interface Head {
  found: Wrapped[];
  assignments: Word[];
  alternatives: Word[][];
  hasOptions: boolean;
  /** The command and its arguments. */
  rest: Word[];
}

/** Everything before the command. Undefined: an expansion might be an option, an operand or the command. */
function readHead(grammar: Grammar, args: readonly Word[]): Head | undefined {
  const head: Head = { found: [], assignments: [], alternatives: [], hasOptions: false, rest: [] };
  let operands = grammar.operands ?? 0;
  let index = 0;
  for (; index < args.length; index++) {
    const word = args[index] as Word;
    if (!word.literal) return undefined;
    if (word.text === '--') {
      index += 1 + operands;
      break;
    }
    if (word.text.startsWith('-') && word.text !== '-') {
      head.hasOptions = true;
      const option = readOption(grammar, word.text, args[index + 1]);
      if (option.script) head.found.push(option.script);
      // Should it take no value, this is the command; should it take one, the command is the word after.
      head.alternatives.push(args.slice(index + (option.takesNext ? 1 : 2)));
      if (option.takesNext) index++;
    } else if (grammar.assignments && /^[A-Za-z_]\w*=/.test(word.text)) {
      head.assignments.push(word);
    } else if (operands > 0) {
      operands--;
    } else {
      break;
    }
  }
  head.rest = args.slice(Math.min(index, args.length));
  head.alternatives = head.alternatives.filter((words) => words.length > 0);
  return head;
}

function readOption(
  { valued = '', longValued = [], scriptOptions = [], scriptHead = '' }: Grammar,
  text: string,
  next: Word | undefined,
): { takesNext: boolean; script?: Wrapped } {
  const asScript = (value: string | undefined): Wrapped =>
    value === undefined ? { dynamic: true } : { script: scriptHead + value };
  const nextText = next?.literal ? next.text : undefined;
  if (text.startsWith('--')) {
    const [name = '', ...value] = text.split('=');
    const takesNext = value.length === 0 && longValued.includes(name);
    if (!scriptOptions.includes(name)) return { takesNext };
    return { takesNext, script: asScript(takesNext ? nextText : value.join('=')) };
  }
  for (let index = 1; index < text.length; index++) {
    const letter = text.charAt(index);
    if (!valued.includes(letter)) continue;
    const attached = text.slice(index + 1);
    const takesNext = attached === '';
    if (!scriptOptions.includes(`-${letter}`)) return { takesNext };
    return { takesNext, script: asScript(takesNext ? nextText : attached) };
  }
  return { takesNext: false };
}

/** `bash -c text`, `bash script`, or a shell that reads commands from its input. */
function shellScript(args: readonly Word[]): Wrapped[] {
  let wantsText = false;
  for (let index = 0; index < args.length; index++) {
    const word = args[index] as Word;
    if (!word.literal) return [{ dynamic: true }];
    const isOption = /^[-+]./.test(word.text) && word.text !== '--';
    if (isOption) {
      if (!word.text.startsWith('--')) {
        if (word.text.startsWith('-') && word.text.includes('c')) wantsText = true;
        if (/^[-+][A-Za-z]*[oO]$/.test(word.text)) index++;
      } else if (['--rcfile', '--init-file', '--command'].includes(word.text)) return [{ dynamic: true }];
      continue;
    }
    const operand = word.text === '--' || word.text === '-' ? args[index + 1] : word;
    if (!operand) break;
    // A script file is judged by the name of the shell and its arguments.
    if (!wantsText) return [];
    return [
      operand.literal && !operand.glob ? { script: operand.text, transparent: true } : { dynamic: true },
    ];
  }
  return [{ dynamic: true }];
}

/** What `sh` (dash, ash) takes for something else than bash does: `((` are two subshells, `$'` is no quote. */
const ONLY_IN_BASH = /\$['"[]|\(\(|\[\[|&>|<<<|\|&|[<>]\(|\bfunction\b|\btime\b|\bcoproc\b|\bselect\b/;

/** We read scripts as bash does. Where their own shell may read them in another way, nobody knows what runs. */
function asReadBy(shell: string, item: Wrapped): Wrapped {
  if (item.script === undefined || shell === 'bash' || shell === 'rbash') return item;
  const isCommonForm = ['sh', 'dash', 'ash'].includes(shell) && isReadAlike(item.script);
  return isCommonForm ? item : { ...item, transparent: false, dynamic: true };
}

export function isReadAlike(script: string): boolean {
  return !ONLY_IN_BASH.test(script.replaceAll('\\\n', ''));
}

function evaluated(args: readonly Word[]): Wrapped[] {
  if (!args.every(({ literal, glob, tilde }) => literal && !glob && !tilde)) return [{ dynamic: true }];
  return [{ script: args.map(({ text }) => text).join(' '), transparent: true }];
}

/** A file is judged by its name, like any script; what comes through a pipe has none. */
function sourced([file]: readonly Word[]): Wrapped[] {
  const isFile = file?.literal && !file.glob && !/^\/(?:dev|proc)\//.test(file.text) && file.text !== '-';
  return isFile ? [] : [{ dynamic: true }];
}

function trapped(args: readonly Word[]): Wrapped[] {
  const [first] = args.filter(({ text }) => text !== '--');
  if (!first || first.text.startsWith('-')) return [];
  return [first.literal ? { script: first.text } : { dynamic: true }];
}

function findCommands(args: readonly Word[]): Wrapped[] {
  const found: Wrapped[] = [];
  for (let index = 0; index < args.length; index++) {
    if (!FIND_STARTERS.has(args[index]?.text ?? '')) continue;
    const end = args.findIndex(({ text }, at) => at > index && (text === ';' || text === '+'));
    const words = args.slice(index + 1, end < 0 ? args.length : end);
    found.push(
      words.length > 0 && !takesNameFromInput([], words) ? { words, openArguments: true } : { dynamic: true },
    );
    index = end < 0 ? args.length : end;
  }
  return found;
}

function fdCommands(args: readonly Word[]): Wrapped[] {
  // The command may be attached to the option.
  if (args.some(({ text }) => /^(?:-[A-Za-z]*[xX].|--exec(?:-batch)?=)/.test(text)))
    return [{ dynamic: true }];
  const start = args.findIndex(({ text }) => /^(?:-[A-Za-z]*[xX]|--exec|--exec-batch)$/.test(text));
  if (start < 0) return [];
  return [{ words: args.slice(start + 1), openArguments: true }];
}
