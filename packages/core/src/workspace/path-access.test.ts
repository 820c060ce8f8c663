import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { processEnvironment } from '../platform/environment.js';
import { globalGeminiDir, Storage } from '../platform/storage/storage.js';
import { createPathAccess, PATH_REFUSAL } from './path-access.js';
import { resolveToolPath } from './tool-path.js';
import { WorkspaceContext } from './workspace-context.js';

let dir: ReturnType<typeof tempDir>;
const at = (...names: string[]) => join(dir.path, ...names);

beforeEach(() => {
  dir = tempDir('path-access-');
  vi.stubEnv('GEMINI_CLI_HOME', at('home'));
  for (const folder of ['work/src', 'extra', 'outside', 'skills/one', 'home/.gemini/tmp/p/memory'])
    mkdirSync(at(folder), { recursive: true });
  writeFileSync(at('outside', 'secret'), 's');
});
afterEach(() => {
  vi.unstubAllEnvs();
  dir.cleanup();
});

const storageIn = (projectRoot: string) =>
  new Storage({ globalDir: globalGeminiDir(process.env), projectRoot, projectId: 'p' });

function setUp(agent?: 'main' | 'extraction') {
  const workspace = new WorkspaceContext(at('work'), [at('extra')]);
  const check = createPathAccess(workspace, storageIn(at('work')), { agent });
  const may = (path: string, access?: 'read' | 'write') => check(path, access) === null;
  return { check, may };
}

const GEMINI = ['home', '.gemini'];
const TEMP = [...GEMINI, 'tmp', 'p'];

describe('path access', () => {
  it('lets tools read, never write, folders of activated skills, and no link leads out of them', () => {
    const workspace = new WorkspaceContext(at('work'));
    const folders = [at('skills/one'), at(...TEMP, 'memory')];
    const check = createPathAccess(workspace, storageIn(at('work')), { readOnlyFolders: () => folders });
    symlinkSync(at('outside'), at('skills/one/link'));
    expect(check(at('skills/one/file'), 'read')).toBeNull();
    expect(check(at('skills/one/file'), 'write')).toContain(PATH_REFUSAL);
    for (const path of [at('skills/two'), at('skills/one/link/secret'), at(...TEMP, 'memory', '.inbox', 'x')])
      expect(check(path, 'read'), path).toContain(PATH_REFUSAL);
  });

  it('allows the workspace, added directories, the temp directory and the global context file', () => {
    const { may } = setUp();
    for (const path of [
      at('work', 'new', 'deep', 'file'),
      at('extra', 'x'),
      at(...TEMP, 'notes'),
      at(...GEMINI, 'GEMINI.md'),
    ]) {
      expect([path, may(path, 'write'), may(path, 'read'), may(path)]).toEqual([path, true, true, true]);
    }
  });

  it.each([
    ['the folder above', ['work', '..', 'outside', 'secret']],
    ['a folder whose name begins alike', ['work-2', 'x']],
    ['settings beside the global context file', [...GEMINI, 'settings.json']],
    ['a file below the name of the context file', [...GEMINI, 'GEMINI.md', 'x']],
    ['the context file in another spelling', [...GEMINI, 'gemini.md.bak']],
    ['the temp directory of another project', [...GEMINI, 'tmp', 'other', 'x']],
  ])('refuses %s', (_what, names) => {
    const { check } = setUp();
    const path = names.join('/').startsWith('/') ? names.join('/') : `${dir.path}/${names.join('/')}`;
    const refusal = check(path);
    expect(check(path, 'read')).toBe(refusal);
    expect(refusal).toContain(PATH_REFUSAL);
    expect(refusal).toContain(at('work'));
    expect(refusal).toContain(at(...TEMP));
  });

  it('judges links by their target: files, folders, dangling and circular links, and .gemini itself', () => {
    const { may } = setUp();
    symlinkSync(at('outside', 'secret'), at('work', 'file'));
    symlinkSync(at('outside'), at('work', 'folder'));
    symlinkSync(at('outside'), at('work', '.gemini'));
    symlinkSync(at('outside', 'not-yet'), at('work', 'dangling'));
    symlinkSync(at('work', 'ring'), at('work', 'ring'));
    symlinkSync('src', at('work', 'inner'));
    for (const name of [
      'file',
      'folder/new',
      'folder/../secret',
      'missing/../folder/new',
      '.gemini/settings.json',
      'dangling',
      'ring',
    ])
      expect([name, may(`${at('work')}/${name}`, 'read')]).toEqual([name, false]);
    expect(may(at('work', 'inner', 'x'))).toBe(true);
  });

  it('treats odd names literally', () => {
    const { may } = setUp();
    expect(may(`${at('work')}/%2e%2e/outside`)).toBe(true);
    expect(may(`${at('work')}/trailing.`)).toBe(true);
    expect(may(`${at('work')}/src/`)).toBe(true);
    expect(may(`${at('work')}/${'x'.repeat(5000)}`)).toBe(true);
    expect(may(`${at('outside')}/${'x'.repeat(5000)}`)).toBe(false);
    expect(may(`${at('work')}/\0/../../outside/secret`)).toBe(false);
    expect(may(`${at('work')}${'/..'.repeat(2000)}/etc/passwd`)).toBe(false);
  });

  it('judges paths in tool arguments by the same rules', () => {
    const { may } = setUp();
    const host = { getTargetDir: () => at('work'), getEnvironment: processEnvironment };
    const meant = (text: string) => {
      const resolved = resolveToolPath(host, text);
      return 'path' in resolved && may(resolved.path, 'write');
    };
    for (const text of [
      '../outside/x',
      'src/../../outside/x',
      '/etc/passwd',
      '~/x',
      '~root/.ssh/id',
      '@../x',
      '..\0/../x',
    ])
      expect([text, meant(text)]).toEqual([text, false]);
    for (const text of ['src/x', './a', '@src/x', at('work', 'b'), 'a b/ü'])
      expect([text, meant(text)]).toEqual([text, true]);
  });
});

describe('the memory inbox', () => {
  const inbox = [...TEMP, 'memory', '.inbox'];

  it.each([
    inbox,
    [...inbox, 'private', 'extraction.patch'],
    [...TEMP, 'memory', '.INBOX', 'x'],
    [...TEMP, 'Memory', '.InBox', 'x'],
    [...TEMP, 'memory', '.in\u200cbox', 'x'],
    [...TEMP, 'memory', '.inbox.', 'x'],
    [...TEMP, 'memory', '.inbox ', 'x'],
    [...TEMP, 'memory', '.ｉnbox', 'x'],
  ])('is refused to the main agent: %s', (...names) => {
    const { may } = setUp();
    expect([may(at(...names), 'read'), may(at(...names), 'write')]).toEqual([false, false]);
  });

  it('is refused through links and when the workspace contains it', () => {
    mkdirSync(at(...inbox), { recursive: true });
    symlinkSync(at(...inbox), at('work', 'looks-harmless'));
    expect(setUp().may(at('work', 'looks-harmless', 'x'), 'read')).toBe(false);
    const everything = new WorkspaceContext(dir.path);
    const check = createPathAccess(everything, storageIn(dir.path));
    expect(check(at(...inbox, 'x'), 'read')).toContain(PATH_REFUSAL);
    expect(check(join(dirname(at(...inbox)), 'MEMORY.md'), 'write')).toBeNull();
  });

  it('accepts only two patches and skill drafts from the extraction agent', () => {
    const { may } = setUp('extraction');
    const memory = [...TEMP, 'memory'];
    const writable = [
      [...inbox, 'private', 'extraction.patch'],
      [...inbox, 'global', 'extraction.patch'],
      [...memory, 'skills', 'build', 'SKILL.md'],
    ];
    const closed = [
      [...inbox, 'private', 'other.patch'],
      [...inbox, 'extraction.patch'],
      [...inbox, 'private', 'extraction.patch', 'x'],
      [...memory, 'MEMORY.md'],
      [...memory, 'skills'],
      [...GEMINI, 'GEMINI.md'],
      ['work', 'src', 'x'],
    ];
    expect(writable.map((names) => may(at(...names), 'write'))).toEqual(writable.map(() => true));
    expect(closed.map((names) => may(at(...names), 'write'))).toEqual(closed.map(() => false));
    expect(may(at(...inbox, 'private', 'extraction.patch'), 'read')).toBe(true);
    expect(may(at('work', 'src', 'x'), 'read')).toBe(true);
    expect(may(at('outside', 'secret'), 'read')).toBe(false);
  });
});

describe('a recorded conversation or checkpoint', () => {
  it.each([
    [...TEMP, 'chats', 'session-2026-01-01T00-00-aaaaaaaa.jsonl'],
    [...TEMP, 'chats', 'new-session', 'agent.jsonl'],
    [...TEMP, 'Chats', 'x.jsonl'],
    [...TEMP, 'checkpoints', 'x.json'],
    [...TEMP, 'checkpoint-tag.json'],
  ])('may be read but not written: %s', (...names) => {
    const { may } = setUp();
    expect([may(at(...names), 'read'), may(at(...names), 'write')]).toEqual([true, false]);
    const everything = createPathAccess(new WorkspaceContext(dir.path), storageIn(dir.path));
    expect(everything(at(...names), 'write')).toContain(PATH_REFUSAL);
  });

  it('is told apart from other files with similar names', () => {
    const { may } = setUp();
    const others = [
      ['work', 'chats', 'x.jsonl'],
      ['work', 'checkpoint-tag.json'],
      [...TEMP, 'a-session', 'plans', 'checkpoints.md'],
    ];
    expect(others.map((names) => may(at(...names), 'write'))).toEqual([true, true, true]);
  });
});
