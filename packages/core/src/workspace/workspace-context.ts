/** The directories a session works in: the project root first, then those added to it. */
import { resolve } from 'node:path';
import { isInside, realPathOf } from '../platform/real-path.js';

export class WorkspaceContext {
  private readonly directories: string[] = [];

  constructor(targetDir: string, extraDirectories: readonly string[] = []) {
    this.addDirectory(targetDir);
    for (const directory of extraDirectories) this.addDirectory(directory);
  }

  /** Real, absolute, without duplicates; the first is the project root. */
  getDirectories(): readonly string[] {
    return this.directories;
  }

  /** All but the project root are replaced. */
  setExtraDirectories(directories: readonly string[]): void {
    this.directories.length = 1;
    for (const directory of directories) this.addDirectory(directory);
  }

  addDirectory(directory: string): void {
    const real = realPathOf(resolve(directory));
    if (!this.directories.includes(real)) this.directories.push(real);
  }

  /** Symlinks count by where they lead; for a path that does not exist yet, by its deepest existing parent. */
  isPathWithinWorkspace(path: string): boolean {
    const real = realPathOf(resolve(path));
    return this.directories.some((directory) => isInside(real, directory));
  }
}
