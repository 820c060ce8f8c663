/** Small state kept between sessions: `~/.gemini/state.json`. A missing file is not an error. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { globalGeminiDir, objectOf, randomUuid } from '@gemini-cli/core';

export interface SavedState {
  /** How often the tips were shown. */
  tipsShown: number;
  isMinimal: boolean;
  /** The last version that was installed at the end of a session, successfully or not. */
  updateTried?: string;
  /** New versions of extensions that the user was told of, by name. */
  extensionsTold?: Record<string, string>;
}

function savedStateFile(): string {
  return join(globalGeminiDir(process.env), 'state.json');
}

/** Defaults for a missing or broken file. */
export function readSavedState(file = savedStateFile()): SavedState {
  const { tipsShown, minimalUi, updateTried, extensionsTold } = readRecord(file);
  return {
    tipsShown: typeof tipsShown === 'number' && tipsShown > 0 ? tipsShown : 0,
    isMinimal: minimalUi === true,
    ...(typeof updateTried === 'string' && { updateTried }),
    ...(extensionsTold !== undefined && { extensionsTold: textsOf(extensionsTold) }),
  };
}

function textsOf(value: unknown): Record<string, string> {
  const entries = Object.entries(objectOf(value));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Reads the file again first: another process may have written it. Unknown fields stay. */
export function saveState(change: Partial<SavedState>, file = savedStateFile()): void {
  const { tipsShown, isMinimal, updateTried, extensionsTold } = change;
  const next = {
    ...readRecord(file),
    ...(tipsShown !== undefined && { tipsShown }),
    ...(isMinimal !== undefined && { minimalUi: isMinimal }),
    ...(updateTried !== undefined && { updateTried }),
    ...(extensionsTold !== undefined && { extensionsTold }),
  };
  const temporary = `${file}.${randomUuid()}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    // The home is not writable: the next session uses the old state.
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
