import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FILES, VERSIONS, wholeText } from './kill-child.test-helper.js';
import { type TestFolder, testFolder } from './snapshots.test-helper.js';

const KILLS = 40;
/** Output lines of the program; `recorded` is more frequent, because the undo follows it. */
const WORDS = ['round', 'changed', 'recorded', 'recorded', 'recorded', 'undone'];
const here = dirname(fileURLToPath(import.meta.url));

describe('kill -9 at any moment of writing, recording and undoing', () => {
  let folder: TestFolder;
  let program: string;

  beforeAll(async () => {
    folder = testFolder();
    program = join(folder.base, 'child.cjs');
    for (let file = 0; file < FILES; file++) folder.put(`file${file}`, wholeText(`file${file}`, 'original'));
    const entryPoints = [join(here, 'kill-child.test-helper.ts')];
    await build({ entryPoints, bundle: true, platform: 'node', format: 'cjs', outfile: program });
  });
  afterAll(() => folder.cleanup());

  it(`leaves every file whole and a store that opens, ${KILLS} times`, async () => {
    const random = seeded(20_261_115);
    for (let kill = 0; kill < KILLS; kill++) {
      // After which line of its output, and how many turns of the loop later.
      const word = WORDS[Math.floor(random() * WORDS.length)] as string;
      await killAfter(word, 1 + Math.floor(random() * 2), Math.floor(random() * 3_000));
      expect(brokenFiles(), `after kill ${kill}`).toEqual([]);
      const engine = folder.engine(3_000_000);
      for (const record of engine.recover()) expect(record.interrupted).toBe(true);
      expect(temporaryFiles()).toEqual([]);
      // An interrupted call can be undone, or is already undone.
      if (
        engine.list().some(({ kind, undoneBy, changes }) => kind !== 'undo' && !undoneBy && changes.length)
      ) {
        const { steps } = engine.undo('last');
        expect(steps.filter(({ status }) => status === 'failed' || status === 'damaged')).toEqual([]);
      }
      expect(brokenFiles(), `after the undo of kill ${kill}`).toEqual([]);
    }
  }, 300_000);

  function killAfter(word: string, times: number, turns: number): Promise<void> {
    const child = spawn(process.execPath, [program, 'change-and-undo', folder.root, folder.storeDir], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let seen = 0;
    let problem = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      problem += text;
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      seen += text.split(word).length - 1;
      if (seen >= times) later(turns, () => child.kill('SIGKILL'));
    });
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => {
        // The program never ends by itself, so an exit is a failure.
        if (signal === 'SIGKILL') resolve();
        else reject(new Error(`ended with ${code}: ${problem}`));
      });
    });
  }

  function brokenFiles(): string[] {
    return readdirSync(folder.root)
      .filter((name) => /^file\d+$/.test(name))
      .filter(
        (name) =>
          !VERSIONS.some((version) => readFileSync(folder.at(name), 'utf8') === wholeText(name, version)),
      );
  }

  function temporaryFiles(): string[] {
    return readdirSync(folder.root).filter((name) => name.startsWith('.gemini-undo-'));
  }
});

function later(turns: number, work: () => void): void {
  if (turns <= 0) work();
  else setImmediate(() => later(turns - 1, work));
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}
