/** Programs that are there to start another one, and how their words are read. */

/** How the words of a wrapper are read up to the command it starts. */
export interface Grammar {
  /** Short options that take a value, as letters. */
  valued?: string;
  /** Long options whose value is the next word. */
  longValued?: readonly string[];
  /** Long options that are a beginning of one of them, and take no value. */
  otherLong?: readonly string[];
  /** Operands before the command. */
  operands?: number;
  /** One more operand that may be left out, and what it looks like. */
  mayStartWith?: RegExp;
  /** A single dash is an option. */
  dashIsOption?: true;
  /** Options whose value is the program; its arguments stand behind `--`. */
  programOptions?: readonly string[];
  /** What it starts is the program's own affair, but a rule that forbids a command means this, too. */
  onlyForbids?: true;
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

const ARCHITECTURE =
  /^(?:linux|i\d86|x86|amd|athlon|ppc|s390|arm|aarch|sparc|mips|uname|alpha|ia64|parisc|riscv|loong)[\w-]*$/;

const GRAMMARS: Record<string, Grammar> = {
  // On macOS it starts a program; elsewhere it has no operands.
  arch: { valued: 'de', mayStartWith: ARCHITECTURE },
  builtin: { transparent: true },
  busybox: {},
  toybox: {},
  'ssh-agent': { valued: 'aEPtO' },
  perf: { operands: 1, valued: 'eopCFcGtIrDmM', onlyForbids: true },
  'start-stop-daemon': {
    valued: 'xapnucgdrksRNIPOK',
    longValued: [
      '--exec',
      '--startas',
      '--pidfile',
      '--name',
      '--user',
      '--chuid',
      '--group',
      '--chdir',
      '--chroot',
    ],
    otherLong: ['--start'],
    programOptions: ['-x', '-a', '--exec', '--startas'],
  },
  npx: {
    valued: 'pc',
    longValued: ['--package', '--call', '--prefix', '--workspace', '--script-shell'],
    scriptOptions: ['-c', '--call'],
    onlyForbids: true,
  },
  bunx: { longValued: ['--package'], onlyForbids: true },
  pnpx: { longValued: ['--package'], onlyForbids: true },
  tmux: { operands: 1, valued: 'cfLSTnstFexy', onlyForbids: true },
  screen: { valued: 'cehpsStTx', onlyForbids: true },
  sshpass: { valued: 'fdpPeE' },
  chronic: {},
  eatmydata: {},
  entr: {},
  fakechroot: { valued: 'lsedb' },
  faketime: { valued: 'f', operands: 1 },
  'dbus-launch': { longValued: ['--config-file'] },
  rtk: { onlyForbids: true },
  caffeinate: { valued: 'tw' },
  catchsegv: {},
  cgexec: { valued: 'g' },
  choom: { valued: 'np' },
  chroot: { opensShell: true, operands: 1, longValued: ['--userspec', '--groups'] },
  chrt: { valued: 'TPD', longValued: ['--sched-runtime', '--sched-period', '--sched-deadline'], operands: 1 },
  command: { transparent: true },
  coproc: { assignments: true },
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
    dashIsOption: true,
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
  script: {
    opensShell: true,
    valued: 'cIOBEmoT',
    longValued: ['--command'],
    scriptOptions: ['-c', '--command'],
  },
  setarch: { mayStartWith: ARCHITECTURE },
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
    longValued: [
      '--command',
      '--session-command',
      '--group',
      '--supp-group',
      '--shell',
      '--whitelist-environment',
    ],
    scriptOptions: ['-c', '--command', '--session-command'],
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

/** The loader of the system runs the program it is given. */
const LOADER = /^ld(?:-[\w.-]+)?\.so(?:\.\d+)*$/;
const LOADER_GRAMMAR: Grammar = {
  longValued: [
    '--library-path',
    '--preload',
    '--argv0',
    '--audit',
    '--inhibit-rpath',
    '--glibc-hwcaps-prepend',
  ],
};

/** @param name without its folder */
export function grammarOf(name: string): Grammar | undefined {
  if (Object.hasOwn(GRAMMARS, name)) return GRAMMARS[name];
  if (LOADER.test(name)) return LOADER_GRAMMAR;
  // `linux64 cmd` is `setarch linux64 cmd`.
  return ARCHITECTURE.test(name) ? {} : undefined;
}
