import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PlaceholderStore } from './placeholders.js';

let base: string;
let ledgers: string;
let wanted: { path: string; content: string | null }[];
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'placeholders-'));
  ledgers = join(base, 'ledgers');
  wanted = [
    { path: join(base, 'directory'), content: null },
    { path: join(base, 'file'), content: '.' },
  ];
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const standing = () => readdirSync(base).filter((name) => name !== 'ledgers');

it('placeholders exist while they are held, and are removed with their ledger', async () => {
  const hold = await new PlaceholderStore(ledgers).hold(wanted);
  expect(standing()).toEqual(['directory', 'file']);
  expect(readFileSync(join(base, 'file'), 'utf8')).toBe('.');
  await hold.release();
  expect(standing()).toEqual([]);
  expect(readdirSync(ledgers)).toEqual([]);
});

it('placeholders are shared, and removed by the last sandbox that needs them', async () => {
  // Two stores, as in two processes.
  const first = await new PlaceholderStore(ledgers).hold(wanted);
  const second = await new PlaceholderStore(ledgers).hold(wanted);
  await first.release();
  expect(standing()).toEqual(['directory', 'file']);
  await second.release();
  expect(standing()).toEqual([]);
});

it('placeholders do not replace existing files, even empty ones', async () => {
  mkdirSync(join(base, 'directory'));
  writeFileSync(join(base, 'file'), '.');
  const hold = await new PlaceholderStore(ledgers).hold(wanted);
  await hold.release();
  expect(standing()).toEqual(['directory', 'file']);
});

it('placeholders that the user has filled or replaced are not removed', async () => {
  const hold = await new PlaceholderStore(ledgers).hold(wanted);
  writeFileSync(join(base, 'directory/user-file'), 'mine');
  writeFileSync(join(base, 'file'), 'mine');
  await hold.release();
  expect(standing()).toEqual(['directory', 'file']);
  expect(existsSync(join(base, 'directory/user-file'))).toBe(true);
});

it('placeholders of a killed process are removed at the next start', async () => {
  mkdirSync(ledgers);
  mkdirSync(join(base, 'directory'));
  const entries = [{ path: join(base, 'directory'), content: null }];
  writeFileSync(join(ledgers, 'dead.json'), JSON.stringify({ owner: '1:0', entries }));
  const hold = await new PlaceholderStore(ledgers).hold([]);
  expect(standing()).toEqual([]);
  await hold.release();
});

it('placeholders work when a ledger is damaged', async () => {
  mkdirSync(ledgers);
  for (const [name, text] of Object.entries({
    a: '',
    b: '[]',
    c: '{"owner":1}',
    d: '{"owner":"1:0","entries":[4]}',
  })) {
    writeFileSync(join(ledgers, `${name}.json`), text);
  }
  const hold = await new PlaceholderStore(ledgers).hold(wanted);
  await hold.release();
  expect(standing()).toEqual([]);
});

it('placeholders that cannot be created are skipped', async () => {
  const hold = await new PlaceholderStore(ledgers).hold([{ path: join(base, 'absent/x'), content: null }]);
  expect(standing()).toEqual([]);
  await hold.release();
});
