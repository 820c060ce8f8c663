import { describe, expect, it, vi } from 'vitest';
import { plainLook } from '../testing/plain-look.js';
import { renderWithProviders } from '../testing/render-with-providers.js';
import { cutText, widthOf, wrapText } from '../text/columns.js';
import { entryWindow } from './entry-window.js';
import { Frame } from './Frame.js';
import { fieldKey, fieldLine, fieldOf, insertText, textOf } from './field.js';
import { frameLines } from './frame-lines.js';
import { key, typed } from './keys.test-helper.js';
import { type Choice, type RadioState, radioKey, radioLines } from './radio.js';
import { Spinner } from './Spinner.js';
import { scrollKey, scrollLines } from './scroll.js';
import { tabLine } from './tabs.js';
import { useDialogInput } from './use-dialog-input.js';
import { useRadioList } from './use-radio-list.js';

const look = plainLook(40);
const speaking = { ...look, screenReader: true };
const choices = (count: number): Choice<number>[] =>
  Array.from({ length: count }, (_, at) => ({ value: at, label: `entry ${at + 1}` }));

function List({ count, onSelect }: { count: number; onSelect(value: number): void }) {
  const list = useRadioList({ choices: choices(count), onSelect });
  useDialogInput({ onKey: list.handle });
  return <Frame title="T" lines={list.lines({ width: 36, rows: 20 })} />;
}

describe('Frame', () => {
  it('has the title above and the keys below, every row as wide as the screen', () => {
    const lines = frameLines(
      look,
      { title: 'Title', note: '1 of 2', hint: ['Enter to select', 'Esc to close'] },
      ['text', '日本'],
    );
    expect(lines[0]).toMatch(/^╭─ Title · 1 of 2 ─+╮$/);
    expect(lines.at(-1)).toMatch(/^╰─ Enter to select · Esc to close ─*╯$/);
    expect(lines.map(widthOf)).toEqual([40, 40, 40, 40]);
  });

  it('drops hints that do not fit, last first', () => {
    const lines = frameLines(
      look,
      { title: 'T', hint: ['Enter to select', 'Esc to close', 'Something longer'] },
      [],
    );
    expect(lines.at(-1)).toContain('Esc to close');
    expect(lines.at(-1)).not.toContain('Something');
  });

  it('is never higher than allowed, and says what is left out', () => {
    const lines = frameLines(look, { title: 'T' }, ['a', 'b', 'c', 'd'], 5);
    expect(lines).toHaveLength(5);
    expect(lines.join('\n')).toContain('… 2 more lines');
  });

  it('has no box for a screen reader, nor where there is no room', () => {
    expect(frameLines(speaking, { title: 'T', hint: ['Esc to close'] }, ['text'])).toEqual([
      'T',
      'text',
      'Esc to close',
    ]);
    expect(frameLines(plainLook(20), { title: 'T' }, ['text'])).toEqual(['T', 'text']);
  });

  it('puts the cursor of the terminal into a line', async () => {
    const { lastFrame } = await renderWithProviders(
      <Frame title="T" lines={['> abc', 'end']} caret={{ row: 0, column: 3 }} />,
    );
    expect(lastFrame().split('\n')).toHaveLength(4);
    expect(lastFrame()).toContain('> abc');
  });
});

describe('a list', () => {
  const start: RadioState = { index: 0, typed: '' };
  const after = (count: number, ...chords: string[]) => {
    let state = start;
    let chosen = false;
    for (const chord of chords) {
      const step = radioKey(state, key(chord), choices(count));
      if (step) ({ state, chosen } = step);
    }
    return [state.index, chosen] as const;
  };

  it('goes round with arrows, j and k', () => {
    expect(after(3, 'down', 'j', 'down')).toEqual([0, false]);
    expect(after(3, 'k')).toEqual([2, false]);
  });

  it('takes one digit at once where no number is longer', () => {
    expect(after(9, '4')).toEqual([3, true]);
    expect(after(30, '4')).toEqual([3, true]);
  });

  it('waits for the second digit where there may be one', () => {
    expect(after(12, '1')).toEqual([0, false]);
    expect(after(12, '1', '2')).toEqual([11, true]);
    expect(after(12, '1', 'enter')).toEqual([0, true]);
    expect(after(12, '1', '9')).toEqual([0, false]);
    expect(after(12, '0')).toEqual([0, false]);
  });

  it('passes what cannot be chosen', () => {
    const some: Choice<number>[] = [
      { value: 0, label: 'a' },
      { value: 1, label: 'b', disabled: 'no' },
      { value: 2, label: 'c' },
    ];
    expect(radioKey(start, key('down'), some)?.state.index).toBe(2);
    expect(radioKey(start, key('2'), some)?.chosen).toBe(false);
    expect(radioLines(look, some, start, { width: 36, rows: 9 })[1]).toContain('b (no)');
  });

  it('marks what is above and below', () => {
    const lines = radioLines(look, choices(50), { index: 20, typed: '' }, { width: 36, rows: 7 });
    expect(lines).toHaveLength(7);
    expect(lines[0]).toMatch(/^▲ \d+ more$/);
    expect(lines.at(-1)).toMatch(/^▼ \d+ more$/);
    expect(lines.join('\n')).toContain('● 21. entry 21');
    const [above, below] = [lines[0], lines.at(-1)].map((line) => Number(/\d+/.exec(line ?? '')?.[0]));
    expect((above ?? 0) + (below ?? 0) + 5).toBe(50);
  });

  it('shows the chosen entry in any room', () => {
    for (let rows = 1; rows < 12; rows++)
      for (const index of [0, 1, 25, 48, 49]) {
        const draw = (at: number) => [`entry ${at + 1}`, 'detail'];
        const lines = entryWindow(look, { count: 50, draw }, index, rows);
        expect(lines.length).toBeLessThanOrEqual(rows);
        expect(lines).toContain(`entry ${index + 1}`);
      }
  });

  it('confirms a typed number by itself after a while', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const chosen: number[] = [];
      const { press } = await renderWithProviders(
        <List count={20} onSelect={(value) => chosen.push(value)} />,
      );
      await press(key('2'));
      expect(chosen).toEqual([]);
      vi.advanceTimersByTime(5_000);
      expect(chosen).toEqual([1]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a field', () => {
  const after = (text: string, ...chords: string[]) =>
    chords.reduce((state, chord) => fieldKey(state, key(chord)) ?? state, fieldOf(text));

  it('edits by characters and words as one sees them', () => {
    expect(textOf(after('a👨‍👩‍👧b', 'left', 'backspace'))).toBe('ab');
    expect(textOf(after('one two three', 'ctrl+w', 'alt+b', 'ctrl+k'))).toBe('one ');
    expect(textOf(after('one two', 'home', 'alt+d', 'delete', 'x'))).toBe('xtwo');
    expect(textOf(after('日本', 'ctrl+a', 'ctrl+d'))).toBe('本');
  });

  it('takes pasted text as one line without commands for the terminal', () => {
    expect(textOf(insertText(fieldOf(''), 'a\r\nb\x1b[2J\tc'))).toBe('a b[2J c');
    expect(textOf(insertText(fieldOf(''), 'x'.repeat(1_000_000))).length).toBe(10_000);
  });

  it('shows the part around the caret', () => {
    const end = fieldLine(look, fieldOf('0123456789'.repeat(10)), { width: 10 });
    expect(end.line).toBe('123456789');
    expect(end.caretColumn).toBe(9);
    const start = fieldLine(look, after('0123456789'.repeat(10), 'home'), { width: 10 });
    expect(start).toEqual({ line: '0123456789', caretColumn: 0 });
  });

  it('hides keys', () => {
    expect(fieldLine(look, fieldOf('secret'), { width: 20, isMasked: true }).line).toBe('******');
  });

  it('leaves Ctrl+D on nothing to the app', () => {
    expect(fieldKey(fieldOf(''), key('ctrl+d'))).toBeUndefined();
  });
});

describe('long text', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);

  it('scrolls from the first to the last line', () => {
    expect(scrollLines(look, lines, 0, 10).at(-1)).toBe('… 31 more lines, PageDown');
    let top = 0;
    for (let page = 0; page < 9; page++) top = scrollKey(key('pagedown'), top, 40, 10) ?? top;
    const last = scrollLines(look, lines, top, 10);
    expect(last).toContain('line 40');
    expect(last.at(-1)).toBe('… end; 31 lines above, PageUp');
    expect(scrollKey(key('ctrl+home'), top, 40, 10)).toBe(0);
  });

  it('that fits has no position', () => {
    expect(scrollLines(look, lines.slice(0, 3), 5, 3)).toEqual(lines.slice(0, 3));
  });

  it('is wrapped and cut by columns', () => {
    expect(wrapText('日本語 text', 6)).toEqual(['日本語', 'text']);
    expect(cutText('日本語', 5)).toBe('日本…');
    expect(cutText('abc', 3)).toBe('abc');
  });
});

it('tabs name the current one, in any width', () => {
  const tabs = [{ label: 'One', done: true }, { label: 'Two' }, { label: 'A longer one' }];
  expect(tabLine(look, tabs, 1, 60)).toContain('[Two]');
  expect(widthOf(tabLine(look, tabs, 2, 12))).toBeLessThanOrEqual(12);
  expect(tabLine(speaking, tabs, 1, 60)).toBe('Tab 2 of 3: Two');
});

it('a spinner is a word for a screen reader', async () => {
  const seen = await renderWithProviders(<Spinner label="Working" />);
  expect(seen.lastFrame()).toMatch(/^. Working$/);
  seen.unmount();
  const spoken = await renderWithProviders(<Spinner label="Working" />, { uiState: { screenReader: true } });
  expect(spoken.lastFrame()).toBe('Working');
  spoken.unmount();
});

it('several keys in one read see each other’s effect', async () => {
  const chosen: number[] = [];
  const { press } = await renderWithProviders(<List count={5} onSelect={(value) => chosen.push(value)} />);
  await press(...[key('down'), key('down'), key('enter')], ...typed('zz'));
  expect(chosen).toEqual([2]);
});
