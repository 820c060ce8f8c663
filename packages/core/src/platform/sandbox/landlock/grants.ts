/** Landlock can only allow whole directories, so everything beside the hidden paths is granted, level by level. */
import { join } from 'node:path';
import { isInside } from '../../files/real-path.js';
import type { DirectoryReader } from '../paths/hidden-paths.js';
import { SandboxError } from '../types.js';

/** Setting more rules would take longer than most commands. */
const MAX_GRANTS = 4_000;

/** Paths whose files may be read and run. Links need no rule: the kernel follows them first. */
export function readableBeside(hidden: readonly string[], read: DirectoryReader): string[] {
  const grants: string[] = [];
  const visit = (directory: string) => {
    const inside = hidden.filter((path) => isInside(path, directory));
    if (inside.length === 0) grants.push(directory);
    else if (!inside.includes(directory)) {
      for (const { name, kind } of read(directory)) if (kind !== 'link') visit(join(directory, name));
    }
    if (grants.length > MAX_GRANTS) throw tooMany();
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
