/** A program for the tests to kill: changes files, records that, and undoes it, over and over. */
import { mkdirSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../files/atomic-write.js';
import { SnapshotEngine } from './engine.js';

export const FILES = 5;
export const VERSIONS = ['original', 'v0', 'v1', 'v2', 'v3', 'v4'];

/** Long enough that a partly written file would be noticed. */
export function wholeText(name: string, version: string): string {
  return `${name} ${version}\n${`${version} `.repeat(4000)}end ${version}\n`;
}

/** Reports its progress on stdout: the test counts these lines to choose when to kill it. */
function changeAndUndo(root: string, storeDir: string): void {
  const call = { callId: 'c', toolName: 'run_shell_command', promptId: 'p' };
  const engine = new SnapshotEngine({ storeDir, globalDir: storeDir, roots: [root], maxBytes: 3_000_000 });
  for (let round = 0; round < 50; round++) {
    writeSync(1, `round ${round}\n`);
    const handle = engine.beforeCommand(call);
    for (let file = 0; file < FILES; file++) {
      replaceFile(join(root, `file${file}`), Buffer.from(wholeText(`file${file}`, `v${round % 5}`)));
    }
    mkdirSync(join(root, 'made'), { recursive: true });
    writeFileSync(join(root, 'made/empty'), '');
    rmSync(join(root, 'renamed'), { recursive: true, force: true });
    renameSync(join(root, 'made'), join(root, 'renamed'));
    writeSync(1, 'changed\n');
    engine.after(handle.id);
    writeSync(1, 'recorded\n');
    engine.undo(handle.id);
    writeSync(1, 'undone\n');
  }
}

const [word, root, storeDir] = process.argv.slice(2);
if (word === 'change-and-undo' && root && storeDir) changeAndUndo(root, storeDir);
