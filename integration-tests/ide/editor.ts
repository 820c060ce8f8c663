/** What the tests of the editor share: the program in the terminal of an editor whose companion is played by the test. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type Companion,
  type CompanionOptions,
  startCompanion,
  type TestRig,
  testRig,
} from '../test-utils.js';

type RigOptions = NonNullable<Parameters<typeof testRig>[0]>;

export interface EditorRig {
  rig: TestRig;
  companion: Companion;
  /** Where the program looks for companions. */
  tmp: string;
}

export async function editorRig(
  options: Partial<CompanionOptions> = {},
  { settings, env, ...more }: RigOptions = {},
): Promise<EditorRig> {
  const tmp = temporaryFolder();
  const rig = await testRig({
    ...more,
    settings: { ide: { enabled: true }, ...(settings as object) },
    env: { TERM_PROGRAM: 'vscode', TMPDIR: tmp, ...env },
  });
  const companion = await startCompanion({ tmpdir: tmp, roots: [rig.workspace], ...options });
  return { rig, companion, tmp };
}

/** A program that holds a socket or a shell there may end after the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-ide-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
