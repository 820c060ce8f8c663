import { execFileSync, spawnSync } from 'node:child_process';
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

describe.skipIf(process.platform === 'win32')('quoteInto', () => {
  it.each([
    'printf %s {{args}}',
    'printf %s "{{args}}"',
    "printf %s '{{args}}'",
    'printf %s "$(printf %s {{args}})"',
    'printf %s "$(printf %s "{{args}}")"',
    "x='a b'; printf %s {{args}}",
    "(printf %s '{{args}}')",
    'printf %s \\"\\"{{args}} | cut -c3-',
  ])('keeps hostile arguments as plain text in %s', (template) => {
    for (const text of HOSTILE) {
      // cut and $( ) change line ends.
      if (/cut|\$\(/.test(template) && text.includes('\n')) continue;
      const output = execFileSync('bash', ['-c', quoteInto(template, text)], { encoding: 'utf8' });
      expect(output.replace(/\n$/, '')).toBe(text);
    }
  });

  it('keeps arguments as plain text beside other text in quotes', () => {
    const run = (template: string, text: string) =>
      execFileSync('bash', ['-c', quoteInto(template, text)], { encoding: 'utf8' });
    for (const text of HOSTILE) {
      expect(run("printf %s 'a {{args}} b'", text)).toBe(`a ${text} b`);
      expect(run('printf %s "a {{args}} b {{args}}"', text)).toBe(`a ${text} b ${text}`);
    }
  });

  it.each([
    'echo `ls {{args}}`',
    'cat <<E\n{{args}}\nE',
    'ls # {{args}}',
    "echo $'{{args}}'",
    'echo ${{args}}',
    'echo a$$${{args}}',
    'echo "${{args}}"',
    'echo \\\\${{args}}',
    'echo \\{{args}}',
    'echo "\\{{args}}"',
    'echo $(({{args}} * 2))',
    'echo "$((1 + ({{args}})))"',
    '(({{args}}))',
    'echo $[{{args}}]',
    'echo "${x:-${y} "{{args}}"}"',
    'echo ${x:-{{args}}}',
    'echo $(( {{args}} ))',
    'echo "$((1 + {{args}}))"',
    'echo $((2 * ("{{args}}" + 1)))',
    '(( {{args}} > 3 )) && ls',
    'if [[ {{args}} -gt 3 ]]; then ls; fi',
    'if [[ a == b || 3 -gt "{{args}}" ]]; then ls; fi',
    'let "x={{args}}+1"',
    'declare -ri x={{args}}',
    'a[{{args}}]=1',
    'echo ${a[{{args}}]}',
    'echo ${x:{{args}}}',
    'echo "${x:-"{{args}}"}"',
    `echo \${x:-$'\\''} {{args}}`,
    'echo "$(case a in a) echo {{args}};; esac)"',
    `echo "\${x:-'}" {{args}}`,
  ])('refuses %j, where no quoting is safe', (template) => {
    expect(() => quoteInto(template, 'x')).toThrow('cannot be quoted');
  });

  it.each([
    'echo $((1 + 2)) {{args}}',
    'echo $(( $(printf %s {{args}} | wc -c) + 1 ))',
    '((1 < 2)) && echo {{args}}',
    'echo "${HOME:-/}" {{args}}',
    "echo ${x:-'}'} {{args}}",
    'echo $[1 + 2] "{{args}}"',
    'if [[ {{args}} == a* ]]; then echo; fi',
    'if [[ 1 -gt 2 ]]; then ls; fi; echo {{args}}',
    'if [ {{args}} -gt 3 ] 2>/dev/null; then ls; fi',
    'let x=1; echo {{args}}',
    'echo file[{{args}}]',
  ])('runs nothing of arguments that would be calculated with: %s', (template) => {
    const text = 'a[$(echo PWNED >&2)]';
    const { stderr } = spawnSync('bash', ['-c', quoteInto(template, text)], { encoding: 'utf8' });
    expect(stderr).not.toMatch(/^PWNED/m);
  });

  it('takes a $ that stands for itself', () => {
    const run = (template: string) =>
      execFileSync('bash', ['-c', quoteInto(template, "\\'; echo no #")], { encoding: 'utf8' });
    expect(run("printf %s 'a$'{{args}}")).toBe("a$\\'; echo no #");
    expect(run('printf %s "$"{{args}} \\${{args}}')).toBe("$\\'; echo no #$\\'; echo no #");
    expect(run('printf %s "\\${{args}}"')).toBe("$\\'; echo no #");
    expect(run("printf %s '\\'{{args}}")).toBe("\\\\'; echo no #");
  });

  it('takes arguments beside arithmetic and groups', () => {
    const run = (template: string) =>
      execFileSync('bash', ['-c', quoteInto(template, '$(id)')], { encoding: 'utf8' });
    expect(run('printf %s "$((1 + (2)))" {{args}}')).toBe('3$(id)');
    expect(run('x=1; printf %s "${x}${y:-2}" {{args}} "{{args}}"')).toBe('12$(id)$(id)');
    expect(run('((1)) && (printf %s $(printf %s {{args}}))')).toBe('$(id)');
  });
});

it('quoteInto quotes for PowerShell on Windows', () => {
  expect(quoteInto('echo {{args}} "{{args}}"', `a'b "$x"`, 'win32')).toBe(
    `echo 'a''b "$x"' "a'b \`"\`$x\`""`,
  );
  expect(quoteInto('echo ((C:\\{{args}}))', 'a', 'win32')).toBe("echo ((C:\\'a'))");
  for (const template of ['echo "${{args}}"', 'echo `{{args}}', 'echo "`{{args}}"'])
    expect(() => quoteInto(template, '(x)', 'win32')).toThrow('cannot be quoted');
});
