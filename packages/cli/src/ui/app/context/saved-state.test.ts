import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readSavedState, saveState } from './saved-state.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remembered-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('saved state is read at the next start; unknown fields of the file stay', () => {
  const file = join(folder, 'deep', 'state.json');
  expect(readSavedState(file)).toEqual({ tipsShown: 0, isMinimal: false });
  saveState({ tipsShown: 3 }, file);
  saveState({ isMinimal: true }, file);
  expect(readSavedState(file)).toEqual({ tipsShown: 3, isMinimal: true });
  writeFileSync(file, '{"other": 1, "tipsShown": "many"}');
  expect(readSavedState(file).tipsShown).toBe(0);
  saveState({ tipsShown: 1 }, file);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ other: 1, tipsShown: 1 });
});

it('a broken file and an unwritable folder are not errors', () => {
  const file = join(folder, 'state.json');
  writeFileSync(file, '{broken');
  expect(readSavedState(file)).toEqual({ tipsShown: 0, isMinimal: false });
  const below = join(file, 'state.json');
  saveState({ tipsShown: 1 }, below);
  expect(readSavedState(below).tipsShown).toBe(0);
});
