/** Holds the directories a session works in: the project root first, then added ones. */
import { resolve } from 'node:path';
import { isInside, realPathOf } from '../platform/files/real-path.js';

export class WorkspaceContext {
  private readonly directories: string[] = [];
  /** Directories from settings and flags; the user added the others. */
  private readonly configured = new Set<string>();
  private readonly listeners = new Set<() => void>();

  constructor(targetDir: string, extraDirectories: readonly string[] = []) {
    this.addDirectory(targetDir);
    this.setExtraDirectories(extraDirectories);
  }

  /** Real absolute paths without duplicates; the first is the project root. */
  getDirectories(): readonly string[] {
    return this.directories;
  }

  /** Called after the directories have changed. @returns a function that ends it */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Replaces the configured directories; the project root and those the user added stay. */
  setExtraDirectories(directories: readonly string[]): void {
    const before = this.directories.join('\0');
    const kept = this.directories.filter((directory) => !this.configured.has(directory));
    this.directories.splice(0, this.directories.length, ...kept);
    this.configured.clear();
    for (const directory of directories) {
      const real = realPathOf(resolve(directory));
      if (this.directories.includes(real)) continue;
      this.directories.push(real);
      this.configured.add(real);
    }
    if (this.directories.join('\0') !== before) this.changed();
  }

  addDirectory(directory: string): void {
    const real = realPathOf(resolve(directory));
    this.configured.delete(real);
    if (this.directories.includes(real)) return;
    this.directories.push(real);
    this.changed();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  /** Judges the real path; for a path that does not exist yet, its deepest existing parent. */
  isPathWithinWorkspace(path: string): boolean {
    const real = realPathOf(resolve(path));
    return this.directories.some((directory) => isInside(real, directory));
  }
}
