/** Collects the mounts of a sandbox and orders them; the most specific path decides. Pure. */
import { isInside } from '../../files/real-path.js';

/**
 * `private` is a new, writable, temporary directory; `hidden` a read-only empty directory or file.
 */
export type MountKind = 'readonly' | 'writable' | 'private' | 'hidden';

export interface Mount {
  path: string;
  kind: MountKind;
  isDirectory: boolean;
}

/** Mounted over hidden paths. */
export interface EmptyPlaces {
  file: string;
  directory: string;
}

export class MountPlan {
  private readonly mounts = new Map<string, Mount>();
  private readonly forbidden: Mount[] = [];

  /** @param root how paths without a mount are treated; `hidden`: the sandbox starts with an empty root */
  constructor(private readonly root: 'readonly' | 'hidden' = 'readonly') {}

  /** A later call for the same path replaces an earlier one. */
  add(path: string, kind: MountKind, isDirectory = true): void {
    this.mounts.set(path, { path, kind, isDirectory });
  }

  remove(path: string): void {
    this.mounts.delete(path);
  }

  /** Hides the path and everything below; takes precedence over all other mounts. */
  forbid(path: string, isDirectory: boolean): void {
    this.forbidden.push({ path, kind: 'hidden', isDirectory });
  }

  /** From the root downwards, without redundant mounts. */
  ordered(): Mount[] {
    const allowed = [...this.mounts.values()].filter(
      ({ path }) => !this.forbidden.some((mount) => isInside(path, mount.path)),
    );
    const kept: Mount[] = [];
    for (const mount of [...allowed, ...this.forbidden].sort(byDepth)) {
      const above = nearest(kept, mount.path);
      if (above?.path === mount.path || isRedundant(mount.kind, above?.kind ?? this.root)) continue;
      kept.push(mount);
    }
    return kept;
  }

  /** How the plan treats a path. */
  kindAt(path: string): MountKind {
    return nearest(this.ordered(), path)?.kind ?? this.root;
  }

  /** The mount that was asked for here, also where one above makes it redundant. */
  askedAt(path: string): Mount | undefined {
    return nearest([...this.mounts.values()].sort(byDepth), path);
  }

  /** Arguments of bubblewrap, for such a root. */
  arguments(empty: EmptyPlaces): string[] {
    const mounts = this.ordered();
    const closed: string[] = [];
    const made = mounts.flatMap(({ path, kind, isDirectory }) => {
      if (kind === 'readonly') return ['--ro-bind', path, path];
      if (kind === 'writable') return ['--bind', path, path];
      if (kind === 'private') return ['--perms', '1777', '--tmpfs', path];
      if (!isDirectory) return ['--ro-bind', empty.file, path];
      const holdsOthers = mounts.some((other) => other.path !== path && isInside(other.path, path));
      if (!holdsOthers) return ['--ro-bind', empty.directory, path];
      closed.push('--remount-ro', path);
      return ['--tmpfs', path];
    });
    return [...made, ...closed];
  }
}

function byDepth(a: Mount, b: Mount): number {
  return a.path.length - b.path.length;
}

function nearest(mounts: readonly Mount[], path: string): Mount | undefined {
  return mounts.findLast((mount) => isInside(path, mount.path));
}

/** Mounting a writable path inside a writable one is not redundant: a mount point cannot be renamed. */
function isRedundant(kind: MountKind, above: MountKind): boolean {
  if (kind === 'readonly') return above === 'readonly';
  return kind === 'hidden' && (above === 'hidden' || above === 'private');
}
