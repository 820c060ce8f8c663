/** Assembles the seccomp filter (classic BPF) of a sandboxed command. */
import { ARCH_TABLES, type SeccompArch } from './seccomp-syscalls.js';
import { WITHOUT_NAMESPACES } from './seccomp-without-namespaces.js';

export interface FilterOptions {
  /** False: no unix socket can be opened, so no other program can be reached. Socket pairs still work. */
  unixSockets: boolean;
  /** The command has no namespaces (Landlock): the filter refuses what they would isolate. */
  withoutNamespaces?: boolean;
  /** The whole program runs with it: it contains its own commands in further namespaces. */
  aroundProgram?: boolean;
}

/** Harmless inside namespaces without capabilities outside them; nested sandboxes and debuggers need them. */
const FOR_PROGRAM = new Set(
  'mount umount2 pivot_root chroot unshare setns sethostname ptrace process_vm_readv process_vm_writev kcmp'.split(
    ' ',
  ),
);

/** Undefined for an unknown processor. */
export function seccompFilter(arch: string, options: FilterOptions): Buffer | undefined {
  if (arch !== 'x64' && arch !== 'arm64') return undefined;
  return encode(program(arch, options));
}

export interface Instruction {
  code: number;
  /** Instructions to skip if the comparison holds, and if not. */
  jt: number;
  jf: number;
  k: number;
}

/** BPF instructions: load a word of the system call's data, compare it, mask it, return. */
const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_GREATER_OR_EQUAL = 0x35;
const JUMP_ANY_BIT = 0x45;
const AND = 0x54;
const RETURN = 0x06;

/** Offsets in `struct seccomp_data`; of each argument the lower half, on little-endian machines. */
const NUMBER = 0;
const ARCH = 4;
const ARGUMENT = (index: number) => 16 + 8 * index;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const failWith = (errno: number) => 0x00050000 | errno;
const EPERM = 1;
const ENOSYS = 38;
const EPROTONOSUPPORT = 93;
const EAFNOSUPPORT = 97;

/** CLONE_NEW* for mount, cgroup, uts, ipc, user, pid and network namespaces. */
const NEW_NAMESPACES = 0x7e020000;
/** AF_INET, AF_INET6, AF_NETLINK. Others, such as vsock, would bypass the network namespace. */
const ADDRESS_FAMILIES = [2, 10, 16];
const AF_UNIX = 1;
/** Types of socket pairs that reach only their partner; a datagram socket could send to any other socket. */
const TYPE_MASK = 0xf;
const CONNECTED_TYPES = [1, 5];
/** A set-user-ID file would give the owner's rights to all users outside the sandbox. */
const SET_USER_ID = 0o4000;
/** O_CREAT, O_TMPFILE. */
const MAKES_FILE = 0o100 | 0o20000000;
/** TIOCSTI and TIOCLINUX put keystrokes into the user's terminal. */
const TERMINAL_INJECTION = [0x5412, 0x541c];

/** A test that does not apply falls through to the next; the last instruction allows. */
export function program(
  arch: SeccompArch,
  { unixSockets, withoutNamespaces = false, aroundProgram = false }: FilterOptions,
): Instruction[] {
  const table = ARCH_TABLES[arch];
  const families = withoutNamespaces ? [] : unixSockets ? [AF_UNIX, ...ADDRESS_FAMILIES] : ADDRESS_FAMILIES;
  const forbidden = [
    ...Object.entries(table.forbidden).flatMap(([name, number]) =>
      aroundProgram && FOR_PROGRAM.has(name) ? [] : [number],
    ),
    ...(withoutNamespaces ? WITHOUT_NAMESPACES[arch].forbidden : []),
  ];
  return [
    // 32-bit programs use other numbers for the same calls.
    load(ARCH),
    ...unless(JUMP_EQUAL, table.audit, KILL_PROCESS),
    load(NUMBER),
    ...(table.foreignFrom ? when(JUMP_GREATER_OR_EQUAL, table.foreignFrom, failWith(ENOSYS)) : []),
    ...forbidden.flatMap((number) => when(JUMP_EQUAL, number, failWith(EPERM))),
    ...Object.values(table.absent).flatMap((number) => when(JUMP_EQUAL, number, failWith(ENOSYS))),
    // A filter cannot read its flags, which are in memory; libraries fall back to clone.
    ...when(JUMP_EQUAL, table.clone3, failWith(ENOSYS)),
    ...(aroundProgram
      ? []
      : onCall(table.clone, [load(ARGUMENT(0)), ...when(JUMP_ANY_BIT, NEW_NAMESPACES, failWith(EPERM))])),
    ...onCall(table.ioctl, [
      load(ARGUMENT(1)),
      ...TERMINAL_INJECTION.flatMap((request) => when(JUMP_EQUAL, request, failWith(EPERM))),
    ]),
    ...onCall(table.socket, [
      load(ARGUMENT(0)),
      ...families.flatMap((family) => when(JUMP_EQUAL, family, ALLOW)),
      { code: RETURN, jt: 0, jf: 0, k: failWith(EAFNOSUPPORT) },
    ]),
    ...(unixSockets
      ? []
      : onCall(table.socketpair, [
          load(ARGUMENT(1)),
          { code: AND, jt: 0, jf: 0, k: TYPE_MASK },
          ...CONNECTED_TYPES.flatMap((type) => when(JUMP_EQUAL, type, ALLOW)),
          { code: RETURN, jt: 0, jf: 0, k: failWith(EPROTONOSUPPORT) },
        ])),
    // Only for the calling process, not for other processes of the user.
    ...(withoutNamespaces
      ? onCall(WITHOUT_NAMESPACES[arch].prlimit, [
          load(ARGUMENT(0)),
          ...unless(JUMP_EQUAL, 0, failWith(EPERM)),
        ])
      : []),
    ...table.modes.flatMap(({ number, mode, flags }) =>
      onCall(number, [
        // Without these flags no file is created, and the mode argument is undefined.
        ...(flags === undefined ? [] : [load(ARGUMENT(flags)), ...unless(JUMP_ANY_BIT, MAKES_FILE, ALLOW)]),
        load(ARGUMENT(mode)),
        ...when(JUMP_ANY_BIT, SET_USER_ID, failWith(EPERM)),
      ]),
    ),
    { code: RETURN, jt: 0, jf: 0, k: ALLOW },
  ];
}

function load(offset: number): Instruction {
  return { code: LOAD, jt: 0, jf: 0, k: offset };
}

function when(code: number, k: number, result: number): Instruction[] {
  return [
    { code, jt: 0, jf: 1, k },
    { code: RETURN, jt: 0, jf: 0, k: result },
  ];
}

function unless(code: number, k: number, result: number): Instruction[] {
  return [
    { code, jt: 1, jf: 0, k },
    { code: RETURN, jt: 0, jf: 0, k: result },
  ];
}

/** Tests the arguments of one call. If all pass, it is allowed at once, since the call number is no longer loaded. */
function onCall(number: number, tests: readonly Instruction[]): Instruction[] {
  return [
    { code: JUMP_EQUAL, jt: 0, jf: tests.length + 1, k: number },
    ...tests,
    { code: RETURN, jt: 0, jf: 0, k: ALLOW },
  ];
}

function encode(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8);
  instructions.forEach(({ code, jt, jf, k }, index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jt, index * 8 + 2);
    bytes.writeUInt8(jf, index * 8 + 3);
    bytes.writeUInt32LE(k >>> 0, index * 8 + 4);
  });
  return bytes;
}
