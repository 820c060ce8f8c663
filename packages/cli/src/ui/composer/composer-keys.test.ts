import { describe, expect, it, vi } from 'vitest';
import { typing } from './composer.test-helper.js';
import { cellAt } from './composer-state.js';

const [ESC, ENTER, TAB, UP, DOWN] = ['\x1b', '\r', '\t', '\x1b[A', '\x1b[B'];
const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;

describe('Submitting', () => {
  it('sends the typed text and clears the input', () => {
    const { type, sent, shown } = typing();
    type('hello', ENTER);
    expect([sent, shown()]).toEqual([['hello'], '|']);
  });

  it('takes text and Enter that arrive in one read', () => {
    const { type, sent } = typing();
    type('hello\rworld\r');
    expect(sent).toEqual(['hello', 'world']);
  });

  it('sends nothing when the text is empty or blank', () => {
    const { type, sent } = typing();
    type(ENTER, '  ', ENTER);
    expect(sent).toEqual([]);
  });

  it('keeps the text when the app refuses it', () => {
    const { type, shown } = typing({ onSubmit: () => false });
    type('/model', ENTER);
    expect(shown()).toBe('/model|');
  });

  it('keeps text that the app puts into the input during submit', () => {
    const made = typing({
      onSubmit: () => {
        made.store.setText('back');
        return true;
      },
    });
    made.type('x', ENTER);
    expect(made.shown()).toBe('back|');
  });

  it.each(['\n', '\x1b\r', '\x1b[13;2u', '\x1b[13;5u', '\\\r'])('%j inserts a new line', (key) => {
    const { type, sent, shown } = typing();
    type('a', key, 'b');
    expect([sent, shown()]).toEqual([[], 'a\nb|']);
  });

  it('sends pastes in full', () => {
    const { type, sent, shown } = typing();
    const text = Array.from({ length: 9 }, (_, line) => `line ${line}`).join('\n');
    type('see ', paste(text.replaceAll('\n', '\r')), ' ok');
    expect(shown()).toBe('see [Pasted Text: 9 lines] ok|');
    type(ENTER);
    expect(sent).toEqual([`see ${text} ok`]);
  });

  it('tells what its labels stand for, when it is sent and when it is queued', () => {
    const pasted: string[][] = [];
    const take = (_text: string, how: { pasted: ReadonlyMap<string, string> }) =>
      pasted.push([...how.pasted.keys()]) > 0;
    const { type } = typing({ onSubmit: take, onQueue: take, isBusy: () => true });
    const text = 'x\r'.repeat(9);
    type(paste(text), ENTER, paste(text), TAB);
    expect(pasted).toEqual([['[Pasted Text: 9 lines]'], ['[Pasted Text: 9 lines]']]);
  });

  it('takes Enter right after a paste as part of it when the terminal does not mark pastes', () => {
    const { type, advance, sent, shown } = typing({ hasReliablePaste: () => false });
    type('x'.repeat(100), ENTER);
    expect(shown()).toBe(`${'x'.repeat(100)}\n|`);
    advance(40);
    type(ENTER);
    expect(sent).toEqual([`${'x'.repeat(100)}\n`]);
  });

  it('queues the text with Tab only while the model works', () => {
    let busy = false;
    const queued: string[] = [];
    const onQueue = (text: string) => queued.push(text) > 0;
    const { type, shown } = typing({ isBusy: () => busy, onQueue });
    expect(type('later', TAB)).toBe(false);
    busy = true;
    expect(type(TAB)).toBe(true);
    expect([queued, shown()]).toEqual([['later'], '|']);
    expect(type(TAB)).toBe(false);
  });
});

describe('Esc', () => {
  it('clears the input when pressed twice, and opens rewind when pressed twice again', () => {
    const onEscapeArmed = vi.fn();
    const onRewind = vi.fn();
    const { type, shown } = typing({ onEscapeArmed, onRewind });
    type('hello', ESC);
    expect(onEscapeArmed).toHaveBeenLastCalledWith('clear');
    type(ESC);
    expect([shown(), onRewind.mock.calls.length]).toEqual(['|', 0]);
    type(ESC);
    expect(onEscapeArmed).toHaveBeenLastCalledWith('rewind');
    type(ESC);
    expect(onRewind).toHaveBeenCalledTimes(1);
  });

  it('is forgotten after three seconds and after another key', () => {
    const { type, shown, advance } = typing();
    type('hello', ESC);
    advance(3_001);
    type(ESC, 'x', ESC);
    expect(shown()).toBe('hellox|');
  });

  it('is left to the app while the model works', () => {
    const { type } = typing({ isBusy: () => true });
    expect(type('hello', ESC)).toBe(false);
  });
});

describe('Ctrl+C and Ctrl+D', () => {
  it('Ctrl+C clears the input; on an empty input it is left to the app', () => {
    const { type, shown } = typing();
    expect(type('x', '\x03')).toBe(true);
    expect(shown()).toBe('|');
    expect(type('\x03')).toBe(false);
    // Cleared by mistake: undo has it.
    type('\x1bz');
    expect(shown()).toBe('x|');
  });

  it('Ctrl+D deletes forward; on an empty input it is left to the app', () => {
    const { type, shown } = typing({}, 'a|b');
    expect(type('\x04')).toBe(true);
    expect(shown()).toBe('a|');
    expect(type('\x7f', '\x04')).toBe(false);
  });
});

describe('shell mode', () => {
  it('starts and ends with ! on an empty input and ends with Esc or Backspace', () => {
    const { type, store, sent, shown } = typing();
    type('!', 'ls', ENTER);
    expect(sent).toEqual(['!ls']);
    expect(store.getState().isShellMode).toBe(true);
    type('!');
    expect(store.getState().isShellMode).toBe(false);
    type('!', ESC);
    expect(store.getState().isShellMode).toBe(false);
    type('!', '\x7f');
    expect(store.getState().isShellMode).toBe(false);
    type('wow!');
    expect([store.getState().isShellMode, shown()]).toEqual([false, 'wow!|']);
  });
});

describe('The shortcuts panel', () => {
  it('opens with ? on an empty input and closes with any key; a second ? is typed', () => {
    let isOpen = false;
    const shortcuts = {
      isOpen: () => isOpen,
      open: () => {
        isOpen = true;
      },
      close: () => {
        isOpen = false;
      },
    };
    const { type, shown } = typing({ shortcuts });
    type('?');
    expect([isOpen, shown()]).toEqual([true, '|']);
    type('?');
    expect([isOpen, shown()]).toEqual([false, '?|']);
    type('\x7f', '?', ESC);
    expect([isOpen, shown()]).toEqual([false, '|']);
    type('?', 'x');
    expect([isOpen, shown()]).toEqual([false, 'x|']);
    type('?');
    expect(shown()).toBe('x?|');
  });
});

describe('paste, images and the editor', () => {
  it('Ctrl+O opens and closes only the label at the cursor', () => {
    const { type, shown } = typing();
    type(paste('1\n2\n3\n4\n5\n6'));
    expect(type('\x0f')).toBe(true);
    expect(shown()).toBe('1\n2\n3\n4\n5\n6|');
    type('\x0f');
    expect(shown()).toBe('[Pasted Text: 6 lines]|');
    expect(type(' ', 'x', '\x0f')).toBe(false);
  });

  it('prepares pasted text, but not in shell mode', () => {
    const preparePaste = (text: string) => text.replaceAll('@', '\\@');
    const { type, shown } = typing({ preparePaste });
    type(paste('me@x'), '\x15', '!', paste('me@x'));
    expect(shown()).toBe('me@x|');
  });

  it('shows an image by its name and sends its reference', () => {
    const { store, shown, type, sent } = typing();
    store.insertImage('@/tmp/p/images/clipboard-1700000000000.png', 'clipboard-1700000000000.png');
    expect(shown()).toBe('[Image clipboard-…png] |');
    store.insertImage('@/tmp/p/images/clipboard-1700000000001.png', 'clipboard-1700000000001.png');
    expect(shown()).toBe('[Image clipboard-…png] [Image clipboard-…png #2] |');
    type(ENTER);
    expect(sent).toEqual([
      '@/tmp/p/images/clipboard-1700000000000.png @/tmp/p/images/clipboard-1700000000001.png ',
    ]);
  });

  it('shows an image of an earlier prompt by its name', () => {
    const prompt = 'see @/tmp/my\\ p/images/clipboard-1700000000000.png here';
    const { type, shown, sent } = typing({ history: () => [prompt] });
    type(UP);
    expect(shown()).toBe('|see [Image clipboard-…png] here');
    type(ENTER);
    expect(sent).toEqual([prompt]);
  });

  it('moves the cursor to a click and opens a label with a double click', () => {
    const { store, shown } = typing({ width: 30, box: 'border' }, 'hello world|');
    const click = (row: number, column: number, isDouble = false) => {
      const cell = cellAt(store.getState(), { row, column });
      if (cell) store.dispatch({ type: 'click', cell, isDouble });
      return cell !== undefined;
    };
    expect(click(1, 6)).toBe(true);
    expect(shown()).toBe('he|llo world');
    expect([click(0, 6), click(2, 6)]).toEqual([false, false]);
    store.setText('');
    store.paste('1\n2\n3\n4\n5\n6');
    click(1, 8, true);
    expect(shown()).toBe('1\n2\n3\n4\n5\n6|');
  });

  it('asks for the clipboard with Ctrl+V', () => {
    const onPasteRequest = vi.fn();
    const { type } = typing({ onPasteRequest });
    expect(type('\x16')).toBe(true);
    expect(onPasteRequest).toHaveBeenCalledTimes(1);
  });

  it.each(['\x07', '\x1b[103;6u'])(
    'opens an external editor with %j, with pastes in full, and takes the edited text',
    async (key) => {
      const given: string[] = [];
      let finish = (_: string | undefined) => {};
      const onExternalEditor = (text: string) => {
        given.push(text);
        return new Promise<string | undefined>((resolve) => {
          finish = resolve;
        });
      };
      const { type, shown } = typing({ onExternalEditor });
      type('a ', paste('1\n2\n3\n4\n5\n6'), key, 'lost');
      expect(given).toEqual(['a 1\n2\n3\n4\n5\n6']);
      finish('new text\n');
      await new Promise((resolve) => setImmediate(resolve));
      expect(shown()).toBe('new text|');
      type('x');
      expect(shown()).toBe('new textx|');
    },
  );

  it('says that Ctrl+X is the old key', () => {
    const onHint = vi.fn();
    const { type } = typing({ onHint, onExternalEditor: async () => undefined });
    type('\x18');
    expect(onHint).toHaveBeenCalledWith(expect.stringContaining('Ctrl+G'));
  });
});

it('the composer leaves app keys to the app', () => {
  const { type } = typing();
  for (const key of [
    '\x0c',
    '\x14',
    '\x19',
    '\x1b[Z',
    '\x1b[24~',
    '\x1bm',
    '\x02',
    '\x1b[5~',
    '\x1b[1;2A',
    '\x0f',
  ]) {
    expect([key, type(key)]).toEqual([key, false]);
  }
});

it('the store notifies listeners once per change', () => {
  const { store, type } = typing();
  const listener = vi.fn();
  const stop = store.subscribe(listener);
  type('a');
  type('\x1b[C');
  type('\x0c');
  expect(listener).toHaveBeenCalledTimes(1);
  stop();
  type('b');
  expect(listener).toHaveBeenCalledTimes(1);
  expect(store.text()).toBe('ab');
});

it('typing works in 5,000 lines and in a line of a megabyte', () => {
  const { store, type } = typing({ width: 80 });
  store.setText(
    Array.from({ length: 5_000 }, (_, line) => `line ${line} of the long text`).join('\n'),
    'start',
  );
  type('hello', DOWN, 'x', UP);
  expect(store.getState().buffer.lines.slice(0, 2)).toEqual([
    'helloline 0 of the long text',
    'line x1 of the long text',
  ]);
  store.setText('word '.repeat(200_000));
  type('end');
  expect(store.text().endsWith('word end')).toBe(true);
});
