import { expect, it } from 'vitest';
import { containedEnvironment } from './environment.js';

it('a contained command does not get the token of the editor', () => {
  const env = { PATH: '/bin', GEMINI_CLI_IDE_AUTH_TOKEN: 'a1b2', GEMINI_CLI_IDE_SERVER_PORT: '7' };
  expect(containedEnvironment(env)).toEqual({
    PATH: '/bin',
    GEMINI_CLI_IDE_SERVER_PORT: '7',
    GIT_OPTIONAL_LOCKS: '0',
  });
});
