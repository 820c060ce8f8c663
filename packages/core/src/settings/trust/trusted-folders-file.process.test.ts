import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FatalConfigError } from '../../base/errors.js';
import { TrustedFolders } from './trust.js';

let home: ReturnType<typeof tempDir>;
let env: NodeJS.ProcessEnv;
const file = () => join(home.path, '.gemini/trustedFolders.json');
const put = (text: string | Uint8Array) => writeFileSync(file(), text);
const read = () => readFileSync(file(), 'utf8');

beforeEach(() => {
  home = tempDir();
  env = { GEMINI_CLI_HOME: home.path };
  mkdirSync(join(home.path, '.gemini'));
});
afterEach(() => home.cleanup());

describe('reading trusted folders', () => {
  it.each([
    ['a directory', () => mkdirSync(file()), 'directory'],
    ['a FIFO', () => execFileSync('mkfifo', [file()]), 'regular file'],
    ['a device', () => symlinkSync('/dev/zero', file()), 'regular file'],
    [
      'a file of 100 MB',
      () => {
        put('{}');
        truncateSync(file(), 100 * 1024 * 1024);
      },
      'larger',
    ],
    ['a ring of links', () => symlinkSync(file(), file()), 'ring'],
  ])('ends the program when the file is %s', (_what, prepare, expected) => {
    prepare();
    expect(() => TrustedFolders.load(env)).toThrow(FatalConfigError);
    expect(() => TrustedFolders.load(env)).toThrow(expected);
  });
});

describe('writing trusted folders', () => {
  it('loses nothing when several processes write at once', async () => {
    const run = (prefix: string) =>
      spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', SAVER], {
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, ...env, GEMINI_CLI_TRUSTED_FOLDERS_PATH: '', PREFIX: prefix },
      });
    const children = ['/srv/a', '/srv/b'].map(run);
    const names = (prefix: string) => Array.from({ length: 8 }, (_, index) => `${prefix}${index}`);
    await Promise.all(names('/srv/c').map((name) => TrustedFolders.load(env).setRule(name, 'TRUST_FOLDER')));
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
    expect(codes).toEqual([0, 0]);
    expect(Object.keys(JSON.parse(read())).sort()).toEqual(['/srv/a', '/srv/b', '/srv/c'].flatMap(names));
    expect(readdirSync(join(home.path, '.gemini'))).toEqual(['trustedFolders.json']);
  });
});

/** Saves eight rules from a process of its own. */
const SAVER = `
  const { TrustedFolders } = await import(${JSON.stringify(new URL('./trust.ts', import.meta.url).href)});
  const folders = TrustedFolders.load(process.env);
  for (let n = 0; n < 8; n++) await folders.setRule(process.env.PREFIX + n, 'TRUST_FOLDER');
`;
