/** The commit of a cloned repository, read from its files: git itself would follow the configuration in that folder. */
import { join } from 'node:path';
import { tryReadText } from '../../platform/files/try-read.js';

const COMMIT = /^[0-9a-f]{40,64}$/;

export function headCommit(folder: string): string | undefined {
  const git = join(folder, '.git');
  const head = tryReadText(join(git, 'HEAD'))?.trim();
  if (head === undefined || COMMIT.test(head)) return head;
  const ref = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1];
  if (!ref || ref.includes('..')) return undefined;
  const loose = tryReadText(join(git, ref))?.trim();
  if (loose && COMMIT.test(loose)) return loose;
  const packed = tryReadText(join(git, 'packed-refs'))?.split('\n') ?? [];
  return packed.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0];
}
