import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CALL, pictureOf, type TestFolder, testFolder } from './snapshots.test-helper.js';
import type { UndoResult } from './types.js';

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => folder.cleanup());

/** Records the work as one command, with a new engine, as another process would. */
function command(work: () => void) {
  const engine = folder.engine();
  const handle = engine.beforeCommand(CALL);
  work();
  return engine.after(handle.id);
}

const shell = (script: string) => execFileSync('sh', ['-c', script], { cwd: folder.root });
const statuses = ({ steps }: Pick<UndoResult, 'steps'>) =>
  Object.fromEntries(steps.map(({ path, status }) => [path.slice(folder.root.length + 1), status]));

describe('a command that rewrites, deletes and moves files', () => {
  beforeEach(() => {
    folder.put('a.txt', 'one\n');
    folder.put('src/b.txt', 'two\n');
    folder.put('src/deep/c.bin', Buffer.from([0, 1, 2, 255]));
    folder.put('old/name.txt', 'moving\n');
    mkdirSync(folder.at('empty'));
    symlinkSync('a.txt', folder.at('link'));
    chmodSync(folder.at('src/b.txt'), 0o755);
  });

  const SCRIPT =
    'echo changed > a.txt; rm -r src; mkdir -p new/sub; mv old/name.txt new/sub/other.txt; rmdir old empty; ' +
    'echo new > created.txt; ln -sfn created.txt link; chmod 600 a.txt';

  it('is undone completely, and redone by undoing the undo', () => {
    const before = folder.picture();
    const record = command(() => shell(SCRIPT));
    const after = folder.picture();
    expect(record.changes.find(({ path }) => path === folder.at('old/name.txt'))?.movedTo).toBe(
      folder.at('new/sub/other.txt'),
    );
    const result = folder.engine().undo('last');
    expect(new Set(Object.values(statuses(result)))).toEqual(new Set(['done']));
    expect(folder.picture()).toEqual(before);
    const redo = folder.engine().undo(result.undoId as string);
    expect(folder.picture()).toEqual(after);
    folder.engine().undo(redo.undoId as string);
    expect(folder.picture()).toEqual(before);
  });

  it('is shown beforehand, and the preview changes nothing', () => {
    command(() => shell(SCRIPT));
    const after = folder.picture();
    const { steps, texts } = folder.engine().preview('last');
    const actions = Object.fromEntries(
      steps.map(({ path, action }) => [path.slice(folder.root.length + 1), action]),
    );
    expect(actions).toMatchObject({
      'a.txt': 'restore',
      'src/b.txt': 'recreate',
      'created.txt': 'delete',
      'old/name.txt': 'move',
      link: 'restore',
    });
    const index = steps.findIndex(({ path }) => path === folder.at('a.txt'));
    expect(texts[index]).toEqual({ now: 'changed\n', target: 'one\n' });
    expect(texts[steps.findIndex(({ path }) => path === folder.at('src/deep/c.bin'))]).toBeNull();
    expect(folder.picture()).toEqual(after);
  });

  it('keeps a file that the user changed since, and names it', () => {
    command(() => shell(SCRIPT));
    writeFileSync(folder.at('created.txt'), 'mine now\n');
    folder.put('src/b.txt', 'written again\n');
    const result = folder.engine().undo('last');
    expect(statuses(result)).toMatchObject({
      'created.txt': 'changed-since',
      'src/b.txt': 'changed-since',
      'a.txt': 'done',
    });
    expect(readFileSync(folder.at('created.txt'), 'utf8')).toBe('mine now\n');
    expect(readFileSync(folder.at('src/b.txt'), 'utf8')).toBe('written again\n');
    expect(readFileSync(folder.at('a.txt'), 'utf8')).toBe('one\n');
  });

  it('overwrites such a file only with force', () => {
    command(() => shell(SCRIPT));
    folder.put('src/b.txt', 'written again\n');
    folder.engine().undo('last', { force: true });
    expect(readFileSync(folder.at('src/b.txt'), 'utf8')).toBe('two\n');
  });
});

describe('file tools', () => {
  const call = { ...CALL, toolName: 'write_file' };

  it('are undone with exactly their files and the folders they created', () => {
    folder.put('kept.txt', 'kept');
    const before = folder.picture();
    const engine = folder.engine();
    const handle = engine.beforeTool(call, [folder.at('new/deep/file.txt')]);
    folder.put('new/deep/file.txt', 'text');
    folder.put('elsewhere.txt', 'not part of it');
    expect(engine.after(handle.id).changes).toHaveLength(3);
    folder.engine().undo(handle.id);
    expect(folder.picture()).toEqual({ ...before, 'elsewhere.txt': expect.stringContaining('not part') });
  });

  it('are undone at the target of a link, not at the link', () => {
    folder.put('real.txt', 'old');
    symlinkSync('real.txt', folder.at('alias'));
    const engine = folder.engine();
    const handle = engine.beforeTool(call, [folder.at('alias')]);
    writeFileSync(folder.at('alias'), 'new');
    engine.after(handle.id);
    folder.engine().undo('last');
    expect(folder.picture()).toMatchObject({
      'real.txt': expect.stringMatching(/old$/),
      alias: 'link real.txt',
    });
  });

  it('that changed nothing leave nothing to undo', () => {
    folder.put('a', 'same');
    const engine = folder.engine();
    engine.after(engine.beforeTool(call, [folder.at('a')]).id);
    expect(() => folder.engine().undo('last')).toThrow('nothing to undo');
  });
});

describe('several changes', () => {
  beforeEach(() => {
    folder.put('a', '1');
    command(() => folder.put('a', '2'));
    command(() => {
      folder.put('a', '3');
      folder.put('b', 'new');
    });
  });

  it('are undone one after the other', () => {
    folder.engine().undo('last');
    expect(readFileSync(folder.at('a'), 'utf8')).toBe('2');
    folder.engine().undo('last');
    expect(readFileSync(folder.at('a'), 'utf8')).toBe('1');
    expect(() => folder.engine().undo('last')).toThrow('nothing to undo');
  });

  it('keep a file of the later one when only the earlier is undone', () => {
    const [first] = folder.engine().list();
    expect(statuses(folder.engine().undo(first?.id as string))).toEqual({ a: 'changed-since' });
  });

  it('are undone together, back to before the first', () => {
    const [first] = folder.engine().list();
    folder.engine().undo(first?.id as string, { scope: 'since' });
    expect(folder.picture()).toEqual({ a: expect.stringMatching(/1$/) });
    expect(
      folder
        .engine()
        .list()
        .map(({ undoneBy }) => undoneBy !== undefined),
    ).toEqual([true, true, false]);
  });

  it('together keep what the user changed between them', () => {
    folder.put('a', 'by hand');
    command(() => folder.put('a', '4'));
    const [first] = folder.engine().list();
    const result = folder.engine().undo(first?.id as string, { scope: 'since' });
    expect(statuses(result)).toEqual({ a: 'changed-since', b: 'done' });
  });

  it('are found by a prefix of their id; an unknown id is an error', () => {
    const [first] = folder.engine().list();
    expect(folder.engine().preview(first?.id.slice(0, 6) as string).snapshots[0]?.id).toBe(first?.id);
    expect(() => folder.engine().preview('zzzzzz')).toThrow('no snapshot "zzzzzz"');
  });
});

describe('a change that keeps size and times', () => {
  it('is detected', () => {
    folder.put('a', 'aaaa');
    const { atime, mtime } = statSync(folder.at('a'));
    const record = command(() => {
      folder.put('a', 'bbbb');
      utimesSync(folder.at('a'), atime, mtime);
    });
    expect(record.changes).toHaveLength(1);
    folder.engine().undo('last');
    expect(readFileSync(folder.at('a'), 'utf8')).toBe('aaaa');
  });

  it('is not confused with touching a file', () => {
    folder.put('a', 'aaaa');
    expect(command(() => utimesSync(folder.at('a'), 1, 1)).changes).toEqual([]);
  });
});

describe('entries', () => {
  it('that became another kind are restored', () => {
    folder.put('file', 'file');
    folder.put('dir/inside', 'inside');
    folder.put('target', 'target');
    symlinkSync('target', folder.at('link'));
    const before = folder.picture();
    command(() =>
      shell('rm -r file dir link; mkdir file link; echo x > file/x; echo y > dir; echo z > link/z'),
    );
    folder.engine().undo('last');
    expect(folder.picture()).toEqual(before);
  });

  it('with changed modes are restored, also in read-only folders', () => {
    folder.put('locked/a', 'a');
    chmodSync(folder.at('locked'), 0o555);
    folder.put('run.sh', '#!/bin/sh\n');
    chmodSync(folder.at('run.sh'), 0o755);
    const before = folder.picture();
    command(() => {
      chmodSync(folder.at('locked'), 0o755);
      rmSync(folder.at('locked'), { recursive: true });
      chmodSync(folder.at('run.sh'), 0o600);
    });
    folder.engine().undo('last');
    expect(folder.picture()).toEqual(before);
  });

  it('that are not files are never opened, and are reported', () => {
    shell('mkfifo pipe');
    const record = command(() => unlinkSync(folder.at('pipe')));
    expect(record.uncovered).toEqual([{ path: folder.at('pipe'), reason: 'it is not a regular file' }]);
    expect(statuses(folder.engine().undo('last'))).toEqual({ pipe: 'not-covered' });
  });

  it('with names that are not UTF-8 are reported', () => {
    shell('printf x > "$(printf \'bad\\377name\')"');
    const record = command(() => folder.put('good', 'x'));
    expect(record.uncovered).toEqual([
      { path: expect.stringContaining('bad'), reason: 'its name is not valid UTF-8' },
    ]);
    expect(statuses(folder.engine().undo('last'))).toEqual({ good: 'done' });
  });
});

describe('large files', () => {
  it('beyond the limit are reported when they are lost, and moved back without a copy', () => {
    folder.put('small', 'x');
    for (const name of ['moved.bin', 'lost.bin']) {
      folder.put(name, '');
      truncateSync(folder.at(name), 150 * 1024 * 1024);
    }
    const record = command(() => {
      renameSync(folder.at('moved.bin'), folder.at('elsewhere.bin'));
      appendFileSync(folder.at('lost.bin'), 'x');
    });
    expect(record.uncovered).toEqual([
      { path: folder.at('lost.bin'), reason: 'it is too large to be copied' },
    ]);
    const result = folder.engine().undo('last');
    expect(statuses(result)).toEqual({ 'moved.bin': 'done', 'lost.bin': 'not-covered' });
    expect(readdirSync(folder.root).sort()).toEqual(['lost.bin', 'moved.bin', 'small']);
  });

  it('are copied in the background: a command does not wait, an unchanged session has them', () => {
    folder.put('big.bin', Buffer.alloc(11 * 1024 * 1024, 7));
    folder.put('node_modules/x/index.js', 'x');
    const first = folder.engine();
    const handle = first.beforeCommand(CALL);
    expect(handle.uncoveredCount).toBe(2);
    first.after(handle.id);
    while (!first.copySome());
    const record = command(() => {
      unlinkSync(folder.at('big.bin'));
      unlinkSync(folder.at('node_modules/x/index.js'));
    });
    expect(record.uncoveredCount).toBe(0);
    expect(new Set(Object.values(statuses(folder.engine().undo('last'))))).toEqual(new Set(['done']));
    expect(statSync(folder.at('big.bin')).size).toBe(11 * 1024 * 1024);
  });
});

describe('what is never touched', () => {
  it('is .git, the store, and everything behind a link', () => {
    folder.put('.git/HEAD', 'ref');
    folder.put('sub/.git/HEAD', 'ref');
    mkdirSync(join(folder.base, 'outside'));
    writeFileSync(join(folder.base, 'outside/secret'), 'secret');
    symlinkSync(join(folder.base, 'outside'), folder.at('out'));
    const record = command(() => {
      folder.put('.git/HEAD', 'changed');
      folder.put('sub/.git/HEAD', 'changed');
      writeFileSync(folder.at('out/secret'), 'changed');
    });
    expect(record.changes).toEqual([]);
  });

  it('is a folder that contains other files of the user', () => {
    command(() => folder.put('made/by-command', 'x'));
    folder.put('made/by-user', 'mine');
    const result = folder.engine().undo('last');
    expect(statuses(result)).toEqual({ made: 'changed-since', 'made/by-command': 'done' });
    expect(Object.keys(folder.picture())).toEqual(['made', 'made/by-user']);
  });

  it('is the target of a link that replaced a folder', () => {
    folder.put('dir/a', 'old');
    folder.put('dir/gone', 'gone');
    command(() => {
      folder.put('dir/a', 'new');
      folder.put('dir/created', 'x');
      unlinkSync(folder.at('dir/gone'));
    });
    const outside = join(folder.base, 'outside');
    renameSync(folder.at('dir'), outside);
    symlinkSync(outside, folder.at('dir'));
    const before = pictureOf(outside);
    const result = folder.engine().undo('last');
    expect(new Set(Object.values(statuses(result)))).toEqual(new Set(['unsafe']));
    expect(pictureOf(outside)).toEqual(before);
  });

  it('is the target of a link that replaced a file', () => {
    folder.put('a', 'old');
    command(() => folder.put('a', 'new'));
    const outside = join(folder.base, 'outside');
    writeFileSync(outside, 'new');
    unlinkSync(folder.at('a'));
    symlinkSync(outside, folder.at('a'));
    expect(statuses(folder.engine().undo('last'))).toEqual({ a: 'changed-since' });
    expect(statuses(folder.engine().undo('last', { force: true }))).toEqual({ a: 'done' });
    expect(readFileSync(outside, 'utf8')).toBe('new');
    expect(readFileSync(folder.at('a'), 'utf8')).toBe('old');
  });
});

describe('while a command runs in the background', () => {
  it('changes of other calls are not recorded as its own', () => {
    const folder = testFolder();
    try {
      for (const name of ['by-background', 'by-command', 'by-tool']) folder.put(name, 'old');
      const engine = folder.engine();
      const background = engine.beforeCommand({ ...CALL, callId: 'background' });
      folder.put('by-background', 'new');
      const command = engine.beforeCommand(CALL);
      folder.put('by-command', 'new');
      engine.after(command.id);
      const tool = engine.beforeTool({ ...CALL, toolName: 'write_file' }, [folder.at('by-tool')]);
      folder.put('by-tool', 'new');
      engine.after(tool.id);
      engine.close();
      const changed = new Map(
        engine.list().map(({ id, changes }) => [id, changes.map(({ path }) => path)] as const),
      );
      expect(changed.get(background.id)).toEqual([folder.at('by-background')]);
      expect(changed.get(command.id)).toEqual([folder.at('by-command')]);
      expect(changed.get(tool.id)).toEqual([folder.at('by-tool')]);
    } finally {
      folder.cleanup();
    }
  });
});
