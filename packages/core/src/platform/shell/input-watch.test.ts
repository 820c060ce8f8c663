import { describe, expect, it } from 'vitest';
import { isWaiting } from './input-watch.js';
import { endsLikePrompt, isQuestion, LastLine } from './prompt-line.js';

describe('isWaiting', () => {
  const NEVER = Number.POSITIVE_INFINITY;
  it.each([
    ['reads', '', 300],
    ['reads', 'Name: ', 300],
    ['listens', 'Name: ', 300],
    ['listens', 'building', 3000],
    ['serves', 'Name: ', 1000],
    ['serves', 'ready', NEVER],
    ['hidden', '[sudo] password for me: ', 1500],
    ['hidden', 'Compiling: ', NEVER],
    ['none', 'Go on? [y/N] ', NEVER],
  ] as const)('%s with the last line %j counts after %d ms', (wait, line, ms) => {
    const quiet = [300, 999, 1000, 1499, 1500, 2999, 3000, 1e9];
    expect(quiet.filter((quietMs) => isWaiting(wait, line, quietMs))).toEqual(
      quiet.filter((quietMs) => quietMs >= ms),
    );
  });
});

describe('isQuestion', () => {
  it.each([
    'Password: ',
    "Enter passphrase for key '/home/me/.ssh/id': ",
    'Username for https://example.com: ',
    'Continue? [Y/n] ',
    'Overwrite (yes/no)? ',
    'Are you sure (yes/no/[fingerprint])? ',
    'Is this OK? (yes) ',
    'Press any key to continue . . .',
    'Press ENTER to continue',
    '>>> ',
    'mysql> ',
    'irb(main)> ',
  ])('recognises %j', (line) => {
    expect(isQuestion(line)).toBe(true);
  });

  it.each(['', 'Compiling: ', 'Downloading 40%', 'done.', 'src/a.ts -> ', '[12/40] Building ', 'Step 3: '])(
    'and not %j',
    (line) => {
      expect(isQuestion(line)).toBe(false);
    },
  );

  it('reads long lines within the time limit of a test', () => {
    for (const text of ['name'.repeat(100_000), '('.repeat(400_000), 'press '.repeat(60_000)])
      expect(isQuestion(text)).toBe(false);
  });
});

describe('LastLine', () => {
  const lastLine = (...chunks: string[]) => {
    const line = new LastLine();
    for (const chunk of chunks) line.push(Buffer.from(chunk));
    return line.text;
  };

  it('joins pieces and drops colours and overwritten text', () => {
    expect(lastLine('done\r\n', '\x1b[1mNa', 'me: \x1b[0m')).toBe('Name: ');
    expect(lastLine('\x1b[1G\x1b[0J> \x1b[3G')).toBe('> ');
    expect(lastLine('10%\r20%\r30%')).toBe('30%');
    expect(lastLine('a\r\n')).toBe('');
    expect(lastLine(`${'x'.repeat(5000)}\n`, 'y: ')).toBe('y: ');
  });

  it('ends like a prompt', () => {
    expect(['$ ', 'x: ', '? ', '(yes) ', '❯ '].map(endsLikePrompt)).toEqual(new Array(5).fill(true));
    expect(['', 'building', '40 of 50'].map(endsLikePrompt)).toEqual([false, false, false]);
  });
});
