import { describe, expect, it } from 'vitest';
import { parseArguments } from './arguments.js';

describe('arguments', () => {
  it.each([
    [[], 'say what to do: list, show'],
    [['burn'], 'no command "burn"'],
    [['toString'], 'no command "toString"'],
    [['list', 'x'], 'gemini sessions list.'],
    [['show'], 'gemini sessions show <id>'],
    [['show', '1', '2'], 'gemini sessions show <id>'],
    [['search'], 'gemini sessions search <words>'],
    [['search', ' '], 'gemini sessions search <words>'],
    [['rename', '1'], 'gemini sessions rename <id> <name>'],
    [['show', '1', '--yes'], 'unknown argument "--yes"'],
    [['delete', '1', '--yes=no'], '--yes takes no value'],
    [['export', '1', '--format'], '--format needs a value'],
    [['export', '1', '--format', 'pdf'], 'no format "pdf"'],
    [['export', '1', '--format', 'html'], 'HTML is not available yet'],
    [['export', '1', 'talk.html'], 'HTML is not available yet'],
    [['fork', '1', '--turn', '0'], '--turn needs the number of a prompt'],
  ])('%j: says what is wrong', (args, problem) => {
    expect(parseArguments(args)).toContain(problem);
  });

  it('take words that look like flags behind "--"', () => {
    expect(parseArguments(['-d', 'search', '--json', '--', '-d', '--yes'])).toEqual({
      verb: 'search',
      json: true,
      words: '-d --yes',
    });
  });
});
