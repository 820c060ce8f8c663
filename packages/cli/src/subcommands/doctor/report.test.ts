import { describe, expect, it } from 'vitest';
import { join, ok, warning } from './check.js';
import { type Answer, asJson, asText } from './report.js';
import { isNewEnough } from './version-node.js';

const answer = (changes: Partial<Answer>): Answer => ({
  id: 'x',
  title: 'Thing',
  status: 'ok',
  details: [],
  problems: [],
  ...changes,
});

const textOf = (...checks: Answer[]) => asText({ version: '1', checks, fatal: 0 });

describe('the text report', () => {
  it('shows a mark, the facts, each problem with its line, and what to do', () => {
    const text = textOf(
      answer({ details: ['one', 'two'] }),
      answer({
        title: 'Settings',
        status: 'error',
        details: ['2 problems'],
        problems: [
          {
            severity: 'fatal',
            file: '/a.json',
            line: 3,
            column: 5,
            keyPath: 'ui.theme',
            message: 'expected string',
          },
          { severity: 'warning', file: '/b.json', message: 'It is odd.', hint: 'Change it.' },
        ],
        remedy: 'Correct it.',
      }),
      answer({ status: 'skipped', details: ['not asked'] }),
    );
    expect(text).toBe(
      [
        '✓ Thing        one',
        '               two',
        '✗ Settings     2 problems',
        '               ✗ /a.json:3:5',
        '                   ui.theme: expected string.',
        '               ! /b.json',
        '                   It is odd. Change it.',
        '               → Correct it.',
        '- Thing        not asked',
        '',
        '1 error.',
        '',
      ].join('\n'),
    );
  });

  it('ends with a verdict', () => {
    const verdict = (...states: Answer['status'][]) =>
      textOf(...states.map((status) => answer({ status })))
        .trimEnd()
        .split('\n')
        .at(-1);
    expect(verdict('ok', 'skipped')).toBe('No problems found.');
    expect(verdict('warning', 'error', 'warning')).toBe('1 error, 2 warnings.');
  });

  it('keeps quoted text from forging lines or controlling the terminal', () => {
    expect(textOf(answer({ details: ['a\n✓ b\u001b[31m'] }))).toBe(
      '✓ Thing        a ✓ b\n\nNo problems found.\n',
    );
    expect(asJson({ version: '1', checks: [answer({ details: ['\u009b\u202e'] })], fatal: 0 })).not.toMatch(
      /[\u009b\u202e]/,
    );
  });
});

it('join takes the worst status, all details and each remedy once', () => {
  expect(join([ok('a'), warning(['b'], 'Do it.'), warning(['c'], 'Do it.')])).toEqual({
    status: 'warning',
    details: ['a', 'b', 'c'],
    problems: [],
    remedy: 'Do it.',
  });
});

it.each([
  ['20.19.0', true],
  ['20.18.9', false],
  ['22.0.0', true],
  ['18.20.0', false],
])('isNewEnough says for Node %s: %s', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected);
});
