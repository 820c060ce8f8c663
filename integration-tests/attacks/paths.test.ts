/** Paths that lead out of the workspace, by links (row 8) and by their spelling (row 9). */
import { existsSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { TestRig } from '../test-utils.js';
import { attack, callOnce, type Outcome } from './attack.js';

const SECRET = 'what lies outside';

/** A folder beside the workspace with a file in it. */
function outside(rig: TestRig): { folder: string; file: string; untouched: () => void } {
  const folder = join(dirname(rig.workspace), 'outside');
  mkdirSync(folder);
  const file = join(folder, 'secret.txt');
  writeFileSync(file, SECRET);
  return { folder, file, untouched: () => expect(readFileSync(file, 'utf8')).toBe(SECRET) };
}

/** Nothing was read, and model and user are told why. */
function expectRefused({ run, answer, result }: Outcome): void {
  expect(answer.error).toMatch(/Path not in workspace|leads outside/);
  expect(result['status']).toBe('error');
  expect(run.stdout + JSON.stringify(answer)).not.toContain(SECRET);
  expect(run.exitCode, run.stderr).toBe(0);
}

const TOOLS: [string, (path: string) => object][] = [
  ['read_file', (file_path) => ({ file_path })],
  ['write_file', (file_path) => ({ file_path, content: 'overwritten' })],
  ['replace', (file_path) => ({ file_path, old_string: 'lies', new_string: 'stands' })],
];
for (const [tool, args] of TOOLS) {
  for (const mode of ['auto_edit', 'yolo'] as const) {
    attack(8, `${tool} through a linked file (${mode})`, async (rig) => {
      const { file, untouched } = outside(rig);
      symlinkSync(file, rig.path('inside.txt'));
      expectRefused(await callOnce(rig, tool, args('inside.txt'), { mode }));
      untouched();
      expect(readlinkSync(rig.path('inside.txt'))).toBe(file);
    });
  }
  attack(8, `${tool} through a linked parent folder`, async (rig) => {
    const { folder, untouched } = outside(rig);
    mkdirSync(rig.path('deep'));
    symlinkSync('../../outside', rig.path('deep/link'));
    expectRefused(await callOnce(rig, tool, args('deep/link/secret.txt'), { mode: 'yolo' }));
    untouched();
    expect(existsSync(folder)).toBe(true);
  });
}

attack(8, 'a new file through a link that leads to nothing yet', async (rig) => {
  const { folder } = outside(rig);
  symlinkSync(join(folder, 'new.txt'), rig.path('new.txt'));
  expectRefused(await callOnce(rig, 'write_file', { file_path: 'new.txt', content: 'x' }, { mode: 'yolo' }));
  expect(existsSync(join(folder, 'new.txt'))).toBe(false);
});

for (const [tool, args] of [
  ['list_directory', { dir_path: 'link' }],
  ['grep_search', { pattern: 'lies', dir_path: 'link' }],
  ['glob', { pattern: '*', dir_path: 'link' }],
  ['run_shell_command', { command: 'cat secret.txt', dir_path: 'link' }],
] as const) {
  attack(8, `${tool} in a linked folder`, async (rig) => {
    const { folder, untouched } = outside(rig);
    symlinkSync(folder, rig.path('link'));
    expectRefused(await callOnce(rig, tool, args, { mode: 'yolo' }));
    untouched();
  });
}

attack(8, 'a search of the whole workspace does not follow links', async (rig) => {
  const { folder, file } = outside(rig);
  symlinkSync(folder, rig.path('link'));
  symlinkSync(file, rig.path('secret.txt'));
  const { answer } = await callOnce(rig, 'grep_search', { pattern: 'lies' });
  expect(JSON.stringify(answer)).not.toContain('lies outside');
});

for (const reference of ['@inside.txt', '@link/secret.txt', '@link', '@../outside/secret.txt']) {
  attack(8, `${reference} in a prompt`, async (rig) => {
    const { folder, file } = outside(rig);
    symlinkSync(file, rig.path('inside.txt'));
    symlinkSync(folder, rig.path('link'));
    const run = await rig.cli('-p', `look at ${reference}`);
    expect(run.exitCode, run.stderr).not.toBe(0);
    expect(run.stderr).toContain(`Cannot read ${reference}: Path not in workspace`);
    expect(rig.model.requests).toEqual([]);
  });
}

for (const mode of ['auto_edit', 'yolo'] as const) {
  attack(8, `.gemini itself is a link (${mode})`, async (rig) => {
    const { folder } = outside(rig);
    symlinkSync(folder, rig.path('.gemini'));
    const args = { file_path: '.gemini/settings.json', content: '{}' };
    expectRefused(await callOnce(rig, 'write_file', args, { mode }));
    expect(existsSync(join(folder, 'settings.json'))).toBe(false);
  });
}

const SPELLINGS: [string, (rig: TestRig) => string][] = [
  ['../outside/secret.txt', () => '../outside/secret.txt'],
  ['up and down again', () => 'sub/../../outside/secret.txt'],
  ['through a folder that is not there', () => 'none/../../outside/secret.txt'],
  ['absolute', (rig) => join(dirname(rig.workspace), 'outside/secret.txt')],
  ['with doubled slashes', (rig) => `//${join(dirname(rig.workspace), 'outside//secret.txt')}`],
  ['the workspace as a mere beginning', (rig) => `${rig.workspace}/../outside/secret.txt`],
  ['with a trailing slash', () => '../outside/secret.txt/'],
  ['with a trailing dot', () => '../outside/./secret.txt/.'],
  ['~', () => '~/../outside/secret.txt'],
  ['a NUL in the middle', () => '../outside/\0secret.txt'],
  ['an @ in front', () => '@../outside/secret.txt'],
  ['the home of the user', () => '~/.gemini/settings.json'],
  ['the trust of the user', () => '~/.gemini/trustedFolders.json'],
];
for (const [how, spell] of SPELLINGS) {
  for (const [tool, args] of TOOLS.slice(0, 2)) {
    attack(9, `${how}: ${tool}`, async (rig) => {
      rig.write('sub/x', '');
      rig.writeHome('settings.json', '{}');
      const trust = readFileSync(join(rig.home, '.gemini/trustedFolders.json'), 'utf8');
      const { untouched } = outside(rig);
      expectRefused(await callOnce(rig, tool, args(spell(rig)), { mode: 'yolo' }));
      untouched();
      expect(readFileSync(join(rig.home, '.gemini/settings.json'), 'utf8')).toBe('{}');
      expect(readFileSync(join(rig.home, '.gemini/trustedFolders.json'), 'utf8')).toBe(trust);
    });
  }
}

/** These are plain names, however they look: they stay inside the workspace, or are not valid names. */
for (const path of [
  '%2e%2e/outside/secret.txt',
  '..%2foutside%2fsecret.txt',
  '.. /outside/secret.txt',
  '..\\outside\\secret.txt',
]) {
  attack(9, `${path} is a name like others`, async (rig) => {
    const { folder, untouched } = outside(rig);
    const { answer } = await callOnce(rig, 'write_file', { file_path: path, content: 'x' }, { mode: 'yolo' });
    untouched();
    expect(existsSync(join(folder, 'secret.txt'))).toBe(true);
    expect(answer.error !== undefined || rig.exists(path)).toBe(true);
  });
}
for (const [how, path] of [
  ['~root/x', '~root/x'],
  ['an over-long name', 'x'.repeat(5000)],
  ['an over-long path', 'x/'.repeat(5000)],
  ['a line break', 'a\nb'],
] as const) {
  attack(9, `${how} is refused`, async (rig) => {
    const { answer, run } = await callOnce(
      rig,
      'write_file',
      { file_path: path, content: 'x' },
      { mode: 'yolo' },
    );
    expect(answer.error).toBeTruthy();
    expect(run.exitCode, run.stderr).toBe(0);
  });
}
