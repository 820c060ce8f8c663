import { expect, it } from 'vitest';
import { projectFolder } from './approvals.js';

it.each([
  ['/home/mona/project', '/home/mona/project'],
  ['/srv/project', '/srv/project'],
  ['/home/mona', undefined],
  ['/home', undefined],
  ['/', undefined],
])('"always in this project" in %s is for the folder %s', (cwd, expected) => {
  expect(projectFolder({ cwd, home: '/home/mona' })).toBe(expected);
});
