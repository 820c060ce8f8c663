/** Watches policy files for changes, also in folders that do not exist yet. */
import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createLog } from '../platform/log.js';

const log = createLog('policy');
/** Editors write a file in several steps. */
const SETTLE_MS = 100;
/** The project's root may hold a log that is written all the time: it is not listened to for so long after other changes. */
const PAUSE_MS = 1000;

export interface PolicyPlaces {
  /** `~/.gemini` */
  globalDir: string;
  projectDir: string;
  /** `--policy` and `--admin-policy`: files or folders. */
  paths: readonly string[];
}

export class PolicyWatch {
  private readonly watchers = new Map<string, FSWatcher>();
  private timer: NodeJS.Timeout | undefined;
  private pause: NodeJS.Timeout | undefined;
  /** What the project's root held of policies when it was looked at last. */
  private seen: string | undefined;
  private isClosed = false;

  constructor(
    private readonly places: PolicyPlaces,
    private readonly onChange: () => void,
  ) {
    this.watchAll();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    clearTimeout(this.pause);
    for (const watcher of this.watchers.values()) watcher.close();
  }

  private watchAll(): void {
    const { globalDir, projectDir, paths } = this.places;
    const ofProject = join(projectDir, '.gemini');
    this.watch(projectDir, (name) => this.isOfRoot(name));
    this.seen = this.inRoot().map(identityOf).join();
    this.watch(ofProject, (name) => name === 'policies' || name === 'policies.toml');
    this.watch(globalDir, (name) => name === 'policies');
    for (const folder of [join(globalDir, 'policies'), join(ofProject, 'policies')])
      this.watch(folder, isToml);
    for (const path of paths) {
      if (isFolder(path)) this.watch(path, isToml);
      else this.watch(dirname(path), (name) => name === basename(path));
    }
  }

  /** `.gemini`, and files given by `--policy`. */
  private inRoot(): string[] {
    const { projectDir, paths } = this.places;
    return [join(projectDir, '.gemini'), ...paths.filter((path) => dirname(path) === projectDir)];
  }

  private isOfRoot(name: string): boolean {
    const { projectDir, paths } = this.places;
    if (this.inRoot().includes(join(projectDir, name))) return true;
    if (paths.includes(projectDir)) return isToml(name);
    this.forget(projectDir);
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.listenAgain(), PAUSE_MS).unref();
    return false;
  }

  private listenAgain(): void {
    if (this.isClosed) return;
    const { seen } = this;
    this.watchAll();
    if (this.seen !== seen) this.changed();
  }

  /** A missing path is watched for in its parent folder. */
  private watch(folder: string, isMeant: (name: string) => boolean): void {
    // Most do not exist, and an error takes seven times as long as this question.
    if (this.watchers.has(folder) || !existsSync(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name === null || isMeant(name)) this.changed();
      });
      watcher.on('error', (error) => {
        log.debug('watching ended', { folder, error });
        this.forget(folder);
      });
      this.watchers.set(folder, watcher);
    } catch {
      // It is gone again, or the system watches no more.
    }
  }

  private changed(): void {
    if (this.isClosed) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      // A replaced folder needs a new watcher.
      for (const folder of [...this.watchers.keys()])
        if (basename(folder) === 'policies') this.forget(folder);
      this.forget(join(this.places.projectDir, '.gemini'));
      this.watchAll();
      this.onChange();
    }, SETTLE_MS).unref();
  }

  private forget(folder: string): void {
    this.watchers.get(folder)?.close();
    this.watchers.delete(folder);
  }
}

function isToml(name: string): boolean {
  return name.endsWith('.toml');
}

/** Another one after a folder was replaced, or a file was written. */
function identityOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return '';
  const { dev, ino, birthtimeMs, mtimeMs, size } = stats;
  return `${dev}:${ino}:${stats.isDirectory() ? birthtimeMs : `${mtimeMs}:${size}`}`;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
