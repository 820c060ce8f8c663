/** Restores the terminal and ends child processes on every way out. */
import type { EventEmitter } from 'node:events';
import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';

export interface GuardPorts {
  /** Safe to call while the process ends. */
  restore(): void;
  leaveBy(exitCode: number): void;
  /** A bug of ours, shown to the user; the session continues. */
  noteProblem(error: unknown): void;
  /** Ends the process; the terminal is restored. */
  giveUp(error: unknown): void;
  now(): number;
}

/** The part of `process` that reports an end. */
export interface EndingProcess extends Pick<EventEmitter, 'on' | 'off'> {
  stdin: Pick<EventEmitter, 'on' | 'off'>;
}

const SIGNALS = [
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGINT', 130],
] as const;
const HANGUP = 129;
/** So many problems within a second are caused by drawing the problem itself. */
const MAX_PROBLEMS = 20;

/** @returns stops guarding; the terminal must be restored by then */
export function guardExits(process: EndingProcess, ports: GuardPorts): () => void {
  let problems: number[] = [];
  const onProblem = (error: unknown) => {
    const now = ports.now();
    problems = [...problems.filter((at) => now - at < 1_000), now];
    if (problems.length < MAX_PROBLEMS) return noteOrGiveUp(error, ports);
    ports.restore();
    ports.giveUp(error);
  };
  const ends: [string, (value?: unknown) => void][] = [
    ['exit', () => ports.restore()],
    ['uncaughtException', onProblem],
    ['unhandledRejection', onProblem],
    ...SIGNALS.map(([signal, exitCode]): [string, () => void] => [signal, () => ports.leaveBy(exitCode)]),
  ];
  const endsOfInput: [string, (error?: unknown) => void][] = [
    ['end', () => ports.leaveBy(0)],
    // A terminal that was closed answers with EIO.
    ['error', (error) => ports.leaveBy(isGone(error) ? HANGUP : 1)],
  ];
  for (const [event, listener] of ends) process.on(event, listener);
  for (const [event, listener] of endsOfInput) process.stdin.on(event, listener);
  return () => {
    for (const [event, listener] of ends) process.off(event, listener);
    for (const [event, listener] of endsOfInput) process.stdin.off(event, listener);
  };
}

function noteOrGiveUp(error: unknown, ports: GuardPorts): void {
  try {
    ports.noteProblem(error);
  } catch (another) {
    ports.restore();
    ports.giveUp(another);
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EIO';
}

/**
 * At its end Node gives the terminal its old settings back, and aborts with a core dump where that fails. It leaves
 * descriptors alone that are closed.
 */
export function dropLostTerminal(isTerminal: (fd: number) => boolean = isatty, close = closeSync): void {
  for (const fd of [0, 1, 2]) {
    if (isTerminal(fd)) continue;
    try {
      close(fd);
    } catch {
      // Closed already.
    }
  }
}

const CHECK_MS = 5_000;

/** Notices a window that was closed without a signal: stdin and stdout are no longer terminals. @returns stops */
export function watchTerminal(
  onLost: () => void,
  isTerminal: (fd: number) => boolean = isatty,
  every: number = CHECK_MS,
): () => void {
  const timer = setInterval(() => {
    if (isTerminal(0) || isTerminal(1)) return;
    clearInterval(timer);
    onLost();
  }, every);
  timer.unref();
  return () => clearInterval(timer);
}
