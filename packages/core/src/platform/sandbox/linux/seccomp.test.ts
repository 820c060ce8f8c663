import { describe, expect, it } from 'vitest';
import { type Instruction, program, seccompFilter } from './seccomp.js';
import { ARCH_TABLES, type SeccompArch } from './seccomp-syscalls.js';

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const errno = (number: number) => 0x00050000 | number;

/** What the kernel would do: the filter's answer to one system call. */
function answer(
  instructions: readonly Instruction[],
  arch: number,
  number: number,
  args: number[] = [],
): number {
  const data = new Map([
    [0, number],
    [4, arch],
    ...args.map((value, index): [number, number] => [16 + 8 * index, value]),
  ]);
  let loaded = 0;
  for (let at = 0; ; at++) {
    const instruction = instructions[at];
    if (!instruction) throw new Error('ran past the end');
    const { code, jt, jf, k } = instruction;
    if (code === 0x06) return k;
    if (code === 0x20) loaded = data.get(k) ?? 0;
    else if (code === 0x15) at += loaded === k ? jt : jf;
    else if (code === 0x35) at += loaded >= k ? jt : jf;
    else if (code === 0x54) loaded &= k;
    else if (code === 0x45) at += (loaded & k) !== 0 ? jt : jf;
    else throw new Error(`unknown instruction ${code}`);
  }
}

describe.each(['x64', 'arm64'] as SeccompArch[])('the seccomp filter for %s', (arch) => {
  const table = ARCH_TABLES[arch];
  const instructions = program(arch, { unixSockets: true });
  const ask = (number: number, args?: number[]) => answer(instructions, table.audit, number, args);

  it('refuses listed system calls and allows the rest', () => {
    const { forbidden, absent, clone, clone3, socket, ioctl } = table;
    for (const number of Object.values(forbidden)) expect(ask(number)).toBe(errno(1));
    for (const number of [...Object.values(absent), clone3]) expect(ask(number)).toBe(errno(38));
    const judged = new Set([
      ...Object.values(forbidden),
      ...Object.values(absent),
      clone,
      clone3,
      socket,
      ioctl,
    ]);
    for (let number = 0; number < 480; number++) if (!judged.has(number)) expect(ask(number)).toBe(ALLOW);
  });

  it('checks the arguments of clone, socket and ioctl', () => {
    expect(ask(table.clone, [17])).toBe(ALLOW);
    expect(ask(table.clone, [0x003d0f00])).toBe(ALLOW); // a thread
    for (const flag of [0x10000000, 0x20000000, 0x40000000, 0x00020000, 0x02000000, 0x04000000, 0x08000000]) {
      expect(ask(table.clone, [17 | flag])).toBe(errno(1));
    }
    for (const family of [1, 2, 10, 16]) expect(ask(table.socket, [family])).toBe(ALLOW);
    for (const family of [0, 17, 38, 40]) expect(ask(table.socket, [family])).toBe(errno(97));
    expect(ask(table.ioctl, [0, 0x5412])).toBe(errno(1));
    expect(ask(table.ioctl, [0, 0x541c])).toBe(errno(1));
    expect(ask(table.ioctl, [0, 0x5413])).toBe(ALLOW);
  });

  it('refuses unix sockets when they are not allowed, and datagram socket pairs', () => {
    const closed = program(arch, { unixSockets: false });
    const without = (number: number, args: number[]) => answer(closed, table.audit, number, args);
    expect(without(table.socket, [1])).toBe(errno(97));
    for (const family of [2, 10, 16]) expect(without(table.socket, [family])).toBe(ALLOW);
    const flags = 0o2004000; // close on exec, non-blocking
    for (const type of [1, 5, 1 | flags, 5 | flags]) expect(without(table.socketpair, [1, type])).toBe(ALLOW);
    for (const type of [2, 3, 2 | flags]) expect(without(table.socketpair, [1, type])).toBe(errno(93));
    for (const type of [1, 2, 5]) expect(ask(table.socketpair, [1, type])).toBe(ALLOW);
  });

  it('refuses to create a set-user-ID file, by any call', () => {
    for (const { number, mode, flags } of table.modes) {
      const args = (value: number, flag: number) =>
        [0, 1, 2, 3].map((index) => (index === mode ? value : index === flags ? flag : 0));
      for (const creating of [0o100, 0o20200000]) {
        expect(ask(number, args(0o4755, creating))).toBe(errno(1));
        expect(ask(number, args(0o755, creating))).toBe(ALLOW);
      }
      expect(ask(number, args(0o4755, 0))).toBe(flags === undefined ? errno(1) : ALLOW);
    }
  });

  it('lets the whole program make sandboxes and run debuggers, but not type into the terminal', () => {
    const around = program(arch, { unixSockets: true, aroundProgram: true });
    const inside = (number: number, args?: number[]) => answer(around, table.audit, number, args);
    const { mount, unshare, pivot_root, ptrace, bpf, keyctl } = table.forbidden;
    for (const number of [mount, unshare, pivot_root, ptrace]) expect(inside(number ?? -1)).toBe(ALLOW);
    expect(inside(table.clone, [17 | 0x10000000])).toBe(ALLOW);
    for (const number of [bpf, keyctl]) expect(inside(number ?? -1)).toBe(errno(1));
    expect(inside(table.ioctl, [0, 0x5412])).toBe(errno(1));
    expect(inside(table.clone3)).toBe(errno(38));
  });

  it('kills programs of another processor', () => {
    expect(answer(instructions, 0x40000003, 1)).toBe(KILL);
  });

  it('is short enough for the kernel and has only valid jumps', () => {
    expect(instructions.length).toBeLessThan(4096);
    instructions.forEach(({ jt, jf }, at) => {
      expect(Math.max(jt, jf)).toBeLessThan(256);
      expect(at + 1 + Math.max(jt, jf)).toBeLessThanOrEqual(instructions.length);
    });
  });
});

it('the seccomp filter refuses the x32 calls of x64', () => {
  const { audit } = ARCH_TABLES.x64;
  expect(answer(program('x64', { unixSockets: true }), audit, 0x40000000 | 101)).toBe(errno(38));
});

it('the seccomp filter is encoded as the kernel expects', () => {
  const bytes = seccompFilter('x64', { unixSockets: true });
  expect(bytes?.subarray(0, 16).toString('hex')).toBe('20000000040000001500010' + '03e0000c0');
  expect(seccompFilter('mips', { unixSockets: true })).toBeUndefined();
});
