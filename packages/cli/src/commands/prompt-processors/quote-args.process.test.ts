import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { quoteInto } from './quote-args.js';

const HOSTILE = [
  `'; echo pwned; '`,
  `"; echo pwned; "`,
  '$(echo pwned) `echo pwned` $HOME',
  'a\nb\\ \\" !x # y',
  '',
  '*',
  "it's",
];

describe.skipIf(process.platform === 'win32')('arguments in a command', () => {
  it.each([
    'printf %s {{args}}',
    'printf %s "{{args}}"',
    "printf %s '{{args}}'",
    'printf %s "$(printf %s {{args}})"',
    'printf %s "$(printf %s "{{args}}")"',
    "x='a b'; printf %s {{args}}",
    "(printf %s '{{args}}')",
    'printf %s \\"\\"{{args}} | cut -c3-',
  ])('%s prints them as they are', (template) => {
    for (const text of HOSTILE) {
      // cut and $( ) have their own ways with lines.
      if (/cut|\$\(/.test(template) && text.includes('\n')) continue;
      const output = execFileSync('bash', ['-c', quoteInto(template, text)], { encoding: 'utf8' });
      expect(output.replace(/\n$/, '')).toBe(text);
    }
  });

  it('stay text beside other text in quotes', () => {
    const run = (template: string, text: string) =>
      execFileSync('bash', ['-c', quoteInto(template, text)], { encoding: 'utf8' });
    for (const text of HOSTILE) {
      expect(run("printf %s 'a {{args}} b'", text)).toBe(`a ${text} b`);
      expect(run('printf %s "a {{args}} b {{args}}"', text)).toBe(`a ${text} b ${text}`);
    }
  });

  it.each(['echo `ls {{args}}`', 'cat <<E\n{{args}}\nE', 'ls # {{args}}', "echo $'{{args}}'"])(
    '%j is refused: nothing is safe there',
    (template) => {
      expect(() => quoteInto(template, 'x')).toThrow('cannot be quoted');
    },
  );
});

it('are quoted for PowerShell on Windows', () => {
  expect(quoteInto('echo {{args}} "{{args}}"', `a'b "$x"`, 'win32')).toBe(
    `echo 'a''b "$x"' "a'b \`"\`$x\`""`,
  );
});
