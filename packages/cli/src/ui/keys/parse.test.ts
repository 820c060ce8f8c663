import { describe, expect, it } from 'vitest';
import type { InputEvent, Key } from './key.js';
import { KeyParser } from './parse.js';

const parse = (...chunks: (string | Buffer)[]): InputEvent[] => {
  const parser = new KeyParser({ platform: 'linux' });
  return chunks.flatMap((chunk) => parser.feed(Buffer.from(chunk as string)));
};
/** `ctrl+shift+z`, with `=text` when it types something. */
const short = (event: InputEvent | undefined): string => {
  if (event?.kind !== 'key') return JSON.stringify(event);
  const held = (['ctrl', 'alt', 'shift', 'cmd'] as const).filter((name) => event[name]);
  return [...held, event.name].join('+') + (event.text === '' ? '' : `=${event.text}`);
};
const shorts = (...chunks: (string | Buffer)[]) => parse(...chunks).map(short);

describe('The key parser', () => {
  it.each<[string, string]>([
    ['a', 'a=a'],
    ['A', 'shift+a=A'],
    ['é', 'é=é'],
    ['É', 'shift+é=É'],
    ['ß', 'ß=ß'],
    ['!', '!=!'],
    [' ', 'space= '],
    ['世', '世=世'],
    ['\r', 'enter'],
    ['\n', 'ctrl+j'],
    ['\t', 'tab'],
    ['\x7f', 'backspace'],
    ['\x08', 'ctrl+h'],
    ['\x00', 'ctrl+space'],
    ['\x01', 'ctrl+a'],
    ['\x1a', 'ctrl+z'],
    ['\x1c', 'ctrl+\\'],
    ['\x1d', 'ctrl+]'],
    ['\x1e', 'ctrl+^'],
    ['\x1f', 'ctrl+_'],
    ['\x1bb', 'alt+b'],
    ['\x1bB', 'alt+shift+b'],
    ['\x1bé', 'alt+é'],
    ['\x1b ', 'alt+space'],
    ['\x1b\r', 'alt+enter'],
    ['\x1b\x7f', 'alt+backspace'],
    ['\x1b\x01', 'ctrl+alt+a'],
    // arrows and editing keys: xterm, application mode, rxvt, Linux console
    ['\x1b[A', 'up'],
    ['\x1bOA', 'up'],
    ['\x1b[1;2A', 'shift+up'],
    ['\x1b[1;5D', 'ctrl+left'],
    ['\x1b[1;3D', 'alt+left'],
    ['\x1b[1;6C', 'ctrl+shift+right'],
    ['\x1b[1;9C', 'cmd+right'],
    ['\x1b[1;7C', 'ctrl+alt+right'],
    ['\x1b\x1b[D', 'alt+left'],
    ['\x1b\x1bOC', 'alt+right'],
    ['\x1b[a', 'shift+up'],
    ['\x1bOd', 'ctrl+left'],
    ['\x1b[H', 'home'],
    ['\x1bOF', 'end'],
    ['\x1b[1~', 'home'],
    ['\x1b[7~', 'home'],
    ['\x1b[8~', 'end'],
    ['\x1b[1;5H', 'ctrl+home'],
    ['\x1b[1;2F', 'shift+end'],
    ['\x1b[2~', 'insert'],
    ['\x1b[3~', 'delete'],
    ['\x1b[3;5~', 'ctrl+delete'],
    ['\x1b[3;3~', 'alt+delete'],
    ['\x1b[3^', 'ctrl+delete'],
    ['\x1b[3$', 'shift+delete'],
    ['\x1b[3@', 'ctrl+shift+delete'],
    ['\x1b[5~', 'pageup'],
    ['\x1b[6~', 'pagedown'],
    ['\x1b[Z', 'shift+tab'],
    ['\x1b[1;5Z', 'ctrl+shift+tab'],
    ['\x1b[E', 'clear'],
    // function keys
    ['\x1bOP', 'f1'],
    ['\x1b[[A', 'f1'],
    ['\x1b[[E', 'f5'],
    ['\x1b[11~', 'f1'],
    ['\x1b[1;2R', 'shift+f3'],
    ['\x1b[15~', 'f5'],
    ['\x1b[24~', 'f12'],
    ['\x1b[24;5~', 'ctrl+f12'],
    ['\x1b[34~', 'f20'],
    ['\x1bO5P', 'ctrl+f1'],
    // keypad in application mode
    ['\x1bOM', 'enter'],
    ['\x1bOk', '+=+'],
    ['\x1bOp', '0=0'],
    // modifyOtherKeys
    ['\x1b[27;5;13~', 'ctrl+enter'],
    ['\x1b[27;2;13~', 'shift+enter'],
    ['\x1b[27;6;90~', 'ctrl+shift+z'],
    ['\x1b[27;5;91~', 'ctrl+['],
    ['\x1b[27;2;65~', 'shift+a=A'],
    ['\x1b[27;5;8~', 'ctrl+backspace'],
    ['\x1b[27;5;127~', 'ctrl+backspace'],
    // Kitty
    ['\x1b[97u', 'a=a'],
    ['\x1b[97;2u', 'shift+a=A'],
    ['\x1b[97;65u', 'a=A'],
    ['\x1b[97;5u', 'ctrl+a'],
    ['\x1b[97;9u', 'cmd+a'],
    ['\x1b[97;33u', 'cmd+a'],
    ['\x1b[122;6u', 'ctrl+shift+z'],
    ['\x1b[122;10u', 'shift+cmd+z'],
    ['\x1b[13;2u', 'shift+enter'],
    ['\x1b[13;5u', 'ctrl+enter'],
    ['\x1b[27u', 'escape'],
    ['\x1b[9;5u', 'ctrl+tab'],
    ['\x1b[127;5u', 'ctrl+backspace'],
    ['\x1b[32;2u', 'shift+space= '],
    ['\x1b[91;5u', 'ctrl+['],
    ['\x1b[49:33;2u', 'shift+1=!'],
    ['\x1b[1089::99;5u', 'ctrl+c'],
    ['\x1b[1089;1u', 'с=с'],
    ['\x1b[97;1;225u', 'a=á'],
    ['\x1b[97;1:1u', 'a=a'],
    ['\x1b[97;1:2u', 'a=a'],
    ['\x1b[1;1:1A', 'up'],
    ['\x1b[13~', 'f3'],
    ['\x1b[57376u', 'f13'],
    ['\x1b[57398u', 'f35'],
    ['\x1b[57399u', 'numpad0=0'],
    ['\x1b[57413u', 'numpad_add=+'],
    ['\x1b[57414u', 'enter'],
    ['\x1b[57417u', 'left'],
    ['\x1b[57358u', 'capslock'],
    ['\x1b[57361u', 'printscreen'],
    ['\x1b[57362u', 'pausebreak'],
  ])('reads %j as %s', (bytes, expected) => {
    expect(shorts(bytes)).toEqual([expected]);
    // In any two pieces it is the same.
    const raw = Buffer.from(bytes);
    for (let cut = 1; cut < raw.length; cut++) {
      expect(shorts(raw.subarray(0, cut), raw.subarray(cut))).toEqual([expected]);
    }
    expect((parse(bytes)[0] as Key).sequence).toBe(bytes);
  });

  it('ignores released keys and modifiers alone', () => {
    expect(shorts('\x1b[97;1:3u\x1b[1;1:3A\x1b[3;1:3~\x1b[57441u\x1b[57428u')).toEqual([]);
  });

  it('never inserts an unknown sequence as text', () => {
    expect(shorts('\x1b[99~x')).toEqual(['unknown', 'x=x']);
    expect(shorts('\x1bOzx')).toEqual(['unknown', 'x=x']);
  });

  it('reads many keys from one piece', () => {
    expect(shorts('hi\r\x1b[A\x03')).toEqual(['h=h', 'i=i', 'enter', 'up', 'ctrl+c']);
  });

  it('keeps a grapheme in one key', () => {
    expect(shorts('👨‍👩‍👧e\u0301🇩🇪')).toEqual(['👨‍👩‍👧=👨‍👩‍👧', 'e\u0301=e\u0301', '🇩🇪=🇩🇪']);
  });

  it('turns a long run of text into one key without a name', () => {
    const text = 'word '.repeat(100);
    expect(parse(`${text}\r`)).toMatchObject([{ kind: 'key', name: '', text }, { name: 'enter' }]);
  });

  it('reads Option+B, F and M of a Mac without Meta', () => {
    const mac = new KeyParser({ platform: 'darwin' });
    expect(mac.feed('∫ƒµ').map(short)).toEqual(['alt+b', 'alt+f', 'alt+m']);
    expect(shorts('∫')).toEqual(['∫=∫']);
  });
});

describe('An Escape byte', () => {
  it('is the Escape key when nothing follows', () => {
    const parser = new KeyParser();
    expect(parser.feed('\x1b')).toEqual([]);
    expect(parser.waiting).toBe('escape');
    expect(parser.flush().map(short)).toEqual(['escape']);
    expect(parser.waiting).toBe('nothing');
    expect(parser.flush()).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['\x1b\x1b', ['escape', 'escape']],
    ['\x1b\x1b\x1b', ['escape', 'escape', 'escape']],
    ['\x1b[', ['alt+[']],
    ['\x1bO', ['alt+shift+o']],
    ['\x1b]', ['alt+]']],
    ['\x1bP', ['alt+shift+p']],
    ['\x1b]hi', ['alt+]', 'h=h', 'i=i']],
    ['\x1b\x1b[', ['escape', 'alt+[']],
    ['\x1b]\r', ['alt+]', 'enter']],
    ['\x1bP\x1b[A', ['alt+shift+p', 'up']],
    ['\x1b\x1bx', ['escape', 'alt+x']],
  ])('in %j with nothing after it is read as %j', (bytes, expected) => {
    const parser = new KeyParser();
    expect([...parser.feed(bytes), ...parser.flush()].map(short)).toEqual(expected);
  });

  it('waits for the rest of a sequence on a slow line', () => {
    const parser = new KeyParser();
    expect([...parser.feed('\x1b[1;'), ...parser.flush(), ...parser.feed('5D')].map(short)).toEqual([
      'ctrl+left',
    ]);
  });

  it('starts a sequence that another control character aborts; the control character counts', () => {
    expect(shorts('\x1b[1;5\x03')).toEqual(['ctrl+c']);
    expect(shorts('\x1b[1\x1b[A')).toEqual(['up']);
    expect(shorts('\x1b]11;rgb\x03')).toEqual(['ctrl+c']);
  });
});

describe('A paste', () => {
  const begin = '\x1b[200~';
  const end = '\x1b[201~';

  it('is one event, whatever it contains', () => {
    const text = 'a\r\n\x1b[A\x03\x1b[200~ü 世界';
    expect(parse(`x${begin}${text}${end}y`)).toMatchObject([
      { text: 'x' },
      { kind: 'paste', text },
      { text: 'y' },
    ]);
  });

  it('is the same in pieces of any size', () => {
    const bytes = Buffer.from(`${begin}zwei\n世界 👍${end}\r`);
    for (let size = 1; size < 9; size++) {
      const parser = new KeyParser();
      const events: InputEvent[] = [];
      for (let at = 0; at < bytes.length; at += size)
        events.push(...parser.feed(bytes.subarray(at, at + size)));
      expect(events).toMatchObject([{ kind: 'paste', text: 'zwei\n世界 👍' }, { name: 'enter' }]);
    }
  });

  it('may be megabytes long', () => {
    const parser = new KeyParser();
    const line = Buffer.from('0123456789abcde\n'.repeat(4096));
    parser.feed(begin);
    for (let piece = 0; piece < 64; piece++) expect(parser.feed(line)).toEqual([]);
    const [event] = parser.feed(end);
    expect(event).toMatchObject({ kind: 'paste' });
    expect((event as { text: string }).text.length).toBe(64 * 65_536);
  });

  it('without its end is over at flush', () => {
    const parser = new KeyParser();
    parser.feed(`${begin}abc\x1b[20`);
    expect(parser.waiting).toBe('paste');
    expect(parser.flush()).toEqual([{ kind: 'paste', text: 'abc\x1b[20' }]);
    expect(parser.feed('x').map(short)).toEqual(['x=x']);
  });

  it('after Escape keeps the Escape', () => {
    expect(shorts(`\x1b${begin}a${end}`)).toEqual(['escape', '{"kind":"paste","text":"a"}']);
  });

  it('does not start with an end marker alone', () => {
    expect(shorts(`${end}x`)).toEqual(['x=x']);
  });
});

describe('Invalid UTF-8', () => {
  it('does not change the text around it', () => {
    expect(shorts(Buffer.from([0x61, 0xff, 0x62]))).toEqual(['a=a', '\ufffd=\ufffd', 'b=b']);
    expect(shorts(Buffer.from([0xc2, 0x9b, 0x41]))).toEqual(['shift+a=A']);
  });

  it('does not include a character split over two pieces', () => {
    const bytes = Buffer.from('👍');
    expect(shorts(bytes.subarray(0, 1), bytes.subarray(1, 3), bytes.subarray(3))).toEqual(['👍=👍']);
  });
});

describe('Mouse, focus and answers', () => {
  it.each<[string, object]>([
    ['\x1b[<0;5;3M', { action: 'press', button: 'left', column: 4, row: 2 }],
    ['\x1b[<2;1;1m', { action: 'release', button: 'right', column: 0, row: 0 }],
    ['\x1b[<35;9;9M', { action: 'move', button: 'none' }],
    ['\x1b[<32;9;9M', { action: 'move', button: 'left' }],
    ['\x1b[<64;300;200M', { action: 'wheel_up', column: 299, row: 199 }],
    ['\x1b[<65;1;1M', { action: 'wheel_down' }],
    ['\x1b[<20;1;1M', { action: 'press', ctrl: true, shift: true, alt: false }],
    ['\x1b[M !!', { action: 'press', button: 'left', column: 0, row: 0 }],
    ['\x1b[M#!!', { action: 'release', button: 'none' }],
  ])('are read from %j', (bytes, expected) => {
    expect(parse(bytes)).toMatchObject([{ kind: 'mouse', ...expected }]);
  });

  it('ignore an impossible mouse report', () => {
    expect(shorts('\x1b[<0;xM\x1b[<0;1Mz').at(-1)).toBe('z=z');
  });

  it('include the focus of the window', () => {
    expect(parse('\x1b[I\x1b[O')).toEqual([
      { kind: 'focus', focused: true },
      { kind: 'focus', focused: false },
    ]);
  });

  it.each([
    '\x1b]11;rgb:1e1e/1e1e/2e2e\x07',
    '\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\',
    '\x1bP>|kitty(0.36)\x1b\\',
    '\x1bP1+r544e=787465726d\x1b\\',
    '\x1b_Gi=31;OK\x1b\\',
    '\x1b[?62;4c',
    '\x1b[>1;10;0c',
    '\x1b[?1u',
    '\x1b[?2026;2$y',
    '\x1b[0n',
    '\x1b[8;24;80t',
    '\x1b[12;40R',
    '\x1b[>4;2m',
    `\x1b]52;c;${'QUJD'.repeat(50_000)}\x07`,
  ])('include answers of the terminal, unchanged (%#)', (sequence) => {
    expect(parse(sequence)).toEqual([{ kind: 'answer', sequence }]);
    // Right after `ESC [` it could be Alt+[ still.
    const half = Math.max(3, Math.floor(sequence.length / 2));
    const parser = new KeyParser();
    const events = [
      ...parser.feed(sequence.slice(0, half)),
      ...parser.flush(),
      ...parser.feed(sequence.slice(half)),
    ];
    expect(events).toEqual([{ kind: 'answer', sequence }]);
    expect(shorts(`${sequence}x`).at(-1)).toBe('x=x');
  });
});

it('the parser never throws and never gets stuck on random bytes', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const alphabet = '\x1b\x1b\x1b[[]OP<;:?0123456789~uMmRAaZ$ \x07\x03\rxé世\\';
  for (let round = 0; round < 2_000; round++) {
    const parser = new KeyParser();
    for (let piece = 0; piece < 4; piece++) {
      const text = Array.from({ length: random(12) }, () => [...alphabet][random([...alphabet].length)]).join(
        '',
      );
      parser.feed(Buffer.from(text));
      if (random(2) === 0) parser.flush();
    }
    // A sequence may still be open; a control ends it, and a key after it counts.
    parser.flush();
    const last = [
      ...parser.feed('\x1b\\\x1b[201~'),
      ...parser.flush(),
      ...parser.feed('\x03'),
      ...parser.feed('k'),
    ].at(-1);
    expect(short(last)).toBe('k=k');
  }
});
