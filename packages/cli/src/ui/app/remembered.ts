/** What the interface remembers from one start to the next: `~/.gemini/state.json`. Losing it costs nothing. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { globalGeminiDir, objectOf, randomUuid } from '@gemini-cli/core';

export interface Remembered {
  /** How often the tips were shown. */
  tipsShown: number;
  isMinimal: boolean;
  /** The last version that was to be installed at the end of a session. */
  updateTried?: string;
}

function rememberedFile(): string {
  return join(globalGeminiDir(process.env), 'state.json');
}

/** A file that is missing or broken remembers nothing. */
export function readRemembered(file = rememberedFile()): Remembered {
  const { tipsShown, minimalUi, updateTried } = readRecord(file);
  return {
    tipsShown: typeof tipsShown === 'number' && tipsShown > 0 ? tipsShown : 0,
    isMinimal: minimalUi === true,
    ...(typeof updateTried === 'string' && { updateTried }),
  };
}

/** Read anew before: another window may have written meanwhile. What others keep in the file stays. */
export function remember(change: Partial<Remembered>, file = rememberedFile()): void {
  const { tipsShown, isMinimal, updateTried } = change;
  const next = {
    ...readRecord(file),
    ...(tipsShown !== undefined && { tipsShown }),
    ...(isMinimal !== undefined && { minimalUi: isMinimal }),
    ...(updateTried !== undefined && { updateTried }),
  };
  const temporary = `${file}.${randomUuid()}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    // A home that cannot be written: the next start begins as this one did.
    removeQuietly(temporary);
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It was never there.
  }
}

function readRecord(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return objectOf(value);
  } catch {
    return {};
  }
}
