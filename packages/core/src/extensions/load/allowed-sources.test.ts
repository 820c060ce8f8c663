import { describe, expect, it } from 'vitest';
import { sourceRefusal } from './allowed-sources.js';
import { extensionId } from './extension-id.js';

const git = { source: 'https://good.example/repo', type: 'git' as const };
const local = { source: '/srv/extensions/demo', type: 'local' as const };

describe('security.allowedExtensions and security.blockGitExtensions', () => {
  it('allow everything when they are not set', () => {
    expect(sourceRefusal(git, {})).toBeUndefined();
    expect(sourceRefusal(local, {})).toBeUndefined();
  });

  it('refuse repositories and releases, not local folders', () => {
    const rules = { blockGitExtensions: true };
    expect(sourceRefusal(git, rules)).toContain('security.blockGitExtensions');
    expect(sourceRefusal({ ...git, type: 'github-release' }, rules)).toBeDefined();
    expect(sourceRefusal(local, rules)).toBeUndefined();
  });

  it('must match the whole of a URL', () => {
    const rules = { allowedExtensions: ['https://good\\.example/.*'] };
    expect(sourceRefusal(git, rules)).toBeUndefined();
    const inside = 'https://bad.example/?https://good.example/x';
    expect(sourceRefusal({ ...git, source: inside }, rules)).toContain('security.allowedExtensions');
    expect(sourceRefusal({ ...git, source: 'git@bad.example:https://good.example/x' }, rules)).toBeDefined();
  });

  it('match a part of a local path', () => {
    expect(sourceRefusal(local, { allowedExtensions: ['^/srv/extensions/'] })).toBeUndefined();
    expect(sourceRefusal(local, { allowedExtensions: ['^/opt/'] })).toBeDefined();
  });

  it('allow nothing by a text that is not a regular expression', () => {
    expect(sourceRefusal(git, { allowedExtensions: ['('] })).toBeDefined();
  });
});

describe('the id of an extension', () => {
  it('is the same for every way to write a repository on GitHub', () => {
    const ids = [
      'https://github.com/owner/repo',
      'https://github.com/owner/repo.git',
      'git@github.com:owner/repo.git',
      'ssh://git@github.com/owner/repo',
      'github:owner/repo',
    ].map((source) => extensionId({ source, type: 'git' }, 'demo'));
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is made of the source, else of the name', () => {
    expect(extensionId(local, 'a')).toBe(extensionId(local, 'b'));
    expect(extensionId(undefined, 'a')).not.toBe(extensionId(undefined, 'b'));
  });
});
