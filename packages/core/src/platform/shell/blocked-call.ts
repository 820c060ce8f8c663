/** Finds the file descriptors that a thread of another process waits for (Linux only). */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

export interface BlockedCall {
  fds: number[];
  /** It waits for these descriptors only, without a timeout. */
  isExclusive: boolean;
}

type CallName = 'read' | 'poll' | 'ppoll' | 'select' | 'epoll';

const CALLS: Partial<Record<NodeJS.Architecture, Readonly<Record<number, CallName>>>> = {
  x64: {
    0: 'read',
    19: 'read',
    7: 'poll',
    271: 'ppoll',
    23: 'select',
    270: 'select',
    232: 'epoll',
    281: 'epoll',
    441: 'epoll',
  },
  arm64: { 63: 'read', 65: 'read', 73: 'ppoll', 72: 'select', 22: 'epoll', 441: 'epoll' },
};

/** `hidden`: the kernel does not say, as for programs of another user (sudo). Undefined: it waits for no file. */
export function blockedCall(pid: number, thread: number): BlockedCall | 'hidden' | undefined {
  const names = CALLS[process.arch];
  if (!names) return 'hidden';
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/task/${thread}/syscall`, 'latin1');
  } catch (error) {
    return isGone(error) ? undefined : 'hidden';
  }
  // "running", or: number, six arguments, stack pointer, program counter.
  const [number, ...args] = text.trim().split(' ').map(Number);
  const name = number === undefined || Number.isNaN(number) ? undefined : names[number];
  if (!name) return undefined;
  try {
    return describe(pid, name, args);
  } catch (error) {
    return isGone(error) ? undefined : 'hidden';
  }
}

function describe(pid: number, name: CallName, args: readonly number[]): BlockedCall {
  const [first = 0, second = 0, third = 0, , fifth = 0] = args;
  switch (name) {
    case 'read':
      return { fds: [first], isExclusive: true };
    case 'poll':
      return polled(pollFds(pid, first, second), (third | 0) < 0);
    case 'ppoll':
      return polled(pollFds(pid, first, second), third === 0);
    case 'select':
      return polled(selectFds(pid, second, first), fifth === 0);
    case 'epoll':
      return { fds: epollFds(pid, first), isExclusive: false };
  }
}

function polled(fds: number[], isEndless: boolean): BlockedCall {
  return { fds, isExclusive: isEndless && fds.length === 1 };
}

/** A program with more descriptors is a server, not one that asks a question. */
const MAX_FDS = 1024;
const READABLE = 1;
const POLL_ENTRY_BYTES = 8;

function pollFds(pid: number, address: number, count: number): number[] {
  const entries = readMemory(pid, address, Math.min(count, MAX_FDS) * POLL_ENTRY_BYTES);
  const fds: number[] = [];
  for (let at = 0; at + POLL_ENTRY_BYTES <= entries.length; at += POLL_ENTRY_BYTES) {
    const fd = entries.readInt32LE(at);
    if (fd >= 0 && entries.readInt16LE(at + 4) & READABLE) fds.push(fd);
  }
  return fds;
}

function selectFds(pid: number, address: number, count: number): number[] {
  const limit = Math.min(count, MAX_FDS);
  const set = address === 0 ? Buffer.alloc(0) : readMemory(pid, address, Math.ceil(limit / 8));
  const fds: number[] = [];
  for (let fd = 0; fd < limit; fd++) if (((set[fd >> 3] ?? 0) >> (fd & 7)) & 1) fds.push(fd);
  return fds;
}

function epollFds(pid: number, epollFd: number): number[] {
  const info = readFileSync(`/proc/${pid}/fdinfo/${epollFd}`, 'latin1');
  return [...info.matchAll(/^tfd:\s*(\d+)\s+events:\s*([0-9a-f]+)/gm)].flatMap(([, fd, events]) =>
    Number.parseInt(events ?? '', 16) & READABLE ? [Number(fd)] : [],
  );
}

function readMemory(pid: number, address: number, length: number): Buffer {
  const fd = openSync(`/proc/${pid}/mem`, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, length === 0 ? 0 : readSync(fd, bytes, 0, length, address));
  } finally {
    closeSync(fd);
  }
}

function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ESRCH';
}
