/** The table of wrappers: programs that start the command in their arguments, and the syntax of these arguments. */
import { list } from '../programs/entry.js';

/** How to read the arguments of a wrapper up to the command it starts. */
export interface WrapperSyntax {
  /** Letters of short options that take a value. */
  valued?: string;
  /** Long options whose value is the next word. */
  longValued?: readonly string[];
  /** Long options without a value that look like an abbreviation of one above. */
  otherLong?: readonly string[];
  /** Number of operands before the command. */
  operands?: number;
  /** Pattern of one more, optional operand. */
  mayStartWith?: RegExp;
  /** A single dash is an option. */
  dashIsOption?: true;
  /** Options whose value is the program; its arguments follow `--`. */
  programOptions?: readonly string[];
  /** Only restrictions apply to what it starts; allow rules judge the wrapper itself. */
  onlyForbids?: true;
  /** Options whose value is a shell script. */
  scriptOptions?: readonly string[];
  /** Text to put before that script. */
  scriptHead?: string;
  /** The remaining words are joined into a shell script. */
  joins?: boolean;
  /** `NAME=value` words before the command. */
  assignments?: boolean;
  transparent?: boolean;
  /** With options it does more than start the command. */
  plainOnly?: boolean;
  openArguments?: boolean;
  /** Without a command it starts a shell that reads its input. */
  opensShell?: boolean;
}

const ARCHITECTURE =
  /^(?:linux|i\d86|x86|amd|athlon|ppc|s390|arm|aarch|sparc|mips|uname|alpha|ia64|parisc|riscv|loong)[\w-]*$/;

const WRAPPERS: Record<string, WrapperSyntax> = {
  // On macOS it starts a program; elsewhere it has no operands.
  arch: { valued: 'de', mayStartWith: ARCHITECTURE },
  builtin: { transparent: true },
  busybox: {},
  toybox: {},
  'ssh-agent': { valued: 'aEPtO' },
  perf: { operands: 1, valued: 'eopCFcGtIrDmM', onlyForbids: true },
  'start-stop-daemon': {
    valued: 'xapnucgdrksRNIPOK',
    longValued: list('--exec --startas --pidfile --name --user --chuid --group --chdir --chroot'),
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
    longValued: list('--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits'),
  },
  sg: { opensShell: true, operands: 1, valued: 'c', scriptOptions: ['-c'] },
  setsid: { transparent: true },
  stdbuf: { valued: 'ioe', longValued: ['--input', '--output', '--error'], transparent: true },
  strace: { valued: 'abeEIoOpPsSuUX' },
  su: {
    opensShell: true,
    valued: 'cgGsTw',
    longValued: list('--command --session-command --group --supp-group --shell --whitelist-environment'),
    scriptOptions: ['-c', '--command', '--session-command'],
    // All remaining words are arguments of the shell it opens.
    operands: Number.MAX_SAFE_INTEGER,
  },
  sudo: {
    opensShell: true,
    valued: 'CDghpRrtTuU',
    longValued: list(
      '--user --group --host --prompt --chdir --chroot --close-from --role --type --command-timeout --other-user',
    ),
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
    longValued: list('--arg-file --delimiter --max-args --max-procs --max-chars --process-slot-var'),
    openArguments: true,
  },
};

/** The dynamic loader runs the program it is given. */
const LOADER = /^ld(?:-[\w.-]+)?\.so(?:\.\d+)*$/;
const LOADER_SYNTAX: WrapperSyntax = {
  longValued: list('--library-path --preload --argv0 --audit --inhibit-rpath --glibc-hwcaps-prepend'),
};

/** @param name without its folder */
export function wrapperSyntaxOf(name: string): WrapperSyntax | undefined {
  if (Object.hasOwn(WRAPPERS, name)) return WRAPPERS[name];
  if (LOADER.test(name)) return LOADER_SYNTAX;
  // `linux64 cmd` means `setarch linux64 cmd`.
  return ARCHITECTURE.test(name) ? {} : undefined;
}
