import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSnapshots } from '@gemini-cli/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseArguments, type UndoArguments } from './arguments.js';
import { type UndoContext, undoCommand } from './run.js';

let base: string;
let stored: UndoContext;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-undo-')));
  const cwd = join(base, 'work');
  mkdirSync(cwd);
  stored = {
    cwd,
    storeDir: join(base, 'store'),
    globalDir: join(base, '.gemini'),
    maxBytes: 1_000_000,
    hasColour: false,
  };
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const at = (name: string) => join(stored.cwd, name);

async function command(description: string, work: () => void): Promise<string> {
  const { SnapshotEngine } = await loadSnapshots();
  const { cwd, storeDir, globalDir, maxBytes } = stored;
  const engine = new SnapshotEngine({ storeDir, globalDir, roots: [cwd], maxBytes });
  const call = { callId: 'c', toolName: 'run_shell_command', promptId: 'p', description };
  const { id } = engine.beforeCommand(call);
  work();
  engine.after(id);
  return id;
}

async function undo(...args: string[]) {
  const output = { out: '', err: '', code: -1 };
  const io = {
    env: {},
    stdout: (text: string) => {
      output.out += text;
    },
    stderr: (line: string) => {
      output.err += `${line}\n`;
    },
  };
  output.code = await undoCommand(parseArguments(args) as UndoArguments, io, stored);
  return output;
}

async function changeThings(): Promise<string> {
  writeFileSync(at('a.txt'), 'one\n');
  writeFileSync(at('gone.txt'), 'gone\n');
  return command('rm gone.txt; …', () => {
    writeFileSync(at('a.txt'), 'two\n');
    unlinkSync(at('gone.txt'));
    writeFileSync(at('new.txt'), 'new\n');
  });
}

describe('gemini undo', () => {
  it('shows what it would do and changes nothing when the user cannot be asked', async () => {
    await changeThings();
    const { out, err, code } = await undo();
    expect(code).toBe(1);
    expect(err).toBe('Nothing was changed. To restore these files, add --yes.\n');
    expect(out).toContain('  restore  a.txt\n  create   gone.txt\n  delete   new.txt\n');
    expect(out).toContain('--- a.txt\n@@ -1,1 +1,1 @@\n-two\n+one\n');
    expect(out).toContain('1 to restore, 1 to create, 1 to delete.');
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('two\n');
  });

  it('restores with --yes, and says how to redo the change', async () => {
    await changeThings();
    const { out, err, code } = await undo('--yes');
    expect([code, err]).toEqual([0, '']);
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('one\n');
    expect(readFileSync(at('gone.txt'), 'utf8')).toBe('gone\n');
    const id = /^Restored 3 files\.\nTo redo the change: gemini undo (\w+)\n$/.exec(out)?.[1];
    expect((await undo(id as string, '--yes')).code).toBe(0);
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('two\n');
  });

  it('undoes all changes of the last prompt with "turn"', async () => {
    await changeThings();
    await command('echo', () => writeFileSync(at('b'), 'b'));
    const { out, code } = await undo('turn', '--yes');
    expect([code, out]).toEqual([0, expect.stringContaining('Restored 4 files.')]);
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('one\n');
  });

  it('asks, and restores only after a yes', async () => {
    await changeThings();
    const questions: string[] = [];
    let answer = false;
    stored.ask = async (question) => {
      questions.push(question);
      return answer;
    };
    expect((await undo()).code).toBe(1);
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('two\n');
    answer = true;
    expect((await undo()).code).toBe(0);
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('one\n');
    expect(questions).toEqual(Array(2).fill('Restore these files? (y/N) '));
  });

  it('records nothing with --no-record, and says so', async () => {
    await changeThings();
    const { out, code } = await undo('--yes', '--no-record');
    expect(code).toBe(0);
    expect(out).toBe('Restored 3 files.\nThis undo was not recorded and cannot be undone.\n');
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('one\n');
    expect((await undo('--list')).out).not.toContain('undo of');
  });

  it('changes nothing with --preview, even together with --yes', async () => {
    await changeThings();
    expect((await undo('--preview', '--yes')).code).toBe(0);
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('two\n');
  });

  it('skips a file that another program has changed since, and names it', async () => {
    await changeThings();
    writeFileSync(at('a.txt'), 'mine\n');
    const { out, code } = await undo('--yes');
    expect(code).toBe(0);
    expect(out).toContain('Skipped 1 file:\n  skip     a.txt: changed since\n');
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('mine\n');
  });

  it('lists changes, newest first, with their state', async () => {
    const first = await changeThings();
    const second = await command('echo', () => writeFileSync(at('b'), 'b'));
    await undo('--yes');
    const lines = (await undo('--list')).out.split('\n');
    expect(lines[0]).toMatch(/^ID +WHEN +FILES +BY +WHAT$/);
    expect(lines[1]).toMatch(/ 1 +undo +undo of /);
    expect(lines[2]).toMatch(new RegExp(`^${second} .*run_shell_command +echo +\\(undone by \\w+\\)$`));
    expect(lines[3]).toMatch(new RegExp(`^${first} .* 3 +run_shell_command +rm gone.txt`));
  });

  it('says that there is nothing to undo', async () => {
    expect(await undo('--list')).toMatchObject({
      out: 'There is nothing to undo in this folder.\n',
      code: 0,
    });
    await expect(undo()).rejects.toThrow('nothing to undo');
    await expect(undo('abcdef')).rejects.toThrow('gemini undo --list');
  });

  it('removes control sequences of file names and contents', async () => {
    await command('x', () => writeFileSync(at('evil\u001b[2J\nname'), '\u001b]0;title\u0007text\n'));
    const { out } = await undo('--preview');
    expect(out).not.toContain('\u001b');
    expect(out).toContain('evil\\u{1B}[2J\\nname');
    expect(out).not.toMatch(/^name/m);
  });

  it('shows lines that look like a diff header', async () => {
    writeFileSync(at('list.sql'), '-- one\n++ two\n');
    await command('x', () => writeFileSync(at('list.sql'), ''));
    const { out } = await undo('--preview');
    expect(out).toContain('+-- one\n+++ two\n');
  });

  it('uses colours only if told to', async () => {
    await changeThings();
    stored.hasColour = true;
    expect((await undo('--preview')).out).toContain('\u001b[31m-two\u001b[0m\n\u001b[32m+one\u001b[0m');
  });
});

describe('parseArguments of gemini undo', () => {
  it('accepts an id and four flags', () => {
    expect(parseArguments(['--list'])).toEqual({
      id: 'last',
      scope: 'only',
      list: true,
      preview: false,
      yes: false,
      noRecord: false,
    });
    expect(parseArguments(['ab12', '-y'])).toEqual({
      id: 'ab12',
      scope: 'only',
      list: false,
      preview: false,
      yes: true,
      noRecord: false,
    });
    expect(parseArguments(['turn'])).toMatchObject({ id: 'last', scope: 'prompt' });
    expect(parseArguments(['turn', 'ab12'])).toMatchObject({ id: 'ab12', scope: 'prompt' });
    expect(parseArguments(['turn', 'a', 'b'])).toContain('only one id is allowed');
    expect(parseArguments(['--all'])).toContain('unknown argument "--all"');
    expect(parseArguments(['a', 'b'])).toContain('only one id is allowed');
  });
});
