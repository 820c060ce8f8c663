/** Resolves a path and reports the links on the way: a sandbox with an empty root must recreate them. */
import { readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codeOf } from '../../../base/errors.js';
import { isInside } from '../../files/real-path.js';

export interface PathLink {
  /** Its folder is a real path. */
  at: string;
  /** As written in the link. */
  target: string;
}

export interface FollowedPath {
  real: string;
  links: readonly PathLink[];
}

const MAX_LINKS = 40;

/**
 * @param guarded folders whose content others may have written: a link inside must not lead out of them
 * @returns undefined for a loop of links, or a link that leaves a guarded folder
 */
export function followLinks(path: string, guarded: readonly string[] = []): FollowedPath | undefined {
  const links: PathLink[] = [];
  let left = partsOf(path);
  let real = '/';
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    const place = join(real, part);
    const target = linkAt(place);
    if (target === undefined) {
      real = place;
      continue;
    }
    const goal = resolve(real, target);
    const guard = guarded.find((folder) => folder !== place && isInside(place, folder));
    if (links.length >= MAX_LINKS || (guard !== undefined && !isInside(goal, guard))) return undefined;
    links.push({ at: place, target });
    left = [...partsOf(goal), ...left];
    real = '/';
  }
  return { real, links };
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    // EINVAL: not a link. Anything else: it does not exist, or may not be read.
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}
