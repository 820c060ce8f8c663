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

it('what is remembered is there at the next start; what others keep in the file stays', () => {
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

it('a broken file and a place that cannot be written are no failure', () => {
  const file = join(folder, 'state.json');
  writeFileSync(file, '{broken');
  expect(readSavedState(file)).toEqual({ tipsShown: 0, isMinimal: false });
  const below = join(file, 'state.json');
  saveState({ tipsShown: 1 }, below);
  expect(readSavedState(below).tipsShown).toBe(0);
});
