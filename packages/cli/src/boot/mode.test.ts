import { expect, it } from 'vitest';
import { parseCommandLine } from '../command-line/parse.js';
import { chooseMode } from './mode.js';

function mode(argv: string[], { env = {}, stdin = true, stdout = true } = {}) {
  const environment = { env, stdinIsTerminal: stdin, stdoutIsTerminal: stdout };
  return chooseMode(parseCommandLine(argv).line, environment);
}

it('chooseMode is interactive only at a terminal and without --prompt', () => {
  expect(mode([])).toBe('interactive');
  expect(mode(['a', 'question'])).toBe('interactive');
  expect(mode(['-p', ''])).toBe('headless');
  expect(mode([], { stdin: false })).toBe('headless');
  expect(mode([], { stdout: false })).toBe('headless');
});

it('chooseMode is headless in automation, unless a test asks for the screen', () => {
  expect(mode([], { env: { CI: 'true' } })).toBe('headless');
  expect(mode([], { env: { GITHUB_ACTIONS: 'true' } })).toBe('headless');
  expect(mode([], { env: { CI: '1' } })).toBe('interactive');
  expect(mode([], { env: { CI: 'true', GEMINI_CLI_INTEGRATION_TEST: 'true' } })).toBe('interactive');
});

it('chooseMode is interactive with --prompt-interactive', () => {
  expect(mode(['-i', 'x'], { env: { CI: 'true' }, stdin: false })).toBe('interactive');
});
