/** The directories a session works in: the project root first, then those added to it. */
import { resolve } from 'node:path';
import { isInside, realPathOf } from '../platform/files/real-path.js';

export class WorkspaceContext {
  private readonly directories: string[] = [];
  /** Those of settings and flags; the rest the user has added since. */
  private readonly configured = new Set<string>();
  private readonly readable = new Set<string>();

  constructor(targetDir: string, extraDirectories: readonly string[] = []) {
    this.addDirectory(targetDir);
    this.setExtraDirectories(extraDirectories);
  }

  /** Real, absolute, without duplicates; the first is the project root. */
  getDirectories(): readonly string[] {
    return this.directories;
  }

  /** In place of those set before; the project root and what the user has added stay. */
  setExtraDirectories(directories: readonly string[]): void {
    const kept = this.directories.filter((directory) => !this.configured.has(directory));
    this.directories.splice(0, this.directories.length, ...kept);
    this.configured.clear();
    for (const directory of directories) {
      const real = realPathOf(resolve(directory));
      if (this.directories.includes(real)) continue;
      this.directories.push(real);
      this.configured.add(real);
    }
  }

  addDirectory(directory: string): void {
    const real = realPathOf(resolve(directory));
    this.configured.delete(real);
    if (!this.directories.includes(real)) this.directories.push(real);
  }

  /** A folder or file outside the workspace that tools may read (an activated skill). Returns how to end that. */
  addReadOnlyPath(path: string): () => void {
    const real = realPathOf(resolve(path));
    this.readable.add(real);
    return () => this.readable.delete(real);
  }

  getReadOnlyPaths(): readonly string[] {
    return [...this.readable];
  }

  /** In the workspace, or below a path that was registered for reading. */
  isPathReadable(path: string): boolean {
    const real = realPathOf(resolve(path));
    return this.isPathWithinWorkspace(real) || [...this.readable].some((root) => isInside(real, root));
  }

  /** Symlinks count by where they lead; for a path that does not exist yet, by its deepest existing parent. */
  isPathWithinWorkspace(path: string): boolean {
    const real = realPathOf(resolve(path));
    return this.directories.some((directory) => isInside(real, directory));
  }
}
