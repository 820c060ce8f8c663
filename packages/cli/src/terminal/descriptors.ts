/** Tells whether stdin and stdout are a terminal, a file or a pipe, without the slow set-up of process.stdin. */
import { fstatSync, type Stats, statSync } from 'node:fs';

export type StdinKind = 'terminal' | 'file' | 'stream' | 'none';

export function stdinKind(): StdinKind {
  const stat = attempt(() => fstatSync(0));
  if (!stat || stat.isDirectory()) return 'none';
  if (stat.isFIFO() || stat.isSocket()) return 'stream';
  return isTerminal(0) ? 'terminal' : 'file';
}

/** Recognises pipes, files and /dev/null by their type; only other devices need the tty module. */
export function isTerminal(fd: number): boolean {
  const stat = attempt(() => fstatSync(fd));
  if (process.platform !== 'win32' && (!stat?.isCharacterDevice() || isNullDevice(stat))) return false;
  return process.getBuiltinModule('node:tty').isatty(fd);
}

function isNullDevice(stat: Stats): boolean {
  return attempt(() => statSync('/dev/null'))?.rdev === stat.rdev;
}

function attempt(read: () => Stats): Stats | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
