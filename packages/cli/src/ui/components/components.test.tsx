import { Text } from 'ink';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { key, pasted, typed } from '../testing/keys.test-helper.js';
import { type RenderOptions, renderWithProviders } from '../testing/render-with-providers.test-helper.js';
import { widthOf } from '../text/columns.js';
import { DialogFrame } from './DialogFrame.js';
import { Lines } from './Lines.js';
import { listWindow } from './list-window.js';
import { MaxSizedBox } from './MaxSizedBox.js';
import { Pager } from './Pager.js';
import { Question } from './Question.js';
import { RadioButtonSelect, type RadioItem } from './RadioButtonSelect.js';
import { ScrollableDiffViewport } from './ScrollableDiffViewport.js';
import { Spinner } from './Spinner.js';
import { Tabs } from './Tabs.js';
import { TextField } from './TextField.js';
import { ToggleList } from './ToggleList.js';
import { useAction } from './use-action.js';
import { useDialogKeys } from './use-dialog-keys.js';

const items = (count: number): RadioItem<number>[] =>
  Array.from({ length: count }, (_, at) => ({ value: at, label: `entry ${at + 1}` }));
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);
const draw = (node: React.ReactNode, options: RenderOptions & { width?: number } = {}) => {
  const { width = 40, uiState, ...rest } = options;
  return renderWithProviders(node, { uiState: { terminalWidth: width, ...uiState }, ...rest });
};
const rowsOf = (frame: string) => frame.split('\n');

function List({ count, onSelect }: { count: number; onSelect(value: number): void }) {
  return <RadioButtonSelect items={items(count)} onSelect={onSelect} />;
}

function FieldInside({ onName }: { onName(name: string): void }) {
  const [text, setText] = useState('');
  useDialogKeys({
    onKey: ({ name }) => {
      onName(name);
      return true;
    },
  });
  return <TextField onChange={setText} onKey={({ name }) => name === 'x'} label={`${text.length}: `} />;
}

function Saving({ work }: { work: Promise<void> }) {
  const { run, isRunning, problem } = useAction();
  useDialogKeys({
    onKey: () => {
      run(() => work);
      return true;
    },
  });
  return <Text>{isRunning ? 'saving' : problem || 'idle'}</Text>;
}

describe('DialogFrame', () => {
  it('has the title above and the keys below, every row as wide as the screen', async () => {
    const { lastFrame } = await draw(
      <DialogFrame
        title="Title"
        note="1 of 2"
        footer={{ primaryAction: 'Enter to select', cancelAction: 'Esc to close' }}
      >
        <Text>text</Text>
        <Text>日本</Text>
      </DialogFrame>,
    );
    const rows = rowsOf(lastFrame());
    expect(rows[0]).toMatch(/^╭─ Title · 1 of 2 ─+╮$/);
    expect(rows.at(-1)).toMatch(/^╰─ Enter to select · Esc to close ─*╯$/);
    expect(rows.map(widthOf)).toEqual([40, 40, 40, 40]);
  });

  it('drops hints that do not fit, last first', async () => {
    const footer = {
      primaryAction: 'Enter to select',
      cancelAction: 'Esc to close',
      hints: ['Something longer'],
    };
    const { lastFrame } = await draw(<DialogFrame title="T" footer={footer} />);
    expect(lastFrame()).toContain('Esc to close');
    expect(lastFrame()).not.toContain('Something');
  });

  it('is never higher than its room, and says what is left out', async () => {
    const { lastFrame } = await draw(
      <DialogFrame title="T">
        <Lines lines={numbered(4)} />
      </DialogFrame>,
      { height: 5 },
    );
    expect(rowsOf(lastFrame())).toHaveLength(5);
    expect(lastFrame()).toContain('… 2 more lines');
  });

  it('has no box for a screen reader, nor where there is no room', async () => {
    const frame = (
      <DialogFrame title="T" note="n" footer={{ cancelAction: 'Esc to close' }}>
        <Text>text</Text>
      </DialogFrame>
    );
    const spoken = await draw(frame, { uiState: { screenReader: true } });
    expect(rowsOf(spoken.lastFrame())).toEqual(['T (n)', 'text', 'Esc to close']);
    const narrow = await draw(frame, { width: 20 });
    expect(rowsOf(narrow.lastFrame())).toEqual(['T (n)', 'text', 'Esc to close']);
  });

  it('shows the colours that the terminal knows, or none', async () => {
    const shown = async (uiState: RenderOptions['uiState']) => {
      const { plainLook } = await import('../testing/plain-look.test-helper.js');
      const { theme } = plainLook();
      const coloured = { ...theme, ui: { ...theme.ui, focus: '#ff8700' } };
      const { lastFrame } = await draw(<DialogFrame title="T" />, {
        uiState: { ...uiState, theme: coloured },
      });
      return lastFrame();
    };
    expect(await shown({ depth: 'truecolor', hasAttributes: true })).toContain('\x1b[38;2;255;135;0m');
    expect(await shown({ depth: 'ansi256', hasAttributes: true })).toContain('\x1b[38;5;208m');
    expect(await shown({ depth: 'ansi16', hasAttributes: true })).toContain('\x1b[33m');
    const bold = await shown({ depth: 'none', hasAttributes: true });
    expect(bold).toContain('\x1b[1m');
    expect(bold).not.toMatch(/\x1b\[[39]/);
    expect(await shown({ depth: 'none', hasAttributes: false })).not.toContain('\x1b');
  });
});

describe('RadioButtonSelect', () => {
  it('lets several keys of one read see each other’s effect', async () => {
    const chosen: number[] = [];
    const { press } = await draw(<List count={5} onSelect={(value) => chosen.push(value)} />);
    await press(key('down'), key('down'), key('enter'), ...typed('zz'));
    expect(chosen).toEqual([2]);
  });

  it('takes a number of two digits, and one digit by itself after a while', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const chosen: number[] = [];
      const { press } = await draw(<List count={20} onSelect={(value) => chosen.push(value)} />);
      await press(key('1'), key('2'));
      expect(chosen).toEqual([11]);
      await press(key('2'));
      expect(chosen).toEqual([11]);
      vi.advanceTimersByTime(5_000);
      expect(chosen).toEqual([11, 1]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('passes what cannot be chosen, and says why', async () => {
    const some: RadioItem<string>[] = [
      { value: 'a', label: 'a' },
      { value: 'b', label: 'b', disabled: 'no' },
      { value: 'c', label: 'c', detail: 'more' },
    ];
    const seen: string[] = [];
    const { press, lastFrame } = await draw(
      <RadioButtonSelect items={some} onSelect={() => undefined} onHighlight={(value) => seen.push(value)} />,
    );
    expect(rowsOf(lastFrame())).toEqual(['● 1. a', '  2. b (no)', '  3. c', '     more']);
    await press(key('down'));
    expect(seen).toEqual(['c']);
  });

  it('marks what is above and below', async () => {
    const { lastFrame } = await draw(
      <RadioButtonSelect items={items(50)} initial={20} onSelect={() => undefined} rows={7} />,
    );
    const rows = rowsOf(lastFrame());
    expect(rows).toHaveLength(7);
    expect(rows[0]).toBe('▲ 18 more');
    expect(rows.at(-1)).toBe('▼ 27 more');
    expect(lastFrame()).toContain('● 21. entry 21');
  });

  it('says to a screen reader what is selected', async () => {
    const { lastFrame } = await draw(<List count={2} onSelect={() => undefined} />, {
      uiState: { screenReader: true },
    });
    expect(rowsOf(lastFrame())).toEqual(['1. entry 1, selected', '2. entry 2']);
  });
});

it('the chosen entry is in the window, in any room', () => {
  for (let rows = 1; rows < 12; rows++)
    for (const index of [0, 1, 25, 48, 49]) {
      const { first, last, hasMarks } = listWindow({ count: 50, rowsOf: () => 2 }, index, rows);
      expect(first).toBeLessThanOrEqual(index);
      expect(last).toBeGreaterThanOrEqual(index);
      const marks = hasMarks ? (first > 0 ? 1 : 0) + (last < 49 ? 1 : 0) : 0;
      if (last > first) expect((last - first + 1) * 2 + marks).toBeLessThanOrEqual(rows);
    }
});

describe('Question', () => {
  const question = (onSelect: (value: number) => void, lines: string[]) => (
    <Question
      title="T"
      question="Which one?"
      items={items(3)}
      onSelect={onSelect}
      onCancel={() => onSelect(-1)}
    >
      <Lines lines={lines} />
    </Question>
  );

  it('scrolls what is above the question, and keeps the whole list in sight', async () => {
    const { lastFrame, press } = await draw(
      question(() => undefined, numbered(40)),
      { height: 12 },
    );
    expect(rowsOf(lastFrame())).toHaveLength(12);
    expect(lastFrame()).toContain('line 5');
    expect(lastFrame()).toContain('… 35 more lines, PageDown');
    expect(lastFrame()).toContain('3. entry 3');
    for (let page = 0; page < 12; page++) await press(key('pagedown'));
    expect(lastFrame()).toContain('line 40');
    expect(lastFrame()).toContain('… end; 35 lines above, PageUp');
  });

  it.each([3, 4, 5, 6, 7])('keeps to %i rows, whatever it has to show', async (height) => {
    const { lastFrame, press } = await draw(
      question(() => undefined, numbered(40)),
      { height },
    );
    expect(rowsOf(lastFrame())).toHaveLength(height);
    await press(key('pagedown'), key('down'));
    expect(rowsOf(lastFrame())).toHaveLength(height);
  });

  it('shows content that fits as it is, and answers by list and Esc', async () => {
    const answers: number[] = [];
    const { lastFrame, press } = await draw(
      question((value) => answers.push(value), ['short']),
      { height: 12 },
    );
    expect(rowsOf(lastFrame())).toHaveLength(7);
    await press(key('down'), key('enter'), key('escape'));
    expect(answers).toEqual([1, -1]);
  });
});

describe('TextField', () => {
  it('edits, takes pasted text as one line, and submits', async () => {
    const sent: string[] = [];
    const { press, lastFrame } = await draw(
      <TextField label="Name: " placeholder="your name" onSubmit={(text) => sent.push(text)} />,
    );
    expect(lastFrame()).toBe('Name: your name');
    await press(...typed('abc'), key('left'), key('backspace'), pasted('x\r\ny\x1b[2J'));
    expect(lastFrame()).toBe('Name: ax y[2Jc');
    await press(key('enter'));
    expect(sent).toEqual(['ax y[2Jc']);
  });

  it('shows the part around the caret, and hides secrets', async () => {
    const long = await draw(<TextField initial={'0123456789'.repeat(10)} />, { width: 10 });
    expect(long.lastFrame()).toBe('123456789');
    await long.press(key('home'));
    expect(long.lastFrame()).toBe('0123456789');
    const secret = await draw(<TextField initial="secret" isMasked />);
    expect(secret.lastFrame()).toBe('******');
  });

  it('has its keys before the component around it, unless that asks for them first', async () => {
    const seen: string[] = [];
    const { press, lastFrame } = await draw(<FieldInside onName={(name) => seen.push(name)} />);
    await press(...typed('ax'), key('enter'));
    expect(seen).toEqual(['enter']);
    expect(lastFrame()).toBe('1: a');
  });
});

it('an action shows that it runs, and why it has failed', async () => {
  let fail: (error: Error) => void = () => undefined;
  const work = new Promise<void>((_, reject) => {
    fail = reject;
  });
  const { press, settle, lastFrame } = await draw(<Saving work={work} />);
  await press(key('enter'));
  expect(lastFrame()).toBe('saving');
  fail(new Error('disk full'));
  await settle();
  expect(lastFrame()).toBe('disk full');
});

it('a diff scrolls from the first to the last line', async () => {
  const { press, lastFrame } = await draw(<ScrollableDiffViewport lines={numbered(40)} rows={10} />);
  expect(rowsOf(lastFrame()).at(-1)).toBe('… 31 more lines, PageDown');
  for (let page = 0; page < 9; page++) await press(key('pagedown'));
  expect(lastFrame()).toContain('line 40');
  expect(rowsOf(lastFrame()).at(-1)).toBe('… end; 31 lines above, PageUp');
  await press(key('ctrl+home'));
  expect(lastFrame()).toContain('line 1\n');
});

it('a long diff scrolls with the question below it, to its last line', async () => {
  const { press, lastFrame } = await draw(
    <Question title="T" items={items(2)} onSelect={() => undefined} onCancel={() => undefined}>
      <Text>head</Text>
      <ScrollableDiffViewport lines={numbered(3_000)} above={1} />
    </Question>,
    { height: 10 },
  );
  expect(lastFrame()).toMatch(/head[\s\S]*line 4 [\s\S]*… 2996 more lines, PageDown/);
  await press(key('pagedown'));
  expect(lastFrame()).toMatch(/line 4 [\s\S]*line 8 /);
  expect(lastFrame()).not.toMatch(/head|line 3 /);
  await press(key('ctrl+end'));
  expect(lastFrame()).toMatch(/line 3000 [\s\S]*… end; 2996 lines above, PageUp/);
});

it('a pager moves by lines and pages, and closes', async () => {
  let isClosed = false;
  const { press, lastFrame } = await draw(
    <Pager title="T" onClose={() => (isClosed = true)}>
      <Lines lines={numbered(30)} />
    </Pager>,
    { height: 10 },
  );
  await press(key('down'), key('pagedown'));
  expect(lastFrame()).toContain('line 8');
  expect(lastFrame()).not.toContain('line 7 ');
  await press(key('escape'));
  expect(isClosed).toBe(true);
});

it('MaxSizedBox leaves alone what fits', async () => {
  const { lastFrame, rerender, settle } = await draw(
    <MaxSizedBox maxHeight={3}>
      <Lines lines={numbered(3)} />
    </MaxSizedBox>,
  );
  expect(rowsOf(lastFrame())).toEqual(numbered(3));
  rerender(
    <MaxSizedBox maxHeight={3}>
      <Lines lines={numbered(4)} />
    </MaxSizedBox>,
  );
  await settle();
  expect(rowsOf(lastFrame())).toEqual(['line 1', 'line 2', '… 2 more lines']);
});

it('a placeholder keeps its first character whole, and is cut to the room', async () => {
  const { lastFrame } = await draw(<TextField placeholder={`🙂 a name ${'x'.repeat(50)}`} />, { width: 20 });
  expect(lastFrame()).toMatch(/^🙂 a name x+…$/);
  expect(widthOf(lastFrame())).toBe(20);
});

it('tabs of the same name stay as many as they are, whichever is current', async () => {
  const tabs = [{ label: 'Same' }, { label: 'Same' }, { label: 'Same' }, { label: 'Same' }];
  const { lastFrame, rerender, settle } = await draw(<Tabs tabs={tabs} index={0} />, { width: 60 });
  for (const index of [1, 3, 0, 2]) {
    rerender(<Tabs tabs={tabs} index={index} />);
    await settle();
    expect(lastFrame().match(/Same/g)).toHaveLength(4);
    expect(lastFrame().indexOf('[')).toBe(index * 7);
  }
});

it('tabs name the current one, in any width', async () => {
  const tabs = [{ label: 'One', done: true }, { label: 'Two' }, { label: 'A longer one' }];
  expect((await draw(<Tabs tabs={tabs} index={1} />, { width: 60 })).lastFrame()).toContain('[Two]');
  expect(
    widthOf((await draw(<Tabs tabs={tabs} index={2} />, { width: 12 })).lastFrame()),
  ).toBeLessThanOrEqual(12);
  const spoken = await draw(<Tabs tabs={tabs} index={1} />, { uiState: { screenReader: true } });
  expect(spoken.lastFrame()).toBe('Tab 2 of 3: Two');
});

it('a list of toggles shows and says what is on', async () => {
  const toggles = [
    { label: 'a', isOn: true },
    { label: 'b', isOn: false, detail: 'why' },
  ];
  const seen = await draw(<ToggleList toggles={toggles} index={1} />);
  expect(rowsOf(seen.lastFrame())).toEqual(['  [x] a', '● [ ] b', '      why']);
  const spoken = await draw(<ToggleList toggles={toggles} index={1} />, { uiState: { screenReader: true } });
  expect(rowsOf(spoken.lastFrame())).toEqual(['a, on', 'b, off, selected', 'why']);
});

it('a spinner is a word for a screen reader', async () => {
  const seen = await draw(<Spinner label="Working" />);
  expect(seen.lastFrame()).toMatch(/^. Working$/);
  seen.unmount();
  const spoken = await draw(<Spinner label="Working" />, { uiState: { screenReader: true } });
  expect(spoken.lastFrame()).toBe('Working');
});
