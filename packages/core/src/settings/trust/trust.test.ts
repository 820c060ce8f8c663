import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decideTrust, nearestRule, type TrustDecision, TrustedFolders, type TrustQuestion } from './trust.js';

let root: ReturnType<typeof tempDir>;
let env: NodeJS.ProcessEnv;
const at = (...parts: string[]) => join(root.path, ...parts);

beforeEach(() => {
  root = tempDir();
  env = { GEMINI_CLI_HOME: at('home') };
  for (const name of ['home/.gemini', 'a/b/c', 'a/b/d', 'A', 'x']) mkdirSync(at(name), { recursive: true });
});

afterEach(() => {
  vi.unstubAllEnvs();
  root.cleanup();
});

function rules(content: Record<string, string>): TrustedFolders {
  writeFileSync(at('home/.gemini/trustedFolders.json'), JSON.stringify(content));
  return TrustedFolders.load(env);
}

function decisions(folders: TrustedFolders, ...names: string[]): TrustDecision[] {
  return names.map((name) => folders.decide(at(name)));
}

describe('saved rules', () => {
  it('decide nothing when there are none', () => {
    expect(decisions(TrustedFolders.load(env), 'a', 'home')).toEqual(['undecided', 'undecided']);
  });

  it('apply to a folder and all below it, whether it exists or not', () => {
    const folders = rules({ [at('a')]: 'TRUST_FOLDER', [at('x')]: 'DO_NOT_TRUST' });
    expect(decisions(folders, 'a', 'a/b/c', 'a/none', 'x/y', 'ab', '')).toEqual([
      'trusted',
      'trusted',
      'trusted',
      'untrusted',
      'undecided',
      'undecided',
    ]);
  });

  it('apply to the parent and all below it with TRUST_PARENT', () => {
    const folders = rules({ [at('a/b/c')]: 'TRUST_PARENT' });
    expect(decisions(folders, 'a/b/c', 'a/b/d', 'a/b', 'a')).toEqual([
      'trusted',
      'trusted',
      'trusted',
      'undecided',
    ]);
  });

  it('are ranked by length, in any order', () => {
    const content = { [at('a')]: 'TRUST_FOLDER', [at('a/b')]: 'DO_NOT_TRUST', [at('a/b/c')]: 'TRUST_FOLDER' };
    const expected = ['trusted', 'untrusted', 'trusted', 'untrusted'];
    for (const entries of [Object.entries(content), Object.entries(content).reverse()]) {
      expect(decisions(rules(Object.fromEntries(entries)), 'a', 'a/b', 'a/b/c', 'a/b/d')).toEqual(expected);
    }
  });

  it('forbid when two of them disagree about a folder', () => {
    const both: [string, string][] = [
      [at('a/b/c'), 'TRUST_PARENT'],
      [at('a/b'), 'DO_NOT_TRUST'],
    ];
    expect(decisions(rules(Object.fromEntries(both)), 'a/b', 'a/b/c')).toEqual(['untrusted', 'untrusted']);
    expect(decisions(rules(Object.fromEntries(both.reverse())), 'a/b')).toEqual(['untrusted']);
  });

  it('compare real paths, in the rule and in the question', () => {
    symlinkSync(at('a'), at('link'));
    expect(decisions(rules({ [at('link')]: 'TRUST_FOLDER' }), 'a/b', 'link/b')).toEqual([
      'trusted',
      'trusted',
    ]);
    symlinkSync(at('x'), at('a/out'));
    expect(decisions(rules({ [at('a')]: 'TRUST_FOLDER' }), 'a/out')).toEqual(['undecided']);
    expect(decisions(rules({ [at('link/b')]: 'TRUST_PARENT' }), 'a', 'x')).toEqual(['trusted', 'undecided']);
  });

  it('are normalised', () => {
    const folders = rules({ [`${at('a')}/b/../b/`]: 'TRUST_FOLDER' });
    expect(folders.decide(`${at('a/b')}/./c/..`)).toBe('trusted');
    expect(folders.decide(`${at('a/b')}/../../x`)).toBe('undecided');
  });

  it('trust nothing when their path became a cycle of links or a link to the root', () => {
    symlinkSync(at('ring2'), at('ring1'));
    symlinkSync(at('ring1'), at('ring2'));
    symlinkSync('/', at('all'));
    const folders = rules({ [at('ring1')]: 'TRUST_FOLDER', [at('all')]: 'TRUST_FOLDER' });
    expect(decisions(folders, 'a', 'ring1')).toEqual(['undecided', 'undecided']);
  });

  it('may name the root', () => {
    expect(decisions(rules({ '/': 'TRUST_FOLDER', [at('x')]: 'DO_NOT_TRUST' }), 'a', 'x')).toEqual([
      'trusted',
      'untrusted',
    ]);
  });

  it('are ignored with a relative path, which would match anywhere', () => {
    const folders = rules({
      '.': 'TRUST_FOLDER',
      a: 'TRUST_FOLDER',
      '': 'TRUST_FOLDER',
      '~': 'TRUST_FOLDER',
    });
    expect(folders.decide(process.cwd())).toBe('undecided');
    expect(folders.problems.map(({ severity, keyPath }) => [severity, keyPath])).toEqual([
      ['warning', '.'],
      ['warning', 'a'],
      ['warning', ''],
      ['warning', '~'],
    ]);
  });

  it('distinguish case on a case-sensitive disk', () => {
    expect(decisions(rules({ [at('A')]: 'TRUST_FOLDER' }), 'A', 'a')).toEqual(['trusted', 'undecided']);
  });

  it('ignore case on a case-insensitive disk', () => {
    const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
    const rule = { base: '/Users/Me/Work', trusts: true };
    expect(nearestRule([rule], '/users/me/work/project', isSame)).toBe(rule);
    expect(nearestRule([rule], '/users/me/workshop', isSame)).toBeUndefined();
    expect(nearestRule([rule], '/users/me', isSame)).toBeUndefined();
    // The same letters, but another folder.
    expect(nearestRule([rule], '/users/me/work', () => false)).toBeUndefined();
  });

  it('come from the file that GEMINI_CLI_TRUSTED_FOLDERS_PATH names', () => {
    writeFileSync(at('mine.json'), `// mine\n{ "${at('a')}": "TRUST_FOLDER", }`);
    const folders = TrustedFolders.load({ ...env, GEMINI_CLI_TRUSTED_FOLDERS_PATH: at('mine.json') });
    expect(decisions(folders, 'a')).toEqual(['trusted']);
  });
});

describe('folders trusted by settings', () => {
  it('count like rules, can be forbidden by the file, and must be absolute', () => {
    rules({ [at('x')]: 'DO_NOT_TRUST' });
    const trustedFolders = [at('a'), at('x'), '~/mine', '.', ''];
    const folders = TrustedFolders.load({ ...env, HOME: at('home') }, { trustedFolders });
    expect(decisions(folders, 'a/b', 'x', 'home/mine', 'home')).toEqual([
      'trusted',
      'untrusted',
      'trusted',
      'undecided',
    ]);
    expect(folders.decide(process.cwd())).toBe('undecided');
  });
});

describe('the trust decision', () => {
  const ask = (question: Partial<TrustQuestion>, decision: TrustDecision = 'undecided') =>
    decideTrust({
      folder: at('a'),
      env: {},
      skipTrust: false,
      featureEnabled: true,
      folders: { decide: () => decision },
      ...question,
    });

  it('comes from the first source that has one', () => {
    const yes = { GEMINI_CLI_TRUST_WORKSPACE: 'true' };
    const no = { GEMINI_CLI_TRUST_WORKSPACE: 'false' };
    expect(ask({ skipTrust: true, env: no }, 'untrusted')).toEqual({ trusted: true, source: 'flag' });
    expect(ask({ env: yes, ideAnswer: false }, 'untrusted')).toEqual({ trusted: true, source: 'env' });
    expect(ask({ env: no, featureEnabled: false }, 'trusted')).toEqual({ trusted: false, source: 'env' });
    expect(ask({ featureEnabled: false, ideAnswer: false })).toEqual({ trusted: true, source: 'disabled' });
    expect(ask({ ideAnswer: false }, 'trusted')).toEqual({ trusted: false, source: 'ide' });
    expect(ask({ ideAnswer: true }, 'untrusted')).toEqual({ trusted: true, source: 'ide' });
    expect(ask({}, 'trusted')).toEqual({ trusted: true, source: 'file' });
    expect(ask({}, 'untrusted')).toEqual({ trusted: false, source: 'file' });
    expect(ask({}, 'undecided')).toEqual({ trusted: false, source: 'none' });
  });

  it.each(['', '1', 'yes', 'TRUE'])('is not made by GEMINI_CLI_TRUST_WORKSPACE=%j', (value) => {
    expect(ask({ env: { GEMINI_CLI_TRUST_WORKSPACE: value } })).toEqual({ trusted: false, source: 'none' });
  });
});

describe("the user's answer", () => {
  it('is saved, applies at once, and replaces contradicting rules for the same folder', async () => {
    symlinkSync(at('a/b'), at('alias'));
    const folders = rules({ [at('alias')]: 'DO_NOT_TRUST', [at('a/b/c')]: 'DO_NOT_TRUST' });
    await folders.setRule(at('a/b'), 'TRUST_FOLDER');
    expect(decisions(folders, 'a/b', 'a/b/c')).toEqual(['trusted', 'untrusted']);
    await folders.setRule(at('a/b/c'), 'TRUST_PARENT');
    await folders.setRule(at('x'), 'DO_NOT_TRUST');
    expect(decisions(TrustedFolders.load(env), 'a/b/c', 'a/b/d', 'x')).toEqual([
      'trusted',
      'trusted',
      'untrusted',
    ]);
    await folders.setRule(at('a/b'), 'DO_NOT_TRUST');
    expect(decisions(TrustedFolders.load(env), 'a/b/c', 'a/b')).toEqual(['untrusted', 'untrusted']);
  });

  it('is written with the real path', async () => {
    symlinkSync(at('a'), at('link'));
    const folders = TrustedFolders.load(env);
    await folders.setRule(at('link/b'), 'TRUST_FOLDER');
    expect(decisions(TrustedFolders.load(env), 'a/b', 'link/b')).toEqual(['trusted', 'trusted']);
  });

  it('applies to this process when it cannot be saved, and the user is told why', async () => {
    // No user, not even root, can create files there.
    const folders = TrustedFolders.load({ GEMINI_CLI_TRUSTED_FOLDERS_PATH: '/sys/none/trusted.json' });
    await expect(folders.setRule(at('a'), 'TRUST_FOLDER')).rejects.toMatchObject({
      addressee: 'user',
      message: expect.stringMatching(/^Failed to save trusted folders: /),
    });
    expect(decisions(folders, 'a', 'x')).toEqual(['trusted', 'undecided']);
  });
});
