import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectIdFor } from './project-id.js';

describe('projectIdFor', () => {
  let home: ReturnType<typeof tempDir>;
  const globalDir = () => join(home.path, '.gemini');
  beforeEach(() => {
    home = tempDir();
  });
  afterEach(() => {
    home.cleanup();
  });

  it('names a project after its folder and keeps the id', () => {
    expect(projectIdFor(globalDir(), '/srv/My Project (2)')).toBe('my-project-2');
    expect(projectIdFor(globalDir(), '/other/my.project.2')).toBe('my-project-2-1');
    expect(projectIdFor(globalDir(), '/srv/My Project (2)')).toBe('my-project-2');
    expect(projectIdFor(globalDir(), '/')).toBe('project');
    const registry = JSON.parse(readFileSync(join(home.path, '.gemini/projects.json'), 'utf8'));
    expect(registry.projects['/other/my.project.2']).toBe('my-project-2-1');
    expect(readFileSync(join(home.path, '.gemini/tmp/my-project-2/.project_root'), 'utf8')).toBe(
      '/srv/My Project (2)',
    );
    expect(readFileSync(join(home.path, '.gemini/history/my-project-2/.project_root'), 'utf8')).toBe(
      '/srv/My Project (2)',
    );
    expect(readdirSync(join(home.path, '.gemini')).sort()).toEqual(['history', 'projects.json', 'tmp']);
  });

  it('keeps the recorded id when a folder of the project cannot be made', () => {
    mkdirSync(join(home.path, '.gemini'));
    writeFileSync(join(home.path, '.gemini/history'), '');
    projectIdFor(globalDir(), '/one/b');
    expect(projectIdFor(globalDir(), '/two/b')).toBe('b-1');
  });

  it('works with a damaged registry and a stale lock', () => {
    mkdirSync(join(home.path, '.gemini'));
    writeFileSync(join(home.path, '.gemini/projects.json'), '{ "projects": [');
    writeFileSync(join(home.path, '.gemini/projects.json.lock'), '');
    const old = new Date(Date.now() - 60_000);
    utimesSync(join(home.path, '.gemini/projects.json.lock'), old, old);
    expect(projectIdFor(globalDir(), '/a/b')).toBe('b');
    expect(existsSync(join(home.path, '.gemini/projects.json.lock'))).toBe(false);
  });

  it('renames directories that an earlier version named by the hash of the path, and overwrites nothing', () => {
    const put = (path: string, text: string) => {
      const file = join(home.path, '.gemini', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    };
    const read = (path: string) => readFileSync(join(home.path, '.gemini', path), 'utf8');
    const hash = createHash('sha256').update('/a/b').digest('hex');
    put(`tmp/${hash}/chats/session-1.json`, 'old session');
    put(`tmp/${hash}/logs.json`, 'old prompts');
    put('tmp/b/logs.json', 'new prompts');
    put(`history/${hash}/.git/HEAD`, 'shadow');
    expect(projectIdFor(globalDir(), '/a/b')).toBe('b');
    expect(read('tmp/b/chats/session-1.json')).toBe('old session');
    expect(read('tmp/b/logs.json')).toBe('new prompts');
    expect(read(`tmp/${hash}/logs.json`)).toBe('old prompts');
    expect(read('history/b/.git/HEAD')).toBe('shadow');
    expect(read('history/b/.project_root')).toBe('/a/b');
    expect(existsSync(join(home.path, `.gemini/history/${hash}`))).toBe(false);
  });

  it('does not follow a link in place of such a directory', () => {
    const hash = createHash('sha256').update('/a/b').digest('hex');
    mkdirSync(join(home.path, '.gemini/tmp'), { recursive: true });
    mkdirSync(join(home.path, 'elsewhere'));
    symlinkSync(join(home.path, 'elsewhere'), join(home.path, '.gemini/tmp', hash));
    expect(projectIdFor(globalDir(), '/a/b')).toBe('b');
    expect(lstatSync(join(home.path, '.gemini/tmp/b')).isSymbolicLink()).toBe(false);
    expect(readdirSync(join(home.path, 'elsewhere'))).toEqual([]);
  });

  it('finds its id again when the registry is lost, and takes no id of another project', () => {
    projectIdFor(globalDir(), '/one/app');
    projectIdFor(globalDir(), '/two/app');
    rmSync(join(home.path, '.gemini/projects.json'));
    expect(projectIdFor(globalDir(), '/two/app')).toBe('app-1');
    expect(projectIdFor(globalDir(), '/one/app')).toBe('app');
  });

  it('works with a read-only home', () => {
    writeFileSync(join(home.path, '.gemini'), 'a file where the directory should be');
    expect(projectIdFor(globalDir(), '/a/b')).toBe('b');
  });
});
