/** For tests: a temporary home and project with the directories of auto memory. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type AutoMemoryPlaces, autoMemoryPlaces, extractionPatch, type PatchScope } from './places.js';

export interface MemoryLab {
  root: string;
  places: AutoMemoryPlaces;
  put(path: string, text: string): string;
  read(path: string): string | undefined;
  putPatch(scope: PatchScope, text: string): string;
  putDraft(name: string, text?: string): string;
}

export function memoryLab(): MemoryLab {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'auto-memory-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const places = autoMemoryPlaces({
    projectTempDir: join(root, 'home/.gemini/tmp/project'),
    globalDir: join(root, 'home/.gemini'),
    targetDir: join(root, 'project'),
  });
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  mkdirSync(join(root, 'project'));
  return {
    root,
    places,
    put,
    read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
    putPatch: (scope, text) => put(extractionPatch(places, scope), text),
    putDraft: (name, text = skillText(name)) => put(join(places.draftsDir, name, 'SKILL.md'), text),
  };
}

export function skillText(name: string, body = 'Run the tests.'): string {
  return `---\nname: ${name}\ndescription: How it is done.\n---\n${body}\n`;
}

export function newFilePatch(path: string, ...lines: string[]): string {
  const added = lines.map((line) => `+${line}\n`).join('');
  return `--- /dev/null\n+++ ${path}\n@@ -0,0 +1,${lines.length} @@\n${added}`;
}
