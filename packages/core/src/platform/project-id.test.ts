import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { projectIdFor } from './project-id.js';

describe('projectIdFor', () => {
  let home: ReturnType<typeof tempDir>;
  beforeEach(() => {
    home = tempDir();
    vi.stubEnv('GEMINI_CLI_HOME', home.path);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    home.cleanup();
  });

  it('names a project after its folder and keeps the name', () => {
    expect(projectIdFor('/srv/My Project (2)')).toBe('my-project-2');
    expect(projectIdFor('/other/my.project.2')).toBe('my-project-2-1');
    expect(projectIdFor('/srv/My Project (2)')).toBe('my-project-2');
    expect(projectIdFor('/')).toBe('project');
    const registry = JSON.parse(readFileSync(join(home.path, '.gemini/projects.json'), 'utf8'));
    expect(registry.projects['/other/my.project.2']).toBe('my-project-2-1');
    expect(readFileSync(join(home.path, '.gemini/tmp/my-project-2/.project_root'), 'utf8')).toBe(
      '/srv/My Project (2)',
    );
    expect(readdirSync(join(home.path, '.gemini')).sort()).toEqual(['projects.json', 'tmp']);
  });

  it('survives a broken registry and a lock left behind', () => {
    mkdirSync(join(home.path, '.gemini'));
    writeFileSync(join(home.path, '.gemini/projects.json'), '{ "projects": [');
    writeFileSync(join(home.path, '.gemini/projects.json.lock'), '');
    const old = new Date(Date.now() - 60_000);
    utimesSync(join(home.path, '.gemini/projects.json.lock'), old, old);
    expect(projectIdFor('/a/b')).toBe('b');
    expect(existsSync(join(home.path, '.gemini/projects.json.lock'))).toBe(false);
  });

  it('works with a home that cannot be written', () => {
    writeFileSync(join(home.path, '.gemini'), 'a file where the directory should be');
    expect(projectIdFor('/a/b')).toBe('b');
  });
});
