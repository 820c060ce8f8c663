import headless from '@xterm/headless';
import { expect, it } from 'vitest';
import { FrameWriter } from './frame-writer.js';

/** A writer on a real terminal emulator. */
function onTerminal(cols = 20, rows = 6) {
  const terminal = new headless.Terminal({ cols, rows, scrollback: 500, allowProposedApi: true });
  const size = { columns: cols, rows };
  let bytes = '';
  const writer = new FrameWriter({
    write: (data) => {
      bytes += data;
      terminal.write(data);
    },
    size: () => size,
    widthOf: (line) => line.length,
    sinksOnReflow: true,
  });
  const flushed = () => new Promise<void>((resolve) => terminal.write('', resolve));
  const read = async () => {
    await flushed();
    const { active } = terminal.buffer;
    const lines: string[] = [];
    for (let row = 0; row < active.length; row++)
      lines.push(active.getLine(row)?.translateToString(true) ?? '');
    return lines.join('\n').trimEnd().split('\n');
  };
  const resize = async (columns: number, height: number) => {
    await flushed();
    terminal.resize(columns, height);
    Object.assign(size, { columns, rows: height });
    writer.resized();
  };
  const cursor = async () => {
    await flushed();
    return { row: terminal.buffer.active.cursorY, column: terminal.buffer.active.cursorX };
  };
  const taken = () => {
    const all = bytes;
    bytes = '';
    return all;
  };
  return { terminal, writer, read, resize, cursor, taken };
}

it('FrameWriter writes only changed lines, each as a whole', async () => {
  const { writer, read, taken } = onTerminal();
  writer.draw(['top', '> hel', 'foot']);
  taken();
  writer.draw(['top', '> hell', 'foot'], { row: 1, column: 6 });
  expect(await read()).toEqual(['top', '> hell', 'foot']);
  const bytes = taken();
  expect(bytes).toContain('> hell');
  expect(bytes).not.toContain('foot');
});

it('FrameWriter writes nothing when nothing changed', () => {
  const { writer, taken } = onTerminal();
  writer.draw(['a', 'b']);
  taken();
  writer.draw(['a', 'b']);
  expect(taken()).toBe('');
});

it('FrameWriter never erases from the top left corner, which tmux takes for clearing the screen and keeps a copy', async () => {
  const { terminal, writer, read, resize } = onTerminal();
  const columns: number[] = [];
  terminal.parser.registerCsiHandler({ final: 'J' }, () => {
    columns.push(terminal.buffer.active.cursorX);
    return false;
  });
  writer.draw(['first', 'paint']);
  writer.settle(['header']);
  writer.draw(['frame', 'below']);
  writer.draw(['less']);
  await resize(18, 6);
  writer.draw(['again']);
  expect(await read()).toEqual(['header', 'again']);
  expect(columns).toEqual([1, 1, 1]);
});

it('FrameWriter writes settled lines above the frame, in order, exactly once', async () => {
  const { writer, read } = onTerminal(20, 6);
  writer.draw(['live', 'input'], { row: 1, column: 2 });
  for (let turn = 0; turn < 10; turn++) {
    writer.settle([`turn ${turn}`]);
    writer.draw(['live', 'input'], { row: 1, column: 2 });
  }
  const turns = Array.from({ length: 10 }, (_, turn) => `turn ${turn}`);
  expect(await read()).toEqual([...turns, 'live', 'input']);
});

it('FrameWriter erases all old lines when the frame grows and shrinks', async () => {
  const { writer, read } = onTerminal();
  writer.draw(['a']);
  writer.draw(['a', 'b', 'c', 'd'], { row: 1, column: 0 });
  writer.draw(['a', 'x'], { row: 0, column: 0 });
  expect(await read()).toEqual(['a', 'x']);
  writer.draw(['a', 'x', 'y']);
  expect(await read()).toEqual(['a', 'x', 'y']);
});

it('FrameWriter shows the end of a frame that is taller than the terminal', async () => {
  const { writer, read } = onTerminal(20, 3);
  writer.draw(['1', '2', '3', '4', '5'], { row: 4, column: 1 });
  expect(await read()).toEqual(['3', '4', '5']);
});

it('FrameWriter puts the cursor at the given place', async () => {
  const { writer, cursor } = onTerminal();
  writer.draw(['aaa', 'bbb', 'ccc'], { row: 1, column: 2 });
  expect(await cursor()).toEqual({ row: 1, column: 2 });
});

it('FrameWriter cuts a line that is too long instead of wrapping it', async () => {
  const { writer, read } = onTerminal(5, 6);
  writer.draw(['123456789', 'next']);
  writer.draw(['123456780', 'next']);
  expect((await read())[1]).toBe('next');
});

it.each([
  [12, 6],
  [30, 6],
  [8, 6],
])(
  'FrameWriter shows settled lines once and a whole frame after a resize to %i x %i',
  async (columns, rows) => {
    const { writer, read, resize } = onTerminal(20, 6);
    writer.settle(['settled']);
    writer.draw(['-'.repeat(20), '> in', '-'.repeat(20)], { row: 1, column: 4 });
    await resize(columns, rows);
    const rule = '-'.repeat(columns);
    writer.draw([rule, '> in', rule], { row: 1, column: 4 });
    expect(await read()).toEqual(['settled', rule, '> in', rule]);
  },
);

it.each([
  [
    [12, 12],
    [30, 15],
  ],
  [
    [12, 12],
    [20, 12],
  ],
  [
    [30, 15],
    [12, 12],
    [25, 18],
  ],
  [
    [10, 14],
    [30, 12],
    [16, 16],
  ],
])('FrameWriter loses and repeats nothing after many resizes: %j', async (...sizes) => {
  const { writer, read, resize } = onTerminal(20, 12);
  const settled = Array.from({ length: 24 }, (_, index) => `settled ${index}`);
  const frame = (columns: number) => [
    'live',
    '-'.repeat(columns),
    '> in'.padEnd(columns),
    '-'.repeat(columns),
    'foot',
  ];
  writer.settle(settled);
  writer.draw(frame(20), { row: 2, column: 4 });
  for (const [columns = 0, rows = 0] of sizes) {
    await resize(columns, rows);
    writer.draw(frame(columns), { row: 2, column: 4 });
  }
  const shown = (await read()).map((line) => line.trimEnd());
  const last = sizes.at(-1)?.[0] ?? 0;
  expect(shown).toEqual([...settled, ...frame(last).map((line) => line.trimEnd())]);
});

it('FrameWriter suspends for another program and resumes', async () => {
  const { writer, read, terminal } = onTerminal();
  writer.draw(['frame', '> ']);
  writer.suspend();
  terminal.write('editor was here\r\n');
  writer.draw(['hidden']);
  writer.resume();
  writer.draw(['frame', '> ']);
  expect(await read()).toEqual(['editor was here', 'frame', '>']);
});

it('FrameWriter restores the normal screen after full screen', async () => {
  const { writer, read, terminal } = onTerminal();
  terminal.write('before\r\n');
  writer.enterFullScreen();
  writer.draw(['1', '2', '3', '4', '5', '6']);
  expect(await read()).toEqual(['1', '2', '3', '4', '5', '6']);
  writer.leaveFullScreen();
  writer.draw([]);
  expect((await read())[0]).toBe('before');
});

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `settled ${index}`);

it('FrameWriter rewinds over its own lines on the screen and leaves those of the user', async () => {
  const { terminal, writer, read } = onTerminal(20, 12);
  terminal.write('user 1\r\nuser 2\r\n');
  writer.settle(['ours 1', 'ours 2'], 1);
  writer.draw(['frame', '> '], { row: 1, column: 2 });
  expect(writer.rewind().map(({ text, block }) => `${text} ${block}`)).toEqual(['ours 1 1', 'ours 2 1']);
  writer.settle(['ours 1', 'again'], 1);
  writer.draw(['frame', '> ']);
  expect(await read()).toEqual(['user 1', 'user 2', 'ours 1', 'again', 'frame', '>']);
});

it('FrameWriter rewinds no further than the top of the screen', async () => {
  const { writer, read } = onTerminal(20, 8);
  writer.settle(numbered(30), 1);
  writer.draw(['frame', '> '], { row: 1, column: 2 });
  const erased = writer.rewind().map(({ text }) => text);
  expect(erased).toEqual(numbered(30).slice(24));
  expect(writer.keptLines(1)).toEqual(numbered(24));
  writer.draw(['new']);
  expect(await read()).toEqual([...numbered(24), 'new']);
});

it('FrameWriter knows of the empty rows that a taller frame has left below', async () => {
  const { writer, read } = onTerminal(20, 8);
  writer.settle(numbered(30), 1);
  writer.draw(['1', '2', '3', '4', '5', '6']);
  writer.draw(['1', '2']);
  const again = writer.rewind();
  expect(again).toHaveLength(2);
  writer.settle(
    again.map(({ text }) => text),
    1,
  );
  writer.draw(['1', '2']);
  expect(await read()).toEqual([...numbered(30), '1', '2']);
});

it('FrameWriter rewinds over lines that a narrower window wraps', async () => {
  const { terminal, writer, read, resize } = onTerminal(20, 12);
  terminal.write('user\r\n');
  writer.settle(['123456789 123456789', 'short'], 1);
  writer.draw(['> '], { row: 0, column: 2 });
  await resize(10, 12);
  writer.draw(['> '], { row: 0, column: 2 });
  expect(writer.rewind()).toHaveLength(2);
  writer.draw(['> ']);
  expect(await read()).toEqual(['user', '>']);
});

it('FrameWriter moves what is visible into the scrollback and begins at the top', async () => {
  const { terminal, writer, read, cursor, taken } = onTerminal(20, 6);
  for (let line = 0; line < 10; line++) terminal.write(`user ${line}\r\n`);
  writer.settle(['ours'], 1);
  writer.draw(['frame', '> '], { row: 1, column: 2 });
  taken();
  writer.scrollAway();
  expect(await cursor()).toEqual({ row: 0, column: 0 });
  writer.settle(['ours'], 1);
  writer.draw(['frame', '> '], { row: 1, column: 2 });
  const shown = await read();
  for (let line = 0; line < 10; line++) expect(shown).toContain(`user ${line}`);
  expect(shown.slice(-3)).toEqual(['ours', 'frame', '>']);
  expect(shown.filter((line) => line === 'frame')).toHaveLength(1);
  expect(taken()).not.toContain('\x1b[3J');
  expect(writer.rewind()).toHaveLength(1);
});

it('FrameWriter erases the scrollback only in clear', async () => {
  const { terminal, writer, read, resize, taken } = onTerminal(20, 6);
  for (let line = 0; line < 10; line++) terminal.write(`user ${line}\r\n`);
  writer.draw(['frame']);
  writer.rewind();
  writer.enterFullScreen();
  await resize(30, 8);
  writer.scrollAway();
  writer.clear();
  writer.leaveFullScreen();
  expect(taken()).not.toContain('\x1b[3J');
  writer.clear();
  expect(await read()).toEqual(['']);
});

it('FrameWriter rewinds over nothing that another program wrote', async () => {
  const { terminal, writer, read } = onTerminal(20, 12);
  writer.settle(['ours'], 1);
  writer.draw(['frame']);
  writer.suspend();
  terminal.write('editor\r\n');
  writer.resume();
  writer.draw(['frame']);
  expect(writer.rewind()).toEqual([]);
  writer.draw(['frame']);
  expect(await read()).toEqual(['ours', 'editor', 'frame']);
});
