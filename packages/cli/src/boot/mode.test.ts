import { expect, it } from 'vitest';
import { parseCommandLine } from '../command-line/parse.js';
import { chooseMode } from './mode.js';

function mode(argv: string[], { env = {}, stdin = true, stdout = true } = {}) {
  const surroundings = { env, stdinIsTerminal: stdin, stdoutIsTerminal: stdout };
  return chooseMode(parseCommandLine(argv).line, surroundings);
}

it('is interactive only at a terminal without a prompt for one answer', () => {
  expect(mode([])).toBe('interactive');
  expect(mode(['a', 'question'])).toBe('interactive');
  expect(mode(['-p', ''])).toBe('headless');
  expect(mode([], { stdin: false })).toBe('headless');
  expect(mode([], { stdout: false })).toBe('headless');
});

it('is headless in automation, unless the test rig says otherwise', () => {
  expect(mode([], { env: { CI: 'true' } })).toBe('headless');
  expect(mode([], { env: { GITHUB_ACTIONS: 'true' } })).toBe('headless');
  expect(mode([], { env: { CI: '1' } })).toBe('interactive');
  expect(mode([], { env: { CI: 'true', GEMINI_CLI_INTEGRATION_TEST: 'true' } })).toBe('interactive');
});

it('stays interactive when asked to', () => {
  expect(mode(['-i', 'x'], { env: { CI: 'true' }, stdin: false })).toBe('interactive');
});
