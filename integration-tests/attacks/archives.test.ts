/** Hostile archives of skills: `gemini skills install` refuses them or keeps to the skills folder (row 24). */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { type ZipEntry, zipOf } from '../../packages/core/src/skills/install/zip.test-helper.js';
import type { RunResult, TestRig } from '../test-utils.js';
import { attack } from './attack.js';

const header = (name: string) => `---\nname: ${name}\ndescription: Packs things.\n---\n\nPack.\n`;
const SKILL: ZipEntry = { name: 'SKILL.md', data: header('packer') };
const COMPILED = 'compile-cache';
/** Control and bidirectional characters, but for line ends and tabs. */
const CONTROL = /[^\P{C}\n\t]/u;

/** Everything below a folder, byte by byte. The program's own compiled code may come and go. */
function snapshot(root: string): Record<string, string> {
  const entries = readdirSync(root, { withFileTypes: true, recursive: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes(COMPILED));
  return Object.fromEntries(entries.map((path) => [path.slice(root.length), stateOf(path)]));
}

function stateOf(path: string): string {
  const stats = lstatSync(path);
  const mode = stats.mode.toString(8);
  if (stats.isSymbolicLink()) return `${mode} -> ${readlinkSync(path)}`;
  return stats.isFile() ? `${mode} ${readFileSync(path).toString('base64')}` : mode;
}

async function install(rig: TestRig, archive: Buffer, name = 'packer.skill'): Promise<RunResult> {
  rig.write(name, archive);
  const temporary = temporaryFolder(rig);
  // Without colours of ours every control character is the attacker's.
  const env = { TMPDIR: temporary, NO_COLOR: '1', FORCE_COLOR: undefined };
  return rig.cli('skills', 'install', name, '--consent', { env });
}

function temporaryFolder(rig: TestRig): string {
  const path = join(dirname(rig.home), 'temporary');
  mkdirSync(path, { recursive: true });
  return path;
}

/** The archive is named with the reason, and nothing is changed: in the home, the workspace or beside them. */
async function expectRefused(rig: TestRig, archive: Buffer, reason: RegExp | string): Promise<void> {
  rig.writeHome('skills/mine/SKILL.md', header('mine'));
  await rig.cli('skills', 'list');
  const before = snapshot(rig.home);
  const run = await install(rig, archive);
  expect(run.exitCode, run.stdout).toBe(1);
  expect(run.stderr).toMatch(reason);
  expect(`${run.stdout}${run.stderr}`).not.toMatch(CONTROL);
  expect(snapshot(rig.home)).toEqual(before);
  expect(readdirSync(rig.workspace)).toEqual(['packer.skill']);
  expect(readdirSync(temporaryFolder(rig))).toEqual([]);
  expect(readdirSync(dirname(rig.home)).sort()).toEqual(['home', 'temporary', 'workspace']);
}

const LEAVES = /invalid relative path|absolute path|is not a plain relative path/;
const ENTRIES: [string, ZipEntry, RegExp][] = [
  ['a name that leads up', { name: '../../.bashrc', data: 'evil' }, LEAVES],
  ['a name that leads up from below', { name: 'a/../../../.profile', data: 'evil' }, LEAVES],
  ['a name that leads to the settings', { name: '../../settings.json', data: '{}' }, LEAVES],
  ['an absolute name', { name: '/tmp/gemini-attack-24', data: 'evil' }, LEAVES],
  ['backslashes', { name: '..\\..\\settings.json', data: '{}' }, LEAVES],
  ['a drive letter', { name: 'C:evil', data: 'evil' }, LEAVES],
  ['terminal control in a name', { name: 'a\u001b[2J\u001b]52;c;ZXZpbA==\u0007', data: 'x' }, LEAVES],
  ['a link', { name: 'link', data: '/etc/passwd', mode: 0o120777 }, /is a link or special file/],
  ['a link to the home folder', { name: 'up', data: '../..', mode: 0o120777 }, /is a link or special file/],
  ['a device', { name: 'disk', mode: 0o060666 }, /is a link or special file/],
  ['a terminal device', { name: 'tty', mode: 0o020666 }, /is a link or special file/],
  ['a pipe', { name: 'pipe', mode: 0o010666 }, /is a link or special file/],
  ['the same name in another case', { name: 'skill.MD', data: header('evil') }, /is there twice/],
  ['a file that is a folder, too', { name: 'SKILL.md/x', data: 'x' }, /cannot be extracted/],
  ['an encrypted file', { name: 'secret', data: 'x', isEncrypted: true }, /is encrypted/],
  ['a size that is a lie', { name: 'big', data: 'x'.repeat(1000), claimedSize: 10 }, /cannot be extracted/],
];
for (const [what, entry, reason] of ENTRIES)
  attack(24, `an archive with ${what} is refused`, (rig) =>
    expectRefused(rig, zipOf([SKILL, entry]), reason),
  );

attack(24, 'a link and a file below it are refused', (rig) =>
  expectRefused(
    rig,
    zipOf([SKILL, { name: 'd', data: '../..', mode: 0o120777 }, { name: 'd/settings.json', data: '{}' }]),
    'is a link or special file',
  ),
);

attack(24, 'one file that extracts to far more than its size is refused', (rig) =>
  expectRefused(
    rig,
    zipOf([SKILL, { name: 'zeros', data: Buffer.alloc(64 * 1024 * 1024) }]),
    'more than 100 times its size',
  ),
);

attack(24, 'many files that extract to too much together are refused', (rig) => {
  const zeros = Buffer.alloc(1024 * 1024);
  const files = Array.from({ length: 60 }, (_, index) => ({ name: `zeros-${index}`, data: zeros }));
  return expectRefused(rig, zipOf([SKILL, ...files]), 'more than 100 times its size');
});

attack(24, 'too many entries are refused', (rig) => {
  const files = Array.from({ length: 5_001 }, (_, index) => ({ name: `f${index}` }));
  return expectRefused(rig, zipOf([SKILL, ...files]), 'more than 5000 entries');
});

attack(24, 'an archive that is cut off is refused', (rig) =>
  expectRefused(rig, zipOf([SKILL]).subarray(0, 60), 'is not a skill archive'),
);

attack(24, 'two skills with one name in another case are refused', (rig) =>
  expectRefused(
    rig,
    zipOf([
      { name: 'a/SKILL.md', data: header('same') },
      { name: 'b/SKILL.md', data: header('SAME') },
    ]),
    'Two skills are called',
  ),
);

const NAMES: [string, string][] = [
  ['leads up', '"../../../.config/evil"'],
  ['is absolute', '"/etc/evil"'],
  ['is hidden', '".git"'],
  ['is two dots', '".."'],
  ['draws on the terminal', '"a\\e[2J\\e]0;owned\\a\\u202Eb"'],
  ['is a name of JavaScript', '"__proto__"'],
];
for (const [what, name] of NAMES)
  attack(24, `a skill whose name ${what} stays in the skills folder`, async (rig) => {
    await rig.cli('skills', 'list');
    const before = snapshot(rig.home);
    const run = await install(rig, zipOf([{ name: 'SKILL.md', data: header(name) }]));
    expect(`${run.stdout}${run.stderr}`).not.toMatch(CONTROL);
    const skills = join(rig.home, '.gemini/skills');
    const added = existsSync(skills) ? readdirSync(skills) : [];
    expect(added).toHaveLength(run.exitCode === 0 ? 1 : 0);
    for (const folder of added) expect(folder).toMatch(/^[^./\\\p{C}][^/\\\p{C}]*$/u);
    const outside = Object.entries(snapshot(rig.home)).filter(
      ([path]) => !path.startsWith('/.gemini/skills'),
    );
    expect(Object.fromEntries(outside)).toEqual(before);
    expect(readdirSync(rig.workspace)).toEqual(['packer.skill']);
    const listed = await rig.cli('skills', 'list', { env: { NO_COLOR: '1', FORCE_COLOR: undefined } });
    expect(listed.exitCode).toBe(0);
    expect(listed.stdout).not.toMatch(CONTROL);
  });
