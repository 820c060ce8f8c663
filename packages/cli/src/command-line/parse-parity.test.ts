/** yargs is the oracle: on what both accept, our reading of a command line is the same. */
import { describe, expect, it } from 'vitest';
import yargs, { type Options } from 'yargs';
import { FLAGS, type FlagSpec } from './flags.js';
import { parseCommandLine } from './parse.js';

const SPECS: readonly FlagSpec[] = FLAGS;

describe('parseCommandLine', () => {
  it.each(commandLines().map((argv) => [argv.join(' '), argv] as const))(
    'reads %s as yargs does',
    (_title, argv) => {
      const theirs = readWithYargs(argv);
      const { line, problem } = parseCommandLine(argv);
      const ours = problem === undefined ? { flags: line.flags, query: line.query } : 'refused';
      expect(ours).toEqual(theirs);
    },
  );
});

function readWithYargs(
  argv: readonly string[],
): { flags: Record<string, unknown>; query: string[] } | 'refused' {
  let failed = false;
  const parser = yargs([])
    .help(false)
    .version(false)
    .strict()
    .exitProcess(false)
    .fail(() => {
      failed = true;
    })
    .command('$0 [query..]', 'ask', (command) =>
      command.positional('query', { type: 'string', array: true }).options(yargsOptions()),
    );
  const parsed: Record<string, unknown> = { ...parser.parseSync([...argv]) };
  if (failed) return 'refused';
  const flags: Record<string, unknown> = {};
  for (const { name } of SPECS) {
    const value = parsed[name];
    // Without `--x` yargs leaves the key out; several values of a single-value flag: the last wins.
    const isSeveral = Array.isArray(value) && SPECS.find((flag) => flag.name === name)?.type !== 'list';
    if (value !== undefined) flags[name] = isSeveral ? value.at(-1) : value;
  }
  // Words after `--` are left over in `_`.
  const query = [parsed['query'], parsed['_']].flatMap((words) =>
    Array.isArray(words) ? words.map(String) : [],
  );
  return { flags, query };
}

function yargsOptions(): Record<string, Options> {
  return Object.fromEntries(
    SPECS.map(({ name, alias, type, choices }) => {
      const shared: Options = { ...(alias && { alias }), ...(choices && { choices }) };
      if (type === 'boolean') return [name, { ...shared, type: 'boolean' }];
      if (type === 'optional-string') return [name, { ...shared, type: 'string' }];
      if (type === 'number') return [name, { ...shared, type: 'number', nargs: 1 }];
      if (type === 'string') return [name, { ...shared, type: 'string', nargs: 1 }];
      const coerce = (values: string[]) =>
        values.flatMap((value) => value.split(',').map((item) => item.trim())).filter((item) => item !== '');
      return [name, { ...shared, type: 'array', string: true, nargs: 1, coerce }];
    }),
  );
}

function commandLines(): string[][] {
  const single = [
    '',
    '-p hi',
    '--prompt hi',
    '--prompt=hi',
    '-p=hi',
    '--prompt=',
    '-d',
    '--debug',
    '--debug true',
    '--debug false',
    '--debug=false',
    '--no-debug',
    '-m a -m b',
    '--model a --model=b',
    '-dy',
    '-dp hi',
    '-dm=x',
    '-r',
    '-r 5',
    '-r5',
    '-r -1',
    '--resume latest word',
    '--resume --debug',
    '-w -d',
    '-e a,b -e c',
    '-e=a',
    '-e a b',
    '--policy a --policy=b,c',
    '-o json',
    '-o xml',
    '--output-format=text',
    '--outputFormat json',
    '--approvalMode=plan',
    '--max-tokens 5',
    '--max-time=1.5',
    '-p -d',
    '-m',
    '-m -- x',
    '-p -1',
    '-p -',
    '--bogus',
    '--bogus=1',
    '-Q',
    '-dQ',
    'a b c',
    'a -d b',
    'a --debug b',
    'a -- -d --model x',
    '-- a',
    '-5 a',
    '--p hi',
    '--d',
    '--debug --debug',
    '--yolo --no-yolo',
    '-y false word',
    '--session-id abc_1-2',
    '--raw-output --accept-raw-output-risk x',
    '--no-raw-output',
    '--no-bogus',
  ].map((text) => text.split(' ').filter((token) => token !== ''));
  const pieces = [
    ['-d'],
    ['-m', 'x'],
    ['word'],
    ['--output-format=json'],
    ['-r'],
    ['-e', 'a,b'],
    ['-p', 'hi'],
  ];
  const pairs = pieces.flatMap((first) => pieces.map((second) => [...first, ...second]));
  // A prompt beside plain words is refused by a check of ours, which is not the parser's business.
  const comparable = pairs.filter(
    (argv) => !(argv.includes('-p') && argv.includes('word') && argv[0] !== '-r'),
  );
  return [...single, ...comparable, ['-p', ''], ['-m', 'two words']];
}
