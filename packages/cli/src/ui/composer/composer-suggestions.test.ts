import { describe, expect, it } from 'vitest';
import { type Completer, createCompleter } from '../../completion/completer.js';
import { typing } from './composer.test-helper.js';

const [ESC, ENTER, TAB, DOWN] = ['\x1b', '\r', '\t', '\x1b[B'];
const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;

describe('Suggestions', () => {
  const commands = ['/help', '/hooks', '/history'];
  const completer = (runs = false): Completer =>
    createCompleter([
      {
        complete: ({ text, cursor }) =>
          text.startsWith('/')
            ? {
                items: commands
                  .filter((one) => one.startsWith(text))
                  .map((value) => ({ label: value, value, runs })),
                start: 0,
                end: cursor,
              }
            : undefined,
      },
    ]);

  it('are selected with Up and Down and taken with Tab', () => {
    const { type, shown } = typing({ completer: completer() });
    type('/h', DOWN, TAB);
    expect(shown()).toBe('/hooks|');
  });

  it('run with Enter when they can', () => {
    const { type, sent } = typing({ completer: completer(true) });
    type('/h', ENTER);
    expect(sent).toEqual(['/help']);
  });

  it('are closed by Esc, which does nothing else', () => {
    const { type, shown, sent } = typing({ completer: completer() });
    type('/h', ESC, ENTER);
    expect([shown(), sent]).toEqual(['|', ['/h']]);
  });

  it('keep the labels of pastes', () => {
    const source = {
      complete: ({ text }: { text: string }) =>
        text.endsWith('@a')
          ? { items: [{ label: 'abc', value: '@abc ' }], start: text.length - 2, end: text.length }
          : undefined,
    };
    const { type, sent } = typing({ completer: createCompleter([source]) });
    type(paste('1\n2\n3\n4\n5\n6'), ' @a', TAB, ENTER);
    expect(sent).toEqual(['1\n2\n3\n4\n5\n6 @abc ']);
  });

  it('take the ghost text with Tab', () => {
    const { type, shown } = typing({ ghost: () => ' world' });
    type('hello', TAB);
    expect(shown()).toBe('hello world|');
  });
});
