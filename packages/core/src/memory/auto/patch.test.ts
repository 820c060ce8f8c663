/** Patches: which are accepted, which are refused, and where hunks apply. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryLab, newFilePatch } from './auto-memory.test-helper.js';
import { applyHunks } from './patch-apply.js';
import { checkPatch } from './patch-check.js';
import { formatPatch, parsePatch } from './patch-format.js';

function filesOf(text: string) {
  const parsed = parsePatch(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.files;
}

const problemIn = (text: string) => {
  const parsed = parsePatch(text);
  return 'problem' in parsed ? parsed.problem : undefined;
};

const change = (path: string) => `--- ${path}\n+++ ${path}\n@@ -1,2 +1,3 @@\n one\n+two\n three\n`;

describe('a patch', () => {
  it('is unchanged by parsing and formatting', () => {
    const text = change('/m/a.md') + newFilePatch('/m/b.md', '# b', '', '- x');
    expect(formatPatch(filesOf(text))).toBe(text);
  });

  it.each([
    ['git lines and fences', `\`\`\`diff\ndiff --git a b\nindex 12..34\n${change('/m/a.md')}\`\`\`\n`],
    ['CRLF', change('/m/a.md').replaceAll('\n', '\r\n')],
    ['times behind the names', change('/m/a.md').replace('--- /m/a.md', '--- /m/a.md\t2026-11-15')],
    ['counts that are wrong', change('/m/a.md').replace('-1,2 +1,3', '-1,9 +1,9')],
    ['blank lines behind it', `${change('/m/a.md')}\n\n`],
    ['a note about the line end', `${change('/m/a.md')}\\ No newline at end of file\n`],
  ])('may have %s', (_what, text) => {
    expect(formatPatch(filesOf(text))).toBe(change('/m/a.md'));
  });

  it('with wrong counts still ends where the next file begins', () => {
    const text = change('/m/a.md').replace('-1,2 +1,3', '-1,9 +1,9') + change('/m/b.md');
    expect(filesOf(text).map(({ path }) => path)).toEqual(['/m/a.md', '/m/b.md']);
  });

  it('may remove and add lines that look like headers', () => {
    const text = '--- /m/a.md\n+++ /m/a.md\n@@ -1,1 +1,1 @@\n--- old\n+++ new\n';
    expect(filesOf(text)[0]?.hunks[0]?.lines).toEqual([
      { kind: '-', text: '-- old' },
      { kind: '+', text: '++ new' },
    ]);
  });

  it.each([
    ['', 'no change'],
    ['Here is my patch', 'line 1'],
    [change('relative.md'), 'not an absolute path'],
    ['--- /m/a.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n', 'deletes'],
    ['--- /m/a.md\n+++ /m/b.md\n@@ -1 +1 @@\n-x\n+y\n', 'renames'],
    ['--- /m/a.md\n+++ /m/a.md\n', 'says nothing'],
    ['--- /m/a.md\n+++ /m/a.md\n@@ nonsense @@\n+x\n', 'not a hunk header'],
    ['--- /m/a.md\n+++ /m/a.md\n@@ -1 +1 @@\n x\n', 'changes nothing'],
    ['--- /m/a.md\n+++ /m/a.md\n@@ -1 +1 @@\n*x\n', 'begins with none'],
    ['--- /dev/null\n+++ /m/a.md\n@@ -0,0 +1,2 @@\n x\n+y\n', 'to be new'],
    [newFilePatch('/m/a.md', 'red \x1b[31m'), 'control characters'],
    [change('/m/a.md') + change('/m/a.md'), 'twice'],
    [newFilePatch('/m/a.md', 'x'.repeat(200_000)), 'larger than'],
    [Array.from({ length: 21 }, (_, i) => newFilePatch(`/m/${i}.md`, 'x')).join(''), 'more than 20'],
  ])('is refused when it is invalid (case %#)', (text, reason) => {
    expect(problemIn(text)).toContain(reason);
  });
});

describe('hunks', () => {
  const hunks = (text: string) => filesOf(text)[0]?.hunks ?? [];
  const applied = (before: string, text: string) => applyHunks(before, hunks(text));

  it('apply where their lines are, if the numbers are wrong', () => {
    expect(applied('zero\nzero\none\nthree\n', change('/a.md'))).toMatchObject({
      text: 'zero\nzero\none\ntwo\nthree\n',
      hunks: [{ oldStart: 3, newStart: 3 }],
    });
  });

  it('keep the line ends of the file', () => {
    expect(applied('one\r\nthree\r\n', change('/a.md'))).toMatchObject({ text: 'one\r\ntwo\r\nthree\r\n' });
  });

  it('fit a last line without an end', () => {
    expect(applied('one\nthree', change('/a.md'))).toMatchObject({ text: 'one\ntwo\nthree\n' });
  });

  it('are refused when their context is missing or ambiguous', () => {
    expect(applied('one\nother\n', change('/a.md'))).toMatchObject({
      problem: expect.stringContaining('not there'),
    });
    const twice = 'x\none\nthree\none\nthree\n';
    expect(applied(twice, change('/a.md'))).toMatchObject({
      problem: expect.stringContaining('more than once'),
    });
  });

  it('apply one after the other in one file', () => {
    const text = '--- /a.md\n+++ /a.md\n@@ -1,1 +1,2 @@\n a\n+b\n@@ -3,1 +4,1 @@\n-d\n+e\n';
    expect(applied('a\nc\nd\n', text)).toMatchObject({ text: 'a\nb\nc\ne\n' });
  });
});

describe('patch targets', () => {
  it('are notes in the memory directory for private patches, and the global file for global ones', async () => {
    const { places } = memoryLab();
    const check = (scope: 'private' | 'global', path: string) =>
      checkPatch(newFilePatch(path, 'x'), scope, places);
    expect((await check('private', join(places.memoryDir, 'MEMORY.md'))).problem).toBeUndefined();
    expect((await check('private', join(places.memoryDir, 'topics/build.md'))).problem).toBeUndefined();
    expect((await check('global', places.globalFile)).problem).toBeUndefined();
    expect((await check('private', places.globalFile)).problem).toContain('outside');
    expect((await check('global', join(places.memoryDir, 'MEMORY.md'))).problem).toContain('only file');
  });

  it.each([
    ['a start-up file', (home: string) => join(home, '.bashrc'), 'outside'],
    ['a neighbour', (_: string, memory: string) => `${memory}-other/a.md`, 'outside'],
    ['the way up', (_: string, memory: string) => `${memory}/../../../settings.md`, 'plain absolute'],
    ['a doubled slash', (_: string, memory: string) => `${memory}//a.md`, 'plain absolute'],
    ['the inbox', (_: string, memory: string) => `${memory}/.inbox/private/x.md`, 'kept for'],
    ['the state', (_: string, memory: string) => `${memory}/.extraction-state.json`, 'kept for'],
    ['a skill', (_: string, memory: string) => `${memory}/skills/x/SKILL.md`, 'kept for'],
    ['a script', (_: string, memory: string) => `${memory}/run.sh`, 'not a Markdown'],
  ])('are never %s', async (_what, path, reason) => {
    const { places, root } = memoryLab();
    const patch = newFilePatch(path(join(root, 'home'), places.memoryDir), 'x');
    expect((await checkPatch(patch, 'private', places)).problem).toContain(reason);
    expect((await checkPatch(patch, 'global', places)).problem).toBeDefined();
  });

  it('are never behind a link', async () => {
    const { places, root, put } = memoryLab();
    put(join(root, 'elsewhere/real.md'), 'one\nthree\n');
    mkdirSync(places.memoryDir, { recursive: true });
    symlinkSync(join(root, 'elsewhere'), join(places.memoryDir, 'folder'));
    symlinkSync(join(root, 'elsewhere/real.md'), join(places.memoryDir, 'link.md'));
    symlinkSync(join(root, 'elsewhere/none.md'), join(places.memoryDir, 'dangling.md'));
    symlinkSync(join(root, 'elsewhere/real.md'), places.globalFile);
    const problem = async (path: string, scope: 'private' | 'global' = 'private') =>
      (await checkPatch(change(path), scope, places)).problem;
    expect(await problem(join(places.memoryDir, 'folder/real.md'))).toContain('link');
    expect(await problem(join(places.memoryDir, 'link.md'))).toContain('link');
    expect(await problem(join(places.memoryDir, 'dangling.md'))).toContain('link');
    expect(await problem(places.globalFile, 'global')).toContain('link');
  });

  it('must exist or not, as the patch claims', async () => {
    const { places, put } = memoryLab();
    const path = join(places.memoryDir, 'MEMORY.md');
    expect((await checkPatch(change(path), 'private', places)).problem).toContain('no such file');
    put(path, 'one\nthree\n');
    expect((await checkPatch(newFilePatch(path, 'x'), 'private', places)).problem).toContain('already');
    const checked = await checkPatch(change(path), 'private', places);
    expect(checked).toMatchObject({ files: [{ after: 'one\ntwo\nthree\n' }], diff: change(path) });
  });
});
