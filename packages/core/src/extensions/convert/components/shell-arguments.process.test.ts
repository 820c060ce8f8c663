import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellQuote } from '../../../base/shell-words.js';
import { outsideQuotes } from './shell-arguments.js';

it.each([
  'printf %s "\\"{{args}}\\""',
  'printf %s "$( (true); printf %s "{{args}}" )"',
  "printf %s $'it\\'s {{args}}!'",
  'cat <<< "{{args}}"',
])('arguments in a converted command line never run as a command: %s', (command) => {
  const line = outsideQuotes(command)?.replaceAll('{{args}}', shellQuote('$(echo RUN)`echo RUN`'));
  expect(execFileSync('bash', ['-c', line ?? ''], { encoding: 'utf8' })).toContain('$(echo RUN)`echo RUN`');
});
