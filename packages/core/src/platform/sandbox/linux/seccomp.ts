/** Assembles the kernel's filter of system calls (classic BPF) that bubblewrap installs for a command. */
import { ALONE } from './seccomp-alone.js';
import { ARCH_TABLES, type SeccompArch } from './seccomp-syscalls.js';

export interface FilterOptions {
  /** False: no unix socket can be opened, so those of other programs are out of reach, wherever they lie. Pairs still work. */
  unixSockets: boolean;
  /** No namespaces are around the command (Landlock): what they would keep away is refused here. */
  alone?: boolean;
}

/** Undefined for a processor whose system calls we do not know. */
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

/** Load a word of the system call's data, compare it, mask it, return. */
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
/** AF_INET, AF_INET6, AF_NETLINK: others (vsock!) would leave the machine past the network namespace. */
const ADDRESS_FAMILIES = [2, 10, 16];
const AF_UNIX = 1;
/** Of a pair, the kinds that stay with their partner; one for datagrams can be sent to any other socket. */
const TYPE_MASK = 0xf;
const CONNECTED_TYPES = [1, 5];
/** Set-user-ID: a file with it would lend the rights of its owner to all users, outside of the sandbox. */
const SET_USER_ID = 0o4000;
/** O_CREAT, O_TMPFILE. */
const MAKES_FILE = 0o100 | 0o20000000;
/** TIOCSTI and TIOCLINUX put keystrokes into the user's terminal. */
const TERMINAL_INJECTION = [0x5412, 0x541c];

/** Every test falls through to the next when it does not apply; the last instruction allows. */
export function program(arch: SeccompArch, { unixSockets, alone = false }: FilterOptions): Instruction[] {
  const table = ARCH_TABLES[arch];
  const families = alone ? [] : unixSockets ? [AF_UNIX, ...ADDRESS_FAMILIES] : ADDRESS_FAMILIES;
  const forbidden = [...Object.values(table.forbidden), ...(alone ? ALONE[arch].forbidden : [])];
  return [
    // Another processor's numbers (32-bit programs) would mean other calls.
    load(ARCH),
    ...unless(JUMP_EQUAL, table.audit, KILL_PROCESS),
    load(NUMBER),
    ...(table.foreignFrom ? when(JUMP_GREATER_OR_EQUAL, table.foreignFrom, failWith(ENOSYS)) : []),
    ...forbidden.flatMap((number) => when(JUMP_EQUAL, number, failWith(EPERM))),
    ...Object.values(table.absent).flatMap((number) => when(JUMP_EQUAL, number, failWith(ENOSYS))),
    // Its flags lie in memory where a filter cannot look; libraries then use clone.
    ...when(JUMP_EQUAL, table.clone3, failWith(ENOSYS)),
    ...onCall(table.clone, [load(ARGUMENT(0)), ...when(JUMP_ANY_BIT, NEW_NAMESPACES, failWith(EPERM))]),
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
    // Of its own process alone: the user's other ones obey the same user.
    ...(alone
      ? onCall(ALONE[arch].prlimit, [load(ARGUMENT(0)), ...unless(JUMP_EQUAL, 0, failWith(EPERM))])
      : []),
    ...table.modes.flatMap(({ number, mode, flags }) =>
      onCall(number, [
        // Where no file is made, the mode is whatever happens to be there.
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

/** Tests of one call's arguments; what passes them all is allowed, as the number is no longer loaded. */
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
