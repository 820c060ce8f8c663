import { CORE_SCHEMA, load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { parseFrontMatter, textField } from './front-matter.js';

const dataOf = async (text: string) => (await parseFrontMatter(text)).data;

describe('a YAML header', () => {
  it('is separated from the body', async () => {
    expect(await parseFrontMatter('---\nname: a\ntools: [x, y]\n---\n# Title\n\n---\nmore')).toEqual({
      hasHeader: true,
      data: { name: 'a', tools: ['x', 'y'] },
      body: '# Title\n\n---\nmore',
    });
  });

  it.each<[string, string, object]>([
    ['quotes and comments', '---\nname: "a b" # c\nx: \'d\'\n---', { name: 'a b', x: 'd' }],
    [
      'folded lines',
      '---\ndescription: >-\n  one\n  two\nname: x\n---\n',
      { name: 'x', description: 'one two' },
    ],
    ['continued lines', '---\ndescription: one\n  two\n---\n', { description: 'one two' }],
    ['nested fields', '---\nmeta:\n  name: x\n---\n', { meta: { name: 'x' } }],
    ['Windows line ends', '---\r\nname: x\r\nd: |\r\n  y\r\n---\r\n', { name: 'x', d: 'y\n' }],
    ['a byte order mark', '\ufeff---\nname: x\n---\n', { name: 'x' }],
    ['dates as texts', '---\nwhen: 2024-01-01\n---\n', { when: '2024-01-01' }],
  ])('is read with %s', async (_what, text, expected) => {
    expect(await parseFrontMatter(text)).toMatchObject({ hasHeader: true, data: expected });
    expect((await parseFrontMatter(text)).problem).toBeUndefined();
  });

  it.each(['---\n---\nbody', '---\n\n---\nbody', '---\n# only a comment\n---\nbody', '---\nnull\n---\nbody'])(
    'may be empty: %j',
    async (text) =>
      expect(await parseFrontMatter(text)).toMatchObject({ hasHeader: true, data: {}, body: 'body' }),
  );

  it('may be a list', async () => {
    const { list, data } = await parseFrontMatter('---\n- name: a\n- name: b\n---\n');
    expect(list).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect(data).toEqual({});
  });

  it.each(['', 'name: x\n', ' ---\nname: x\n---\n', '----\nname: x\n----\n'])(
    'is missing in %j',
    async (text) => {
      expect(await parseFrontMatter(text)).toEqual({ hasHeader: false, data: {}, body: text });
    },
  );

  it('that is never closed is reported, and the text is all body', async () => {
    const text = '---\nname: x\n# Title\n';
    expect(await parseFrontMatter(text)).toEqual({
      hasHeader: false,
      data: {},
      body: text,
      problem: 'its header is not closed by "---"',
    });
  });
});

describe('a header that is not valid YAML is read line by line', () => {
  it.each<[string, string, object]>([
    [
      'a colon in a description',
      'name: a\ndescription: Use when: you need it\n  for real # really',
      { name: 'a', description: 'Use when: you need it for real' },
    ],
    [
      'a text that begins like something else',
      'name: a\nhint: @file or `x`',
      { name: 'a', hint: '@file or `x`' },
    ],
    [
      'lists of both kinds',
      'description: a: b\ntools: [x, "y"]\nmore:\n  - p\n  - "q"\nlast:\n- r',
      { description: 'a: b', tools: ['x', 'y'], more: ['p', 'q'], last: ['r'] },
    ],
    ['a block', 'description: a: b\ntext: |\n  one\n  two', { description: 'a: b', text: 'one two' }],
    ['a field given twice', 'name: a\nname: b', { name: 'a' }],
    ['Windows line ends', 'name: "x"\r\ndescription: a: b\r', { name: 'x', description: 'a: b' }],
  ])('with %s', async (_what, header, expected) => {
    const { data, body, problem } = await parseFrontMatter(`---\n${header}\n---\nbody`);
    expect(data).toEqual(expected);
    expect(body).toBe('body');
    expect(problem).toMatch(/^its header is not valid YAML \(line \d+: .+\) and was read line by line$/);
  });
});

describe('a colon in a text without quotes', () => {
  it.each(['a: b: c', 'x: 1\na_b: Use when: x', 'a: b, "c: d"', 'a: b:\tc', 'a: b: # c'])(
    'is a mistake in YAML, too: %j',
    async (header) => {
      expect(() => load(header, { schema: CORE_SCHEMA })).toThrow();
      expect((await parseFrontMatter(`---\n${header}\n---\n`)).problem).toContain('": " needs quotes');
    },
  );

  it.each([
    'a: b # c: d',
    'a: "b: c"',
    'a: {b: c}',
    'a: |\n  b: c: d\n\n  e',
    'a:\n  b: c',
    'a: b:c\nd: [e, {}]',
  ])('is not found where YAML finds none: %j', async (header) => {
    const { data, problem } = await parseFrontMatter(`---\n${header}\n---\n`);
    expect(problem).toBeUndefined();
    expect(data).toEqual(load(header, { schema: CORE_SCHEMA }));
  });
});

describe('a hostile header', () => {
  it('creates no code objects', async () => {
    expect(await dataOf('---\nname: !!js/function "function () { return 1 }"\n---\n')).toEqual({
      name: '!!js/function "function () { return 1 }"',
    });
  });

  it.each([
    ['aliases that stand for gigabytes', 'a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]'],
    ['a value that holds itself', 'a: &a [*a]'],
  ])('may not have %s', async (_what, header) => {
    const { data, problem } = await parseFrontMatter(`---\n${header}\n---\n`);
    expect(problem).toContain('maxAliases');
    expect(JSON.stringify(data).length).toBeLessThan(200);
  });

  it('does not change the prototype of objects', async () => {
    const data = await dataOf('---\n__proto__:\n  polluted: true\nname: x\n---\n');
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
    const byLine = await dataOf('---\n__proto__: a: b\n---\n');
    expect(Object.getPrototypeOf(byLine)).toBe(Object.prototype);
  });

  it('is not parsed when it is huge, but the body is returned', async () => {
    const { data, body, problem } = await parseFrontMatter(
      `---\nname: x\n${'y: 1\n'.repeat(20_000)}---\nbody`,
    );
    expect(data).toEqual({});
    expect(body).toBe('body');
    expect(problem).toBe('its header is longer than 64 KB');
  });

  it.each([
    ['number signs', `${'#'.repeat(60_000)}\nname`],
    ['blanks', `a: b: c${' '.repeat(60_000)}x`],
    ['brackets', `a: b: c\nd: ${'[{'.repeat(30_000)}`],
    ['quotes', `a: b: c\nd: ${'" '.repeat(30_000)}`],
  ])('of many %s is read within the time limit of a test', async (_what, header) => {
    expect((await parseFrontMatter(`---\n${header}\n---\n`)).body).toBe('');
  });

  it('is reported when it is too deep', async () => {
    const { problem } = await parseFrontMatter(`---\na: ${'['.repeat(5_000)}\n---\n`);
    expect(problem).toContain('is not valid YAML');
  });
});

it.each<[unknown, string | undefined]>([
  [' x ', 'x'],
  [7, '7'],
  [false, 'false'],
  ['', undefined],
  [null, undefined],
  [['x'], undefined],
])('textField of %j is %j', (value, expected) => {
  expect(textField({ data: { name: value } }, 'name')).toBe(expected);
  expect(textField({ data: {} }, 'constructor')).toBeUndefined();
});
