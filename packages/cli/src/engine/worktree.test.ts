import { expect, it } from 'vitest';
import { withAbsolutePaths } from './worktree.js';

it('paths on the command line stay those of the folder where they were typed', () => {
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
