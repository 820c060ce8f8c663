/** Landlock allows by hierarchy and never takes away: all is granted beside what is hidden, level by level. */
import { join } from 'node:path';
import { isInside } from '../../files/real-path.js';
import type { DirectoryReader } from '../paths/hidden-paths.js';
import { SandboxError } from '../types.js';

/** More rules take longer to set than most commands run. */
const MOST_GRANTS = 4_000;

/** Paths whose files may be read and run, without the hidden ones. Links need none: they are followed first. */
export function readableBeside(hidden: readonly string[], read: DirectoryReader): string[] {
  const grants: string[] = [];
  const visit = (directory: string) => {
    const inside = hidden.filter((path) => isInside(path, directory));
    if (inside.length === 0) grants.push(directory);
    else if (!inside.includes(directory)) {
      for (const { name, kind } of read(directory)) if (kind !== 'link') visit(join(directory, name));
    }
    if (grants.length > MOST_GRANTS) throw tooMany();
  };
  visit('/');
  return grants;
}

function tooMany(): SandboxError {
  return new SandboxError(
    'There are too many files beside the hidden ones to grant each of them.',
    'Install bubblewrap (apt install bubblewrap).',
  );
}
