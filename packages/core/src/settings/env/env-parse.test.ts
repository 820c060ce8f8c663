import { describe, expect, it } from 'vitest';
import { parseEnv } from './env-parse.js';

const values = (text: string) => Object.fromEntries(parseEnv(text).variables);

describe('parseEnv', () => {
  it.each<[string, string, Record<string, string>]>([
    ['plain values are trimmed', 'A=1\nB = two words  \n\tC=\t3', { A: '1', B: 'two words', C: '3' }],
    ['empty values', 'A=\nB= # nothing\nC=""', { A: '', B: '', C: '' }],
    ['export, and a colon', 'export A=1\nB: 2', { A: '1', B: '2' }],
    ['comments and blank lines', '# A=1\n\n  # B=2\nC=3 # three\n', { C: '3' }],
    ['a # inside a value', 'URL=http://x/#top\nPASS=a#b', { URL: 'http://x/#top', PASS: 'a#b' }],
    ['= and : inside a value', 'A=b=c==\nB=http://x:1', { A: 'b=c==', B: 'http://x:1' }],
    ['double quotes', 'A="x # y" # z\nB=" s "', { A: 'x # y', B: ' s ' }],
    ['escapes in them', String.raw`A="a\nb\r\"q\" \\ C:\temp \$X"`, { A: 'a\nb\r"q" \\ C:\\temp \\$X' }],
    [
      'single quotes and backticks are literal',
      'A=\'a\\n"b"\'\nB=`it\'s "so"`',
      { A: 'a\\n"b"', B: 'it\'s "so"' },
    ],
    [
      'several lines in quotes',
      'A="one\ntwo=2\n# three"\nB=\'x\ny\'\nC=4',
      { A: 'one\ntwo=2\n# three', B: 'x\ny', C: '4' },
    ],
    ['an empty line in quotes', 'A="1\n\n2"', { A: '1\n\n2' }],
    ['quotes inside', `A=it's\nB=say "hi"`, { A: "it's", B: 'say "hi"' }],
    [
      'Windows line ends, and old ones',
      'A=1\r\nB="x\r\ny"\r\nC=3\rD=4',
      { A: '1', B: 'x\ny', C: '3', D: '4' },
    ],
    ['a byte order mark', '\uFEFFA=1', { A: '1' }],
    ['of two the last', 'A=1\nB=2\nA=3', { B: '2', A: '3' }],
    ['dots and dashes in names', 'a.b-c_1=x', { 'a.b-c_1': 'x' }],
    ['nothing is expanded or run', 'A=$HOME $(id) `id`', { A: '$HOME $(id) `id`' }],
    ['no line end at the end', 'A="x"', { A: 'x' }],
    ['nothing at all', '', {}],
  ])('reads %s', (_what, text, expected) => {
    const parsed = parseEnv(text);
    expect(Object.fromEntries(parsed.variables)).toEqual(expected);
    expect(parsed.problems).toEqual([]);
  });

  it('reports lines without meaning by their number', () => {
    const { variables, problems } = parseEnv('A="1\n2"\njust words\nset -a\nB=2\n=x\n');
    expect(Object.fromEntries(variables)).toEqual({ A: '1\n2', B: '2' });
    expect(problems.map(({ line }) => line)).toEqual([3, 4, 6]);
    expect(problems[0]?.message).toContain('NAME=value');
  });

  it('ends an unclosed quote at the end of its line', () => {
    const { variables, problems } = parseEnv('A="open\nB=2\nC=\'x\nD="y" z\n');
    expect(Object.fromEntries(variables)).toEqual({ A: '"open', B: '2', C: "'x", D: '"y" z' });
    expect(problems.map(({ line }) => line)).toEqual([1, 3, 4]);
    expect(problems.map(({ message }) => /value of (\w)/.exec(message)?.[1])).toEqual(['A', 'C', 'D']);
  });

  it('ignores a value with a NUL character', () => {
    const { variables, problems } = parseEnv('A=a\0b\nB=1');
    expect([...variables]).toEqual([['B', '1']]);
    expect(problems).toEqual([{ line: 1, message: 'The value of A has a NUL character; it is ignored.' }]);
  });

  it('reads __proto__ like any other name', () => {
    expect(Object.keys(values('__proto__=x\nconstructor=y'))).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it.each([
    ['open quotes', 'A="x\n'.repeat(150_000)],
    ['backslashes', `A="${'\\x'.repeat(400_000)}`],
    ['one long line', `A=${' x'.repeat(500_000)}`],
    ['blanks before a comment', `A=${' '.repeat(900_000)}x`],
    ['empty lines', '\n'.repeat(900_000)],
  ])('reads a megabyte of %s within the time limit of a test', (_what, text) => {
    expect(() => parseEnv(text)).not.toThrow();
  });
});
