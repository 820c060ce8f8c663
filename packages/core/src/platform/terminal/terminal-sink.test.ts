import { describe, expect, it } from 'vitest';
import { PlainScanner, TerminalSink } from './terminal-sink.js';

const SIZE = { columns: 80, rows: 30 };

function sinkOf(
  pieces: readonly string[],
  options: { wantsGrid?: boolean; replies?: string[] } = {},
): TerminalSink {
  const sink = new TerminalSink({
    size: SIZE,
    wantsGrid: options.wantsGrid ?? false,
    showColor: true,
    onReply: (data) => options.replies?.push(data),
  });
  for (const piece of pieces) sink.push(Buffer.from(piece));
  return sink;
}

describe('PlainScanner', () => {
  const accepts = (text: string) => new PlainScanner().accepts(Buffer.from(text));

  it('accepts lines, tabs, colours, bells and any UTF-8', () => {
    expect(accepts('a\tb\r\n\x1b[1;31mröt\x1b[m\x07 ✓\r\r\n')).toBe(true);
  });

  it.each(['a\rb', 'a\bb', '\x1b[2J', '\x1b[1A', '\x1b]0;t\x07', '\x1b[?25l', '\x1bM', 'a\x0cb'])(
    'refuses %j, which draws',
    (text) => {
      expect(accepts(text)).toBe(false);
    },
  );

  it('continues a sequence that is split between pieces', () => {
    const scanner = new PlainScanner();
    const pieces = ['a\x1b', '[3', '1m', 'b\r', '\n'];
    expect(pieces.map((piece) => scanner.accepts(Buffer.from(piece)))).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(scanner.accepts(Buffer.from('x\r'))).toBe(true);
    expect(scanner.accepts(Buffer.from('y'))).toBe(false);
  });
});

describe('TerminalSink', () => {
  it('returns plain lines unchanged: long ones unwrapped, tabs kept', async () => {
    const long = 'x'.repeat(500);
    const sink = sinkOf([`\x1b[32mgreen\x1b[0m\r\n\ta\r\n${long}\r\n`]);
    expect(sink.live()).toBe(`green\n\ta\n${long}\n`);
    expect(await sink.text()).toBe(`green\n\ta\n${long}\n`);
  });

  it('uses the screen model as soon as the output moves the cursor', async () => {
    const sink = sinkOf(['one\r\n', 'loading 10%\r', 'loading 100%\r\n', '\x1b[1A\x1b[2Kdone\r\nend']);
    expect(await sink.text()).toBe('one\ndone\nend');
    expect(sink.live()).toBe('one\ndone\nend');
  });

  it('loses no line when a long plain output is followed by drawing', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`);
    const sink = sinkOf([`${lines.join('\r\n')}\r\n`, 'a\rb\r\n']);
    expect(await sink.text()).toBe(`${lines.join('\n')}\nb`);
  });

  it('keeps lines that scrolled far out of a drawn screen, and wrapped lines whole', async () => {
    const lines = Array.from({ length: 40_000 }, (_, index) => `${index} ${'w'.repeat(index % 200)}`);
    const sink = sinkOf(['\x1b[?25l', `${lines.join('\r\n')}\r\n`]);
    expect((await sink.text()).split('\n')).toEqual(lines);
  });

  it.each([
    ['drawn', '\x1b[?25l'],
    ['plain', ''],
  ])('keeps at most 300,000 lines of a %s screen', async (_name, start) => {
    const sink = sinkOf([start, 'y\r\n'.repeat(310_000), 'last']);
    const lines = (await sink.text()).split('\n');
    expect([lines.length, lines[0], lines[1], lines.at(-1)]).toEqual([
      300_001,
      '[Output cut: the last 300000 lines follow.]',
      'y',
      'last',
    ]);
  });

  it('answers queries to the terminal', async () => {
    const replies: string[] = [];
    const sink = sinkOf(['ab\x1b[6n'], { replies });
    await sink.settle();
    expect(replies).toEqual(['\x1b[1;3R']);
  });

  it('returns what a full-screen program shows, and what was printed before', async () => {
    const inside = sinkOf(['before\r\n', '\x1b[?1049h\x1b[2J\x1b[Hmenu']);
    expect(await inside.text()).toMatch(/^before\n[\s\S]*menu$/);
    const left = sinkOf(['before\r\n', '\x1b[?1049hmenu\x1b[?1049l', 'after']);
    expect(await left.text()).toBe('before\nafter');
  });

  it('returns styled cells when a grid is wanted', async () => {
    const sink = sinkOf(['\x1b[1;31mred\x1b[0m plain \x1b[48;2;1;2;3m \x1b[0m\r\n\r\n漢字'], {
      wantsGrid: true,
    });
    await sink.settle();
    const plain = {
      bold: false,
      italic: false,
      underline: false,
      dim: false,
      inverse: false,
      fg: '',
      bg: '',
    };
    expect(sink.live()).toEqual([
      [
        { ...plain, text: 'red', bold: true, fg: '1' },
        { ...plain, text: ' plain ' },
        { ...plain, text: ' ', bg: '#010203' },
      ],
      [],
      [{ ...plain, text: '漢字' }],
    ]);
    expect(sink.grid()).toEqual(sink.live());
  });

  it('shows the visible part live and more at the end', async () => {
    const sink = sinkOf([Array.from({ length: 100 }, (_, index) => `${index}`).join('\r\n')], {
      wantsGrid: true,
    });
    await sink.settle();
    expect(sink.live()).toHaveLength(30);
    expect(sink.grid()).toHaveLength(100);
  });

  it('limits live text to its last 100,000 characters', () => {
    const sink = sinkOf(['😀'.repeat(80_000)]);
    const live = sink.live();
    expect(typeof live === 'string' && live.length).toBe(100_000);
    expect(live).toMatch(/^(?:😀)+$/u);
  });

  it('follows a resize', async () => {
    const sink = sinkOf([], { wantsGrid: true });
    sink.resize(10, 5);
    sink.push(Buffer.from('x'.repeat(25)));
    await sink.settle();
    expect(sink.live()).toHaveLength(3);
  });
});
