import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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
    ['an empty file', ''],
    ['blanks', ' \n\n'],
    ['a byte order mark and comments', '\uFEFF// mine\n{ /* a */ "/srv/a": "TRUST_FOLDER", }\n'],
  ])('accepts %s', (_what, text) => {
    put(text);
    const folders = TrustedFolders.load(env);
    expect(folders.problems).toEqual([]);
    expect(folders.decide('/srv/a')).toBe(text.includes('/srv/a') ? 'trusted' : 'undecided');
  });

  it.each([
    [
      'an unknown level',
      '{\n  "/srv/a": "TRUST_FOLDER",\n  "/srv/b": "MAYBE"\n}',
      /line 3: "\/srv\/b" has "MAYBE"/,
    ],
    ['a level in lower case', '{ "/srv/b": "trust_folder" }', /line 1: "\/srv\/b" has "trust_folder"/],
    ['a level that is not a text', '{ "/srv/b": { "a": [true] } }', /has \{"a":\[true\]\}/],
    ['several mistakes', '{ "/a": 1,\n "/b": null }', /line 1: "\/a" has 1.* line 2: "\/b" has null/],
    ['broken JSON', '{\n "/a" "TRUST_FOLDER" }', /line 2: Expected ":"/],
    ['a list', '["/a"]', /line 1: The file must hold one JSON object/],
    ['no object', '"TRUST_FOLDER"', /one JSON object/],
    ['bytes that are not UTF-8', Buffer.from('{ "/\xe4": "TRUST_FOLDER" }', 'latin1'), /not UTF-8/],
    ['a binary file', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1]), /binary/],
    ['UTF-16', Buffer.from('\uFEFF{ }', 'utf16le'), /UTF-16/],
  ])('ends the program with file, place and allowed levels for %s', (_what, text, expected) => {
    put(text);
    let error: unknown;
    try {
      TrustedFolders.load(env);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(FatalConfigError);
    expect(String(error)).toContain(`Error in ${file()}: `);
    expect(String(error)).toMatch(expected);
    expect(String(error)).toContain('TRUST_FOLDER, TRUST_PARENT, DO_NOT_TRUST');
  });

  it('lists errors and keeps valid rules when tolerant', () => {
    put('{\n  "/srv/a": "DO_NOT_TRUST",\n  "/srv/b": "MAYBE"\n}');
    const folders = TrustedFolders.load(env, { tolerant: true });
    expect(folders.problems).toEqual([
      {
        severity: 'fatal',
        file: file(),
        line: 3,
        column: 3,
        keyPath: '/srv/b',
        message:
          '"/srv/b" has "MAYBE", which is not a level; allowed are TRUST_FOLDER, TRUST_PARENT, DO_NOT_TRUST.',
        hint: expect.stringContaining('Please fix the file'),
      },
    ]);
    expect([folders.decide('/srv/a'), folders.decide('/srv/b')]).toEqual(['untrusted', 'undecided']);
  });

  it('reports a repeated folder; the last entry counts', () => {
    put('{ "/srv/a": "TRUST_FOLDER",\n "/srv/a": "DO_NOT_TRUST" }');
    const folders = TrustedFolders.load(env);
    expect(folders.problems).toMatchObject([
      { severity: 'warning', line: 2, message: expect.stringContaining('twice') },
    ]);
    expect(folders.decide('/srv/a')).toBe('untrusted');
  });

  it('ignores names like __proto__', () => {
    put('{ "__proto__": "TRUST_FOLDER", "constructor": "TRUST_FOLDER" }');
    const folders = TrustedFolders.load(env);
    expect(folders.decide('/srv')).toBe('undecided');
    expect(folders.problems.map(({ severity }) => severity)).toEqual(['warning', 'warning']);
  });
});

describe('writing trusted folders', () => {
  it('creates the file for the user only, with its directory', async () => {
    const path = join(home.path, 'new/deep/trusted.json');
    await TrustedFolders.load({ GEMINI_CLI_TRUSTED_FOLDERS_PATH: path }).setRule('/srv/a', 'TRUST_FOLDER');
    expect(readFileSync(path, 'utf8')).toBe('{\n  "/srv/a": "TRUST_FOLDER"\n}\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(home.path, 'new/deep')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(home.path, 'new/deep'))).toEqual(['trusted.json']);
  });

  it('keeps comments, order and unknown entries, and removes the access of other users', async () => {
    put(
      '// my folders\n{\n  "/srv/a": "TRUST_FOLDER", // work\n  "relative": "TRUST_PARENT",\n  "/srv/b": "DO_NOT_TRUST"\n}\n',
    );
    chmodSync(file(), 0o644);
    const folders = TrustedFolders.load(env);
    await folders.setRule('/srv/b', 'TRUST_FOLDER');
    await folders.setRule('/srv/c', 'DO_NOT_TRUST');
    expect(read()).toBe(
      '// my folders\n{\n  "/srv/a": "TRUST_FOLDER", // work\n  "relative": "TRUST_PARENT",\n  "/srv/b": "TRUST_FOLDER",\n  "/srv/c": "DO_NOT_TRUST"\n}\n',
    );
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('changes the last one of a repeated entry', async () => {
    put('{ "/srv/a": "DO_NOT_TRUST", "/srv/a": "DO_NOT_TRUST" }');
    await TrustedFolders.load(env).setRule('/srv/a', 'TRUST_FOLDER');
    expect(TrustedFolders.load(env).decide('/srv/a')).toBe('trusted');
  });

  it('follows a link to where the user keeps the file', async () => {
    const kept = join(home.path, 'dotfiles.json');
    writeFileSync(kept, '{}');
    symlinkSync(kept, file());
    await TrustedFolders.load(env).setRule('/srv/a', 'TRUST_FOLDER');
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual({ '/srv/a': 'TRUST_FOLDER' });
  });

  it.each(['{ "/srv/b": "MAYBE" }', '{ broken', '[]'])('does not change %j', async (text) => {
    put(text);
    const folders = TrustedFolders.load(env, { tolerant: true });
    await expect(folders.setRule('/srv/a', 'TRUST_FOLDER')).rejects.toThrow(FatalConfigError);
    expect(read()).toBe(text);
    expect(folders.decide('/srv/a')).toBe('trusted');
    expect(existsSync(`${file()}.lock`)).toBe(false);
  });

  it('sees rules that other processes have saved meanwhile', async () => {
    const [first, second] = [TrustedFolders.load(env), TrustedFolders.load(env)];
    await first.setRule('/srv/a', 'TRUST_FOLDER');
    await second.setRule('/srv/b', 'DO_NOT_TRUST');
    expect([second.decide('/srv/a'), second.decide('/srv/b')]).toEqual(['trusted', 'untrusted']);
  });
});
