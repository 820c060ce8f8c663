/** Lets a test step in before every change of the disk: to fail it, to kill the process, or to change a file first. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const CHANGES = [
  'chmodSync',
  'copyFileSync',
  'linkSync',
  'mkdirSync',
  'openSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
  'symlinkSync',
  'unlinkSync',
  'writeFileSync',
  'writeSync',
] as const;
export type DiskChange = (typeof CHANGES)[number];

/** What needs space. */
export const GROWS: ReadonlySet<DiskChange> = new Set([
  'copyFileSync',
  'linkSync',
  'mkdirSync',
  'openSync',
  'symlinkSync',
  'writeFileSync',
  'writeSync',
]);

export async function watchingDisk<T>(
  before: (change: DiskChange, args: readonly unknown[]) => void,
  work: () => Promise<T>,
): Promise<T> {
  const originals = CHANGES.map((name) => [name, fs[name]] as const);
  for (const [name, original] of originals)
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        if (name !== 'openSync' || !isReading(args[1])) before(name, args);
        return Reflect.apply(original, fs, args);
      },
    });
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    Object.assign(fs, Object.fromEntries(originals));
    syncBuiltinESMExports();
  }
}

function isReading(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) === 0;
  return flags === undefined || flags === 'r';
}

export function noSpace(): Error {
  return Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
}
