import { expect, it } from 'vitest';
import { withAbsolutePaths } from './worktree.js';

it('withAbsolutePaths resolves paths in the folder where the user typed them', () => {
  const flags = {
    'session-file': 'old.json',
    policy: ['a.toml', '/b.toml', '~/c.toml'],
    'include-directories': ['lib', ''],
    model: 'pro',
    worktree: 'name',
    debug: true,
  };
  expect(withAbsolutePaths(flags, '/here')).toEqual({
    ...flags,
    'session-file': '/here/old.json',
    policy: ['/here/a.toml', '/b.toml', '~/c.toml'],
    'include-directories': ['/here/lib', ''],
  });
});
