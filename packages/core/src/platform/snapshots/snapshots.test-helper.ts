/** For tests: a folder with a snapshot store, and a way to run code as an ordinary user. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SnapshotEngine } from './engine.js';

export interface TestFolder {
  /** Parent of `root` and `storeDir`. */
  base: string;
  root: string;
  storeDir: string;
  /** Absolute path of a file in the folder. */
  at(name: string): string;
  put(name: string, content: string | Buffer): void;
  engine(maxBytes?: number): SnapshotEngine;
  /** Every entry with kind, mode and content, by name. */
  picture(): Record<string, string>;
  cleanup(): void;
}

export const CALL = { callId: 'call', toolName: 'run_shell_command', promptId: 'prompt' };

export function testFolder(): TestFolder {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-snapshots-')));
  const root = join(base, 'work');
  mkdirSync(root);
  const at = (name: string) => join(root, name);
  const folder: TestFolder = {
    base,
    root,
    storeDir: join(base, 'store'),
    at,
    put(name, content) {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), content);
    },
    engine: (maxBytes = 50_000_000) =>
      new SnapshotEngine({
        storeDir: folder.storeDir,
        globalDir: join(base, '.gemini'),
        roots: [root],
        maxBytes,
      }),
    picture: () => pictureOf(root),
    cleanup: () => rmSync(base, { recursive: true, force: true }),
  };
  return folder;
}

export function pictureOf(root: string): Record<string, string> {
  const picture: Record<string, string> = {};
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(root, name);
    const stats = lstatSync(path);
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isSymbolicLink()) picture[name] = `link ${readlinkSync(path)}`;
    else if (stats.isFile()) picture[name] = `file ${mode} ${readFileSync(path, 'latin1')}`;
    else picture[name] = `${stats.isDirectory() ? 'dir' : 'other'} ${mode}`;
  }
  return picture;
}

/** File modes do not stop root, so root runs the work as user `nobody`. */
export function asOrdinaryUser(work: () => void): void {
  if (process.getuid?.() !== 0) {
    work();
    return;
  }
  process.seteuid?.(65_534);
  try {
    work();
  } finally {
    process.seteuid?.(0);
  }
}
