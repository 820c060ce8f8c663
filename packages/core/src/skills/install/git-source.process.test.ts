import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeSkill } from '../skills.test-helper.js';
import { openSource } from './source.js';

let dir: { path: string; cleanup: () => void };
let url: string;
const variables = () => ({ PATH: process.env['PATH'], HOME: dir.path, TMPDIR: join(dir.path, 'tmp') });
const open = (source: string, more: { path?: string; ref?: string } = {}) =>
  openSource({ source, cwd: dir.path, home: dir.path, variables: variables(), ...more });

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  return execFileSync('git', [...identity, ...args], {
    cwd: join(dir.path, 'repo'),
    encoding: 'utf8',
  }).trim();
}

beforeEach(() => {
  dir = tempDir();
  mkdirSync(join(dir.path, 'tmp'));
  mkdirSync(join(dir.path, 'repo'));
  url = pathToFileURL(join(dir.path, 'repo')).href;
  git('init', '-q', '-b', 'main');
  writeSkill(join(dir.path, 'repo/skills'), 'first');
  git('add', '.');
  git('commit', '-qm', 'one');
  git('tag', 'v1');
  writeSkill(join(dir.path, 'repo/skills'), 'second');
  git('add', '.');
  git('commit', '-qm', 'two');
});
afterEach(() => dir.cleanup());

describe('skills of a git repository', () => {
  it('are those of the default branch, or of the ref behind # or --ref', async () => {
    const names = async (...args: Parameters<typeof open>) => {
      const opened = await open(...args);
      opened.close();
      return opened.skills.map(({ name }) => name);
    };
    expect(await names(url)).toEqual(['first', 'second']);
    expect(await names(`${url}#v1`)).toEqual(['first']);
    expect(await names(url, { ref: 'v1' })).toEqual(['first']);
    expect(await names(url, { ref: git('rev-parse', 'main') })).toEqual(['first', 'second']);
    expect(await names(url, { path: 'skills/second' })).toEqual(['second']);
    expect(readdirSync(join(dir.path, 'tmp'))).toEqual([]);
  });

  it('are not fetched from a source that is an option, or that runs a program', async () => {
    const marker = join(dir.path, 'marker');
    await expect(open(url, { ref: `--upload-pack=touch ${marker}` })).rejects.toThrow('Not a source');
    await expect(open(`git@-oProxyCommand=touch ${marker}:x`)).rejects.toThrow();
    await expect(open(`ext::sh -c "touch ${marker}"`)).rejects.toThrow('There is no such folder');
    await expect(open(url, { ref: 'no-such-branch' })).rejects.toThrow('Cannot fetch');
    await expect(open('file:///no/such/repository')).rejects.toThrow('Cannot fetch');
    expect(existsSync(marker)).toBe(false);
    expect(readdirSync(join(dir.path, 'tmp'))).toEqual([]);
  });

  it('bring no hook, filter or submodule that runs', async () => {
    const marker = join(dir.path, 'marker');
    writeFileSync(join(dir.path, 'repo/.gitattributes'), '* filter=evil\n');
    writeFileSync(join(dir.path, 'repo/.gitmodules'), `[submodule "x"]\n\tpath = x\n\turl = ${url}\n`);
    mkdirSync(join(dir.path, 'repo/.git/hooks'), { recursive: true });
    writeFileSync(join(dir.path, 'repo/.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${marker}\n`, {
      mode: 0o755,
    });
    git('add', '.');
    git('commit', '-qm', 'three');
    const opened = await open(url);
    expect(opened.skills).toHaveLength(2);
    opened.close();
    expect(existsSync(marker)).toBe(false);
  });
});
