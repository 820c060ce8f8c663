import { describe, expect, it } from 'vitest';
import { parseArguments } from './arguments.js';

describe('parseArguments of gemini sessions', () => {
  it.each([
    [[], 'a command is missing. Choose one of: list, show'],
    [['burn'], 'unknown command "burn"'],
    [['toString'], 'unknown command "toString"'],
    [['list', 'x'], 'gemini sessions list.'],
    [['show'], 'gemini sessions show <id>'],
    [['show', '1', '2'], 'gemini sessions show <id>'],
    [['search'], 'gemini sessions search <words>'],
    [['search', ' '], 'gemini sessions search <words>'],
    [['rename', '1'], 'gemini sessions rename <id> <name>'],
    [['show', '1', '--yes'], 'unknown argument "--yes"'],
    [['delete', '1', '--yes=no'], '--yes takes no value'],
    [['export', '1', '--format'], '--format needs a value'],
    [['export', '1', '--format', 'pdf'], 'unknown format "pdf"'],
    [['import'], 'gemini sessions import <file>'],
    [['import', 'a.json', 'b.json'], 'gemini sessions import <file>'],
    [['fork', '1', '--turn', '0'], '--turn needs the number of a prompt'],
  ])('reports what is wrong in %j', (args, problem) => {
    expect(parseArguments(args)).toContain(problem);
  });

  it.each([
    [['talk.html'], 'html'],
    [['talk.HTM'], 'html'],
    [['talk.md'], 'markdown'],
    [['talk.md', '--json'], 'markdown'],
    [['talk.json'], 'json'],
    [['talk'], 'json'],
    [[], 'json'],
    [['talk.json', '--format', 'html'], 'html'],
    [['-', '--format=md'], 'markdown'],
  ])('reads the format of export %j as %s', (args, format) => {
    expect(parseArguments(['export', 'latest', ...args])).toMatchObject({ verb: 'export', format });
  });

  it('accepts words that look like flags after "--"', () => {
    expect(parseArguments(['-d', 'search', '--json', '--', '-d', '--yes'])).toEqual({
      verb: 'search',
      json: true,
      words: '-d --yes',
    });
  });
});
