/** Folders with extensions for tests; they are removed after each test. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';

const made: string[] = [];

afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

export type FileContents = Readonly<Record<string, string | Buffer | object>>;

/** A new folder with these files; an object becomes JSON. */
export function folderWith(files: FileContents = {}): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'extension-test-')));
  made.push(dir);
  addFiles(dir, files);
  return dir;
}

export function addFiles(dir: string, files: FileContents): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(dir, name);
    mkdirSync(dirname(path), { recursive: true });
    const isRaw = typeof content === 'string' || Buffer.isBuffer(content);
    writeFileSync(path, isRaw ? content : JSON.stringify(content));
  }
}
