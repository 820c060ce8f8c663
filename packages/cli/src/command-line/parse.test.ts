import { describe, expect, it } from 'vitest';
import { parseCommandLine } from './parse.js';

function flagsOf(...argv: string[]) {
  const { line, problem } = parseCommandLine(argv);
  return problem === undefined ? line.flags : { problem };
}

describe('parseCommandLine, for values', () => {
  it('takes a value after a blank, after "=", and attached to a short flag', () => {
    expect(flagsOf('--model', 'a')).toEqual({ model: 'a' });
    expect(flagsOf('--model=a=b')).toEqual({ model: 'a=b' });
    expect(flagsOf('-m', 'a')).toEqual({ model: 'a' });
    expect(flagsOf('-m=a')).toEqual({ model: 'a' });
    expect(flagsOf('-ma')).toEqual({ model: 'a' });
    expect(flagsOf('-dyp', 'hi')).toEqual({ debug: true, yolo: true, prompt: 'hi' });
  });

  it('keeps empty values', () => {
    expect(flagsOf('-p', '')).toEqual({ prompt: '' });
    expect(flagsOf('--prompt=')).toEqual({ prompt: '' });
  });

  it('lets the last of several values win', () => {
    expect(flagsOf('-m', 'a', '--model=b')).toEqual({ model: 'b' });
    expect(flagsOf('--debug', '--no-debug')).toEqual({ debug: false });
  });

  it('reads sentences and numbers that begin with a dash as values', () => {
    expect(flagsOf('-p', '- first\n- second')).toEqual({ prompt: '- first\n- second' });
    expect(flagsOf('-p', '--help me with this')).toEqual({ prompt: '--help me with this' });
    expect(flagsOf('-p', '-1')).toEqual({ prompt: '-1' });
    expect(flagsOf('-p', '-')).toEqual({ prompt: '-' });
    expect(parseCommandLine(['- list item']).line.query).toEqual(['- list item']);
  });

  it('refuses a flag where a value is needed', () => {
    expect(flagsOf('-p', '--debug')).toEqual({ problem: 'Not enough arguments following: prompt' });
    expect(flagsOf('-m')).toEqual({ problem: 'Not enough arguments following: model' });
    expect(flagsOf('-m', '--')).toEqual({ problem: 'Not enough arguments following: model' });
  });

  it('accepts an optional value and its absence', () => {
    expect(flagsOf('--resume')).toEqual({ resume: '' });
    expect(flagsOf('-r', '5', '-d')).toEqual({ resume: '5', debug: true });
    expect(flagsOf('-r5')).toEqual({ resume: '5' });
    expect(flagsOf('-w', '--debug')).toEqual({ worktree: '', debug: true });
  });

  it('reads true and false after a boolean', () => {
    expect(flagsOf('--debug', 'false')).toEqual({ debug: false });
    expect(flagsOf('--debug=true')).toEqual({ debug: true });
    expect(parseCommandLine(['--debug', 'hello']).line).toEqual({ flags: { debug: true }, query: ['hello'] });
    expect(flagsOf('--debug=perhaps')).toEqual({
      problem: 'Invalid values:\n  Argument: debug, Given: "perhaps", Choices: "true", "false"',
    });
  });

  it('splits lists at commas, trims, drops empty items, and adds repeated ones', () => {
    expect(flagsOf('-e', 'a, b,,', '-e=c')).toEqual({ extensions: ['a', 'b', 'c'] });
    expect(flagsOf('-e', '')).toEqual({ extensions: [''] });
    expect(flagsOf('-e', ',')).toEqual({ extensions: [] });
    expect(flagsOf('-e', '', '-e', 'a')).toEqual({ extensions: ['a'] });
  });

  it('accepts both spellings of a name and of an approval mode', () => {
    expect(flagsOf('--outputFormat', 'json')).toEqual({ 'output-format': 'json' });
    expect(flagsOf('--approval-mode', 'autoEdit')).toEqual({ 'approval-mode': 'auto_edit' });
    expect(flagsOf('--approval-mode=interactive')).toEqual({ 'approval-mode': 'default' });
  });

  it('refuses a wrong choice, number or session id', () => {
    expect(flagsOf('-o', 'xml')).toEqual({
      problem:
        'Invalid values:\n  Argument: output-format, Given: "xml", Choices: "text", "json", "stream-json"',
    });
    for (const bad of ['x', '', '-1', 'Infinity', 'NaN']) {
      expect(flagsOf(`--max-tokens=${bad}`)).toEqual({
        problem: `Invalid value: --max-tokens needs a number of at least 0, given: "${bad}"`,
      });
    }
    expect(flagsOf('--max-time', '1.5')).toEqual({ 'max-time': 1.5 });
    for (const bad of ['', 'a/b', '..', 'a b', 'ä']) {
      expect(flagsOf(`--session-id=${bad}`)).toEqual({
        problem: `Invalid value: --session-id may hold only letters, digits, "_" and "-", given: "${bad}"`,
      });
    }
    expect(flagsOf('--session-id', 'A-z_9')).toEqual({ 'session-id': 'A-z_9' });
  });

  it('names unknown flags', () => {
    expect(flagsOf('--bogus')).toEqual({ problem: 'Unknown argument: bogus' });
    expect(flagsOf('--bogus=1', '-Q', '--no-model')).toEqual({
      problem: 'Unknown arguments: bogus, Q, no-model',
    });
    expect(flagsOf('--__proto__=1')).toEqual({ problem: 'Unknown argument: __proto__' });
    expect(flagsOf('--constructor')).toEqual({ problem: 'Unknown argument: constructor' });
  });
});

describe('parseCommandLine, for words', () => {
  it('collects positional words, everything after "--" included', () => {
    expect(parseCommandLine(['what', '-d', 'is', '--', '--this', 'mcp']).line).toEqual({
      flags: { debug: true },
      query: ['what', 'is', '--this', 'mcp'],
    });
  });

  it('takes the first word as a subcommand and does not read the rest', () => {
    expect(parseCommandLine(['-d', 'extension', 'list', '-o', 'json', '--bogus'])).toEqual({
      line: {
        flags: { debug: true },
        query: [],
        subcommand: { name: 'extensions', args: ['list', '-o', 'json', '--bogus'] },
      },
    });
    expect(parseCommandLine(['explain', 'mcp']).line.query).toEqual(['explain', 'mcp']);
    expect(parseCommandLine(['--', 'mcp']).line).toEqual({ flags: {}, query: ['mcp'] });
  });
});

describe('parseCommandLine, for combinations', () => {
  it.each([
    [['-p', 'a', 'b'], 'A prompt can be given'],
    [['-p', 'a', '-i', 'b'], '--prompt (-p) and --prompt-interactive (-i) cannot be combined'],
    [['-y', '--approval-mode', 'plan'], '--yolo (-y)'],
    [['-r', '--session-id', 'x'], '--resume and --session-id cannot be combined.'],
    [['--session-file', 'f', '--session-id', 'x'], '--session-id and --session-file cannot be combined.'],
  ])('refuses %j', (argv, start) => {
    expect(parseCommandLine(argv).problem).toContain(start);
  });

  it('accepts --no-yolo beside --approval-mode', () => {
    expect(flagsOf('--no-yolo', '--approval-mode', 'plan')).toEqual({ yolo: false, 'approval-mode': 'plan' });
  });
});
