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
  it('without any, nothing is decided', () => {
    expect(decisions(TrustedFolders.load(env), 'a', 'home')).toEqual(['undecided', 'undecided']);
  });

  it('hold for a folder and all below it, whether it exists or not', () => {
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

  it('TRUST_PARENT holds for the parent and all below it', () => {
    const folders = rules({ [at('a/b/c')]: 'TRUST_PARENT' });
    expect(decisions(folders, 'a/b/c', 'a/b/d', 'a/b', 'a')).toEqual([
      'trusted',
      'trusted',
      'trusted',
      'undecided',
    ]);
  });

  it('the longest rule wins, in whatever order they stand', () => {
    const content = { [at('a')]: 'TRUST_FOLDER', [at('a/b')]: 'DO_NOT_TRUST', [at('a/b/c')]: 'TRUST_FOLDER' };
    const expected = ['trusted', 'untrusted', 'trusted', 'untrusted'];
    for (const entries of [Object.entries(content), Object.entries(content).reverse()]) {
      expect(decisions(rules(Object.fromEntries(entries)), 'a', 'a/b', 'a/b/c', 'a/b/d')).toEqual(expected);
    }
  });

  it('of two rules for the same folder the one that forbids wins', () => {
    const both: [string, string][] = [
      [at('a/b/c'), 'TRUST_PARENT'],
      [at('a/b'), 'DO_NOT_TRUST'],
    ];
    expect(decisions(rules(Object.fromEntries(both)), 'a/b', 'a/b/c')).toEqual(['untrusted', 'untrusted']);
    expect(decisions(rules(Object.fromEntries(both.reverse())), 'a/b')).toEqual(['untrusted']);
  });

  it('count by where paths really lead, in the rule and in the question', () => {
    symlinkSync(at('a'), at('link'));
    expect(decisions(rules({ [at('link')]: 'TRUST_FOLDER' }), 'a/b', 'link/b')).toEqual([
      'trusted',
      'trusted',
    ]);
    symlinkSync(at('x'), at('a/out'));
    expect(decisions(rules({ [at('a')]: 'TRUST_FOLDER' }), 'a/out')).toEqual(['undecided']);
    expect(decisions(rules({ [at('link/b')]: 'TRUST_PARENT' }), 'a', 'x')).toEqual(['trusted', 'undecided']);
  });

  it('paths are normalised', () => {
    const folders = rules({ [`${at('a')}/b/../b/`]: 'TRUST_FOLDER' });
    expect(folders.decide(`${at('a/b')}/./c/..`)).toBe('trusted');
    expect(folders.decide(`${at('a/b')}/../../x`)).toBe('undecided');
  });

  it('a rule whose path became a ring of links, or a link to the root, trusts nothing', () => {
    symlinkSync(at('ring2'), at('ring1'));
    symlinkSync(at('ring1'), at('ring2'));
    symlinkSync('/', at('all'));
    const folders = rules({ [at('ring1')]: 'TRUST_FOLDER', [at('all')]: 'TRUST_FOLDER' });
    expect(decisions(folders, 'a', 'ring1')).toEqual(['undecided', 'undecided']);
  });

  it('the root can be judged', () => {
    expect(decisions(rules({ '/': 'TRUST_FOLDER', [at('x')]: 'DO_NOT_TRUST' }), 'a', 'x')).toEqual([
      'trusted',
      'untrusted',
    ]);
  });

  it('a relative path is no rule: it would hold anywhere', () => {
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

  it('upper and lower case differ where the disk says so', () => {
    expect(decisions(rules({ [at('A')]: 'TRUST_FOLDER' }), 'A', 'a')).toEqual(['trusted', 'undecided']);
  });

  it('and do not where it does not', () => {
    const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
    const rule = { base: '/Users/Me/Work', trusts: true };
    expect(nearestRule([rule], '/users/me/work/project', isSame)).toBe(rule);
    expect(nearestRule([rule], '/users/me/workshop', isSame)).toBeUndefined();
    expect(nearestRule([rule], '/users/me', isSame)).toBeUndefined();
    // The same letters, but another folder.
    expect(nearestRule([rule], '/users/me/work', () => false)).toBeUndefined();
  });

  it('GEMINI_CLI_TRUSTED_FOLDERS_PATH names another file', () => {
    writeFileSync(at('mine.json'), `// mine\n{ "${at('a')}": "TRUST_FOLDER", }`);
    const folders = TrustedFolders.load({ ...env, GEMINI_CLI_TRUSTED_FOLDERS_PATH: at('mine.json') });
    expect(decisions(folders, 'a')).toEqual(['trusted']);
  });
});

describe('folders trusted by settings', () => {
  it('hold like rules, the file may forbid them, and a relative one counts for nothing', () => {
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

describe('the decision', () => {
  const ask = (question: Partial<TrustQuestion>, decision: TrustDecision = 'undecided') =>
    decideTrust({
      folder: at('a'),
      env: {},
      skipTrust: false,
      featureEnabled: true,
      folders: { decide: () => decision },
      ...question,
    });

  it('comes from the first that has one', () => {
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

  it.each(['', '1', 'yes', 'TRUE'])('GEMINI_CLI_TRUST_WORKSPACE=%j says nothing', (value) => {
    expect(ask({ env: { GEMINI_CLI_TRUST_WORKSPACE: value } })).toEqual({ trusted: false, source: 'none' });
  });
});

describe('an answer of the user', () => {
  it('is saved, holds at once, and replaces whatever said otherwise about the same folder', async () => {
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

  it('that cannot be saved holds for this process, and the user is told why', async () => {
    // Nobody, root included, can create anything there.
    const folders = TrustedFolders.load({ GEMINI_CLI_TRUSTED_FOLDERS_PATH: '/sys/none/trusted.json' });
    await expect(folders.setRule(at('a'), 'TRUST_FOLDER')).rejects.toMatchObject({
      addressee: 'user',
      message: expect.stringMatching(/^Failed to save trusted folders: /),
    });
    expect(decisions(folders, 'a', 'x')).toEqual(['trusted', 'undecided']);
  });
});
