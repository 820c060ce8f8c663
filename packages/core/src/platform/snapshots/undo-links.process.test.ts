import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CALL, type TestFolder, testFolder } from './snapshots.test-helper.js';
import type { SnapshotRecord, UndoResult } from './types.js';

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => folder.cleanup());

function command(line: string): SnapshotRecord {
  const engine = folder.engine();
  const { id } = engine.beforeCommand(CALL);
  execFileSync('sh', ['-ec', line], { cwd: folder.root });
  return engine.after(id);
}

const statuses = ({ steps }: Pick<UndoResult, 'steps'>) =>
  Object.fromEntries(steps.map(({ path, status }) => [path.slice(folder.root.length + 1), status]));

describe('a folder that a command replaced by a link', () => {
  beforeEach(() => {
    folder.put('d/a', 'content of a');
    folder.put('d/deep/b', 'content of b');
    folder.put('other/a', 'another file of that name');
  });

  it.each([
    ['to another folder of the workspace', 'rm -r d; ln -s other d'],
    ['to a folder outside', 'rm -r d; mkdir ../out; touch ../out/a; ln -s ../out d'],
    ['to nothing', 'rm -r d; ln -s missing d'],
    ['to itself', 'rm -r d; ln -s d d'],
    ['to the place it was moved to', 'mv d moved; ln -s moved d'],
    ['to the place it was moved to and changed in', 'mv d moved; ln -s moved d; echo x > d/a; rm d/deep/b'],
    ['in its depth', 'rm -r d/deep; ln -s ../other d/deep'],
    ['together with the folder it leads to', 'rm -r d other; mkdir other2; ln -s other2 d; ln -s d other'],
    [
      'next to a file that became a folder',
      'rm -r d; ln -s other d; rm other/a; mkdir other/a; touch other/a/x',
    ],
  ])('%s is restored in one run, and the undo can be undone', (_case, line) => {
    const before = folder.picture();
    command(line);
    const after = folder.picture();
    const { steps, undoId } = folder.engine().undo('last');
    expect(new Set(steps.map(({ status }) => status))).toEqual(new Set(['done']));
    expect(folder.picture()).toEqual(before);
    folder.engine().undo(undoId ?? '');
    expect(folder.picture()).toEqual(after);
  });

  it('is restored when two commands did it', () => {
    const before = folder.picture();
    const { id } = command('rm -r d');
    command('ln -s other d');
    folder.engine().undo(id, { scope: 'since' });
    expect(folder.picture()).toEqual(before);
  });

  it('stays a link with all below it when the user has changed the link since', () => {
    command('rm -r d; ln -s other d');
    unlinkSync(folder.at('d'));
    symlinkSync('/tmp', folder.at('d'));
    expect(statuses(folder.engine().undo('last'))).toEqual({
      d: 'changed-since',
      'd/a': 'unsafe',
      'd/deep': 'unsafe',
      'd/deep/b': 'unsafe',
    });
  });

  it('is not followed when the user made the link', () => {
    command('rm d/a');
    rmSync(folder.at('d'), { recursive: true });
    symlinkSync('other', folder.at('d'));
    expect(statuses(folder.engine().undo('last'))).toEqual({ 'd/a': 'unsafe' });
    expect(readFileSync(folder.at('other/a'), 'utf8')).toBe('another file of that name');
  });
});

describe('a nested repository', () => {
  beforeEach(() => {
    folder.put('n/file', 'content');
    folder.put('n/.git/HEAD', 'ref: refs/heads/main');
    folder.put('m/module/.git', 'gitdir: elsewhere');
  });

  it.each([
    ['was removed with its folder', 'rm -r n', 'n/.git', 'n/file'],
    ['was removed alone', 'rm -r n/.git; echo x > n/file', 'n/.git', 'n/file'],
    ['was replaced', 'mkdir n/new; rm -r n/.git; mv n/new n/.git; echo x > n/file', 'n/.git', 'n/file'],
    ['is a file that was removed', 'rm m/module/.git; echo x > n/file', 'm/module/.git', 'n/file'],
    ['was replaced by a link', 'rm -r n; ln -s m n', 'n/.git', 'n/file'],
  ])('that %s is named after the command and by the undo', (_case, line, lost, back) => {
    const record = command(line);
    expect(record.uncovered).toEqual([
      { path: folder.at(lost), reason: 'repositories (.git) are not copied' },
    ]);
    const result = folder.engine().undo('last');
    expect(statuses(result)).toMatchObject({ [lost]: 'not-covered', [back]: 'done' });
    expect(result.steps.find(({ path }) => path === folder.at(lost))?.detail).toBe(
      'repositories (.git) are not copied',
    );
    expect(readFileSync(folder.at(back), 'utf8')).toBe('content');
  });

  it('that was removed is named, even if nothing else is', () => {
    command('rm -r n/.git');
    expect(statuses(folder.engine().preview('last'))).toEqual({ 'n/.git': 'not-covered' });
  });

  it('that a command only uses or creates is not reported', () => {
    const record = command('echo x > n/.git/HEAD; mkdir new; mkdir new/.git; echo y > n/file');
    expect(record.uncoveredCount).toBe(0);
    expect(new Set(Object.values(statuses(folder.engine().preview('last'))))).toEqual(
      new Set(['ready', 'changed-since']),
    );
  });

  it('is named once, by the command that removed it', () => {
    command('rm -r n/.git');
    expect(command('echo y > n/file').uncoveredCount).toBe(0);
  });
});
