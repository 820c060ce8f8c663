import { beforeAll, describe, expect, it } from 'vitest';
import type { Look } from '../look.js';
import { plainLook } from '../testing/plain-look.test-helper.js';
import { textWidth } from '../text/width.js';
import { DEFAULT_DARK } from '../themes/builtin/default.js';
import { createPaint } from '../themes/paint.js';
import { LANGUAGES, languageOf, loadGrammar } from './grammars.js';
import { grammarsLoaded, onGrammarLoaded, prepareLanguage } from './highlight.js';
import { markdownLines } from './markdown.js';
import { SAMPLE } from './sample.test-helper.js';

const draw = (text: string, width = 40, more: Partial<Look> = {}) => [
  ...markdownLines(text, { ...plainLook(width), ...more }),
];
const coloured: Look = { ...plainLook(60), theme: DEFAULT_DARK, paint: createPaint('truecolor') };

describe('Markdown in plain text', () => {
  it.each<[string, string, string[]]>([
    ['paragraphs', 'one\n\ntwo', ['one', '', 'two']],
    ['line breaks in a paragraph', 'one\ntwo', ['one', 'two']],
    ['emphasis', '**bold** *italic* ~~gone~~ `code`', ['bold italic gone code']],
    ['escapes and entities', '\\*no\\* a &lt; b &amp; c', ['*no* a < b & c']],
    ['a gap before headings', 'text\n# Title\ntext', ['text', '', 'Title', 'text']],
    ['a heading by underline', 'Title\n=====\n\ntext', ['Title', '', 'text']],
    ['bullets', '- a\n- b', ['• a', '• b']],
    ['a loose list without gaps', '- a\n\n- b', ['• a', '• b']],
    ['nested lists', '- a\n  - b\n    - c\n- d', ['• a', '  ◦ b', '    ▪ c', '• d']],
    ['ordered lists that continue counting', '1. a\n1. b\n1. c', ['1. a', '2. b', '3. c']],
    ['ordered lists with their start', '3. a\n4. b', ['3. a', '4. b']],
    ['a list after a list of another kind', '1. a\n\n- b', ['1. a', '', '• b']],
    ['a paragraph inside of an item', '- a\n\n  more\n- b', ['• a', '', '  more', '• b']],
    ['tasks', '- [x] a\n- [ ] b', ['• ☑ a', '• ☐ b']],
    ['quotes', '> a\n> b', ['│ a', '│ b']],
    ['nested quotes', '> a\n>> b', ['│ a', '│ │ b']],
    ['a rule', 'a\n\n---\n\nb', ['a', '', '─'.repeat(40), '', 'b']],
    ['code with numbers', '```js\nlet a;\n\nlet b;\n```', [' 1 let a;', ' 2 ', ' 3 let b;']],
    ['code in an item', '- a\n  ```\n  x\n  ```\n- b', ['• a', '   1 x', '• b']],
    ['code with the other fence', '~~~\n```\n~~~', [' 1 ```']],
    ['an unclosed fence', '```\na\nb', [' 1 a', ' 2 b']],
    ['indented code', 'a\n\n    code', ['a', '', ' 1 code']],
    ['html as text', '<b>x</b>', ['<b>x</b>']],
    ['a break in html', 'a<br>b', ['a', 'b']],
    ['links', '[text](http://a.b/c)', ['text (http://a.b/c)']],
    ['links that say where they go', '<http://a.b/c> [a.b](http://a.b)', ['http://a.b/c a.b']],
    [
      'link definitions, which contain the address',
      'see [a][1]\n\n[1]: http://a.b',
      ['see [a][1]', '', '[1]: http://a.b'],
    ],
    ['images', '![alt](http://a.b/c.png)', ['[image: alt] (http://a.b/c.png)']],
    ['nothing', '', []],
    ['blank lines only', '\n\n\n', []],
  ])('draws %s', (_name, text, expected) => {
    expect(draw(text)).toEqual(expected);
  });

  it.each([
    ['[paypal.com](https://evil.example/a)', 'evil.example'],
    ['[https://www.paypal.com/x](https://evil.example/a)', 'evil.example'],
    ['<https://paypal.com@evil.example/>', 'evil.example'],
    ['[x](https://pаypal.com)', 'xn--pypal-4ve.com'],
    ['see https://пример.рф/ now', 'xn--e1afmkfd.xn--p1ai'],
  ])('marks a deceptive link: %s', (text, host) => {
    expect(draw(text, 200).join()).toContain(`⚠ host: ${host}`);
  });

  it.each([
    '[docs](https://example.com)',
    '[www.a.org](https://a.org)',
    '[lines.ts](https://github.com/x)',
    '<https://a.b:443/>',
  ])('does not mark an honest link: %s', (text) => {
    expect(draw(text, 200).join()).not.toContain('⚠');
  });

  it('removes control characters', () => {
    const lines = draw(
      'a\x1b[31m\x07 **b\x1b]0;x\x07**\n\n```\n\x1b[2Jc\x9b1m\n```\n\n| \x1b[1mh |\n|---|\n| \x08v |',
    );
    expect(lines.join('\n')).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
    expect(lines.join('\n')).toContain('a b');
  });

  it('shows the source in raw mode', () => {
    const text = '# T\n\n**b**\n\n```js\nlet a;\n```';
    expect(draw(text, 40, { renderMarkdown: false })).toEqual(text.split('\n'));
  });

  it('can omit line numbers and wraps long code under itself', () => {
    expect(draw('```\nabcdefghij\n```', 8)).toEqual([' abcdefg', ' hij']);
    expect(draw('```\nabc\n```', 40, { showLineNumbers: false })).toEqual([' abc']);
    expect(draw(`\`\`\`\n${'x'.repeat(30)}\n\`\`\``, 23)).toEqual([
      ` 1 ${'x'.repeat(20)}`,
      `   ${'x'.repeat(10)}`,
    ]);
  });
});

describe('Tables', () => {
  const table = '| Name | Value |\n|:--|--:|\n| a | 1 |\n| 日本 | 22 |';
  it('fit their content and align it', () => {
    expect(draw(table)).toEqual([
      '╭──────┬───────╮',
      '│ Name │ Value │',
      '├──────┼───────┤',
      '│ a    │     1 │',
      '│ 日本 │    22 │',
      '╰──────┴───────╯',
    ]);
  });

  it('wrap their cells, with lines between the rows', () => {
    expect(draw('| A | B |\n|---|---|\n| x | some longer words here |\n| y | z |', 26)).toEqual([
      '╭───┬────────────────────╮',
      '│ A │ B                  │',
      '├───┼────────────────────┤',
      '│ x │ some longer words  │',
      '│   │ here               │',
      '├───┼────────────────────┤',
      '│ y │ z                  │',
      '╰───┴────────────────────╯',
    ]);
  });

  it('break no word while a neighbour has room', () => {
    const head = '| Approach | Accuracy | Used for | See |\n|---|---|---|---|\n';
    const row = '| sliding_window_counter | exact | internal tools, clients | https://example.org/limits |';
    const lines = draw(head + row, 60);
    for (const word of ['Approach', 'Accuracy', 'Used for', 'internal', 'tools,', 'clients'])
      expect(lines.join('\n')).toContain(word);
    expect(lines[0]).toHaveLength(60);
    expect(draw(head + row, 78).join('\n')).toContain('https://example.org/limits');
  });

  it('become lists rather than tables of broken words', () => {
    const words = 'consideration| representative| internationally| responsibility';
    expect(draw(`|a|b|c|d|\n|-|-|-|-|\n|${words}|`, 40)[0]).toBe('a: consideration');
  });

  it('become lists where the width is too small', () => {
    expect(
      draw('| First | Second | Third |\n|---|---|---|\n| alphabet | betatest | gamma ray |', 20),
    ).toEqual(['First: alphabet', 'Second: betatest', 'Third: gamma ray']);
  });

  it('become lists for a screen reader', () => {
    expect(draw(table, 80, { screenReader: true })).toEqual([
      'Name: a',
      'Value: 1',
      '',
      'Name: 日本',
      'Value: 22',
    ]);
  });
});

describe('A screen reader', () => {
  it('gets words instead of symbols', () => {
    const text = '# T\n\n- [x] a\n- b\n\n> q\n\n```ts\nx\n```\n\n---';
    expect(draw(text, 80, { screenReader: true })).toEqual([
      'Heading 1: T',
      '',
      '- done: a',
      '- b',
      '',
      'Quote: q',
      '',
      'Code, ts:',
      'x',
      'End of code.',
    ]);
  });
});

describe('In colours', () => {
  beforeAll(async () => {
    prepareLanguage('ts');
    await grammarsLoaded();
  });

  it('the sample is drawn with all its styles', () => {
    expect(markdownLines(SAMPLE, coloured).join('\n').replaceAll('\x1b', '␛')).toMatchSnapshot();
  });

  it('code is plain until its grammar has loaded, then listeners are called and it is coloured', async () => {
    const text = '```rust\nfn main() {}\n```';
    const before = markdownLines(text, coloured).join();
    let told = 0;
    const stop = onGrammarLoaded(() => told++);
    await grammarsLoaded();
    stop();
    expect(told).toBeGreaterThan(0);
    const after = markdownLines(text, coloured).join();
    expect(before).not.toContain('38;2;189;157;255');
    expect(after).toContain('\x1b[38;2;189;157;255mfn\x1b[39m');
  });

  it('every grammar can be loaded', async () => {
    for (const language of LANGUAGES) expect(await loadGrammar(language), language).toBeTypeOf('function');
  });

  it.each([
    ['ts', 'typescript'],
    ['TSX', 'typescript'],
    ['py', 'python'],
    ['sh', 'bash'],
    ['html', 'xml'],
    ['constructor', undefined],
    ['__proto__', undefined],
    ['', undefined],
  ])('the name %j stands for the language %s', (name, expected) => {
    expect(languageOf(name)).toBe(expected);
  });
});

describe('At every width', () => {
  it.each([20, 40, 80, 200])('no line is wider than %i columns', (width) => {
    for (const line of draw(SAMPLE, width)) expect(textWidth(line)).toBeLessThanOrEqual(width);
    expect(draw(SAMPLE, width)).toMatchSnapshot();
  });
});

describe('Hostile text', () => {
  it.each<[string, string]>([
    ['deep quotes', '>'.repeat(20_000)],
    ['deep lists', '- '.repeat(20_000)],
    ['deep indents', Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n')],
    ['a line of a megabyte', 'x'.repeat(1 << 20)],
    ['a megabyte of words', 'word '.repeat(200_000)],
    ['emphasis without end', 'a*'.repeat(100_000)],
    ['brackets', '['.repeat(100_000)],
    ['backticks', `a${'`'.repeat(100_000)}`],
    ['an unclosed fence', `\`\`\`js\n${'let a = 1;\n'.repeat(5_000)}`],
    ['half sequences', `${'\x1b['.repeat(50_000)}0m end`],
    ['joined emoji', '👩‍👩‍👧'.repeat(10_000)],
    ['marks on a letter', `a${'\u0301'.repeat(50_000)}`],
    ['lists in lists', Array.from({ length: 11 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n')],
    ['quotes in quotes', `${'> '.repeat(11)}text`],
    ['a very wide table', `${'|a'.repeat(2_000)}\n${'|-'.repeat(2_000)}\n${'|b'.repeat(2_000)}`],
    ['fences only', '```\n'.repeat(20_000)],
    ['carriage returns', 'a\r'.repeat(50_000)],
  ])(
    '%s is drawn within the width',
    (_name, text) => {
      const lines = draw(text, 20);
      for (const line of lines.slice(0, 200)) expect(textWidth(line)).toBeLessThanOrEqual(20);
      expect(lines.length).toBeGreaterThan(0);
    },
    60_000,
  );
});
