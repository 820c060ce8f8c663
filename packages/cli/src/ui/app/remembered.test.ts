import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readRemembered, remember } from './remembered.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remembered-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('what is remembered is there at the next start; what others keep in the file stays', () => {
  const file = join(folder, 'deep', 'state.json');
  expect(readRemembered(file)).toEqual({ tipsShown: 0, isMinimal: false });
  remember({ tipsShown: 3 }, file);
  remember({ isMinimal: true }, file);
  expect(readRemembered(file)).toEqual({ tipsShown: 3, isMinimal: true });
  writeFileSync(file, '{"other": 1, "tipsShown": "many"}');
  expect(readRemembered(file).tipsShown).toBe(0);
  remember({ tipsShown: 1 }, file);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ other: 1, tipsShown: 1 });
});

it('a broken file and a place that cannot be written are no failure', () => {
  const file = join(folder, 'state.json');
  writeFileSync(file, '{broken');
  expect(readRemembered(file)).toEqual({ tipsShown: 0, isMinimal: false });
  const below = join(file, 'state.json');
  remember({ tipsShown: 1 }, below);
  expect(readRemembered(below).tipsShown).toBe(0);
});
