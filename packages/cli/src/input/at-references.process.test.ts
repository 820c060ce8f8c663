import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FatalInputError, FileError, type Part, StandardFileSystemService } from '@gemini-cli/core';
import { makeHost, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ExpandOptions, expandAtReferences } from './at-references.js';

let workspace: ReturnType<typeof tempDir>;
let elsewhere: ReturnType<typeof tempDir>;

beforeEach(() => {
  workspace = tempDir();
  elsewhere = tempDir();
});

afterEach(() => {
  workspace.cleanup();
  elsewhere.cleanup();
});

function put(files: Record<string, string | Buffer>, root = workspace.path) {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

function expand(
  typed: string,
  {
    piped = '',
    extra = [],
    ...options
  }: { piped?: string; extra?: string[] } & Partial<Pick<ExpandOptions, 'search' | 'mayRead'>> = {},
) {
  const host = makeHost(workspace.path, extra);
  return expandAtReferences({ typed, piped }, host, {
    signal: new AbortController().signal,
    mask: (text) => text.replaceAll('hunter2', '[redacted]'),
    ...options,
  });
}

/** The message as one text; media as their type. */
function textOf(parts: Part[]): string {
  return parts.map((part) => part.text ?? `<${part.inlineData?.mimeType}>`).join('');
}

describe('expandAtReferences, for files', () => {
  it('sends the prompt, then the content under its path', async () => {
    put({ 'src/a.txt': 'alpha\n', 'b.txt': 'beta' });
    const { parts, notices } = await expand('compare @./src/a.txt with @b.txt, please');
    expect(parts).toEqual([
      { text: 'compare @src/a.txt with @b.txt, please' },
      { text: '\n--- Content from referenced files ---' },
      { text: '\nContent from @src/a.txt:\n' },
      { text: 'alpha\n' },
      { text: '\nContent from @b.txt:\n' },
      { text: 'beta' },
      { text: '\n--- End of content ---' },
    ]);
    expect(notices).toEqual([]);
  });

  it('sends a buffer that an editor has not saved yet', async () => {
    const path = join(workspace.path, 'unsaved.txt');
    const onlyBuffer = (asked: string) => {
      if (asked !== path) throw new FileError('missing', `File not found: ${asked}`);
      return 'typed, not saved';
    };
    const files = Object.assign(new StandardFileSystemService(), {
      inspect: async (asked: string) => ({ realPath: asked, size: onlyBuffer(asked).length }),
      readTextFile: async (asked: string) => ({
        text: onlyBuffer(asked),
        format: { encoding: 'utf-8', bom: false },
      }),
    });
    const host = { ...makeHost(workspace.path), getFileSystemService: () => files };
    const { parts } = await expandAtReferences({ typed: 'see @unsaved.txt', piped: '' }, host, {
      signal: new AbortController().signal,
      mask: (text) => text,
    });
    expect(textOf(parts)).toContain('Content from @unsaved.txt:\ntyped, not saved');
  });

  it('masks secrets in files, not in what the user typed', async () => {
    put({ '.env': 'PASSWORD=hunter2' });
    const text = textOf((await expand('is hunter2 in @.env?')).parts);
    expect(text).toContain('is hunter2 in');
    expect(text).toContain('PASSWORD=[redacted]');
  });

  it('includes a file once, however it is named', async () => {
    put({ 'my docs/a.txt': 'alpha' });
    const absolute = join(workspace.path, 'my docs', 'a.txt').replaceAll(' ', '\\ ');
    const { parts } = await expand(`@my\\ docs/a.txt @"my docs/a.txt" @${absolute}`);
    expect(parts[0]).toEqual({ text: '@my docs/a.txt @my docs/a.txt @my docs/a.txt' });
    expect(parts).toHaveLength(5);
  });

  it('looks into every workspace directory, the project first', async () => {
    put({ 'only-there.txt': 'there', 'both.txt': 'there' }, elsewhere.path);
    put({ 'both.txt': 'here' });
    const { parts } = await expand('@only-there.txt @both.txt', { extra: [elsewhere.path] });
    expect(textOf(parts)).toContain('Content from @only-there.txt:\nthere\nContent from @both.txt:\nhere\n');
  });

  it('finds a file by a part of its name', async () => {
    put({ 'src/deep/Widget.test.ts': 'w', 'node_modules/x/widget.js': 'no' });
    const { parts } = await expand('fix @widget');
    expect(textOf(parts)).toContain('fix @src/deep/Widget.test.ts\n');
  });

  it('takes glob characters in a name literally', async () => {
    put({ 'app/[id]/page.tsx': 'page', 'i.txt': 'no' });
    expect(textOf((await expand('@app/\\[id\\]/page.tsx')).parts)).toContain('@app/[id]/page.tsx:\npage');
    expect((await expand('@\\[i\\]')).parts).toEqual([{ text: '@\\[i\\]' }]);
  });

  it('keeps unknown words as typed', async () => {
    put({ 'a.txt': 'alpha' });
    for (const prompt of [
      '@nothing here',
      'use @/no-such-root/utils',
      '@../no-such-neighbour',
      'mail me@a.txt',
      '@\u0000',
      `@${'x'.repeat(5000)}`,
    ]) {
      expect((await expand(prompt)).parts).toEqual([{ text: prompt }]);
    }
  });

  it('notes that a long text was cut', async () => {
    put({ 'long.txt': 'line\n'.repeat(2500) });
    expect(textOf((await expand('@long.txt')).parts)).toContain(
      '\nContent from @long.txt:\n[Truncated: lines 1-2000 of 2500 are shown, long lines are cut. read_file shows the rest.]\nline\n',
    );
  });

  it('attaches named media, and skips other binaries with a notice', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
    put({ 'pic.png': png, 'tool.bin': Buffer.from([0, 1, 2, 255]) });
    const { parts, notices } = await expand('@pic.png @tool.bin');
    expect(parts).toContainEqual({ inlineData: { mimeType: 'image/png', data: png.toString('base64') } });
    expect(notices).toEqual(['tool.bin was left out: it is a binary file.']);
  });
});

describe('expandAtReferences, for directories', () => {
  it('reads the files below except ignored and excluded ones, with a notice', async () => {
    put({
      '.gitignore': '*.log\n',
      'src/a.ts': 'a',
      'src/sub/b.ts': 'b',
      'src/x.log': 'no',
      'src/node_modules/m.js': 'no',
      'src/.env': 'SECRET=1',
      'src/pic.png': Buffer.from('89504e470d0a1a0a', 'hex'),
    });
    execFileSync('git', ['init', '-q'], { cwd: workspace.path });
    const { parts, notices } = await expand('review @src/.');
    expect(textOf(parts)).toBe(
      'review @src/**\n--- Content from referenced files ---\nContent from @src/a.ts:\na' +
        '\nContent from @src/sub/b.ts:\nb\n--- End of content ---',
    );
    expect(notices).toEqual([
      'src/pic.png was left out: image files must be named one by one.',
      'Left out of src: 1 ignored file.',
    ]);
  });

  it('reads the whole workspace for "@."', async () => {
    put({ 'a.txt': 'a' });
    expect(textOf((await expand('@.')).parts)).toContain(
      '@**\n--- Content from referenced files ---\nContent from @a.txt:\na',
    );
  });
});

describe('expandAtReferences, for what may not be read', () => {
  it('skips an ignored file with a notice', async () => {
    put({ '.geminiignore': 'secret.txt\n', 'secret.txt': 'hush' });
    expect(await expand('show @secret.txt')).toMatchObject({
      parts: [{ text: 'show @secret.txt' }],
      notices: ['@secret.txt was left out: it is ignored by .gitignore or .geminiignore.'],
    });
  });

  it.each([
    ['an absolute path outside', () => join(elsewhere.path, 'x.txt')],
    ['a relative path outside', () => `../${elsewhere.path.split('/').at(-1)}/x.txt`],
    ['a link that leads outside', () => 'link.txt'],
    ['a FIFO', () => 'fifo'],
    ['a directory outside', () => elsewhere.path],
  ])('ends with an input error for %s', async (_title, path) => {
    put({ 'x.txt': 'private' }, elsewhere.path);
    symlinkSync(join(elsewhere.path, 'x.txt'), join(workspace.path, 'link.txt'));
    execFileSync('mkfifo', [join(workspace.path, 'fifo')]);
    const failure = expand(`show @${path()}`);
    await expect(failure).rejects.toThrow(FatalInputError);
    await expect(failure).rejects.toThrow(`Cannot read @${path()}: `);
  });
});

describe('expandAtReferences, for piped data', () => {
  it('sends it unchanged; only exact names are references', async () => {
    put({ 'Component.ts': 'x', 'a.txt': 'alpha' });
    const piped = `@Comp({})\nclass A {}\n// see @a.txt, \\@a.txt, @${elsewhere.path}\n`;
    const { parts, notices } = await expand('explain @Component', { piped });
    expect(parts[0]).toEqual({ text: `${piped}\nexplain @Component.ts` });
    expect(textOf(parts.slice(1))).toContain('Content from @a.txt:\nalpha\nContent from @Component.ts:\nx');
    expect(notices).toEqual([]);
  });

  it('takes it as the prompt when nothing was typed', async () => {
    put({ 'a.txt': 'alpha' });
    expect(textOf((await expand('', { piped: 'show @a.txt\n' })).parts)).toContain(
      'Content from @a.txt:\nalpha',
    );
  });
});

describe('expandAtReferences, for the user', () => {
  it('tells what was attached and which paths do not exist', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
      'base64',
    );
    put({
      'README.md': 'one\ntwo\nthree\n',
      'one.txt': 'x',
      'src/a.ts': 'a',
      'src/b.ts': 'b',
      'pic.png': png,
    });
    const { attached, missing } = await expand('@README.md @one.txt @src @pic.png @nope.txt @param me');
    expect(attached).toEqual([
      'README.md (3 lines)',
      'one.txt (1 line)',
      'src/ (2 files)',
      'pic.png (image)',
    ]);
    expect(missing).toEqual(['nope.txt']);
  });

  it('does not search for names when that is disabled', async () => {
    put({ 'src/b.js': 'b' });
    expect((await expand('see @b.js')).attached).toEqual(['src/b.js (1 line)']);
    const { attached, missing } = await expand('see @b.js', { search: false });
    expect({ attached, missing }).toEqual({ attached: [], missing: ['b.js'] });
  });

  it('reads a path outside the workspace only with permission, and only that one', async () => {
    put({ 'note.txt': 'outside', 'other.txt': 'other' }, elsewhere.path);
    const asked: string[] = [];
    const answer = (isAllowed: boolean) => async (path: string) => {
      asked.push(path);
      return isAllowed && path.endsWith('note.txt');
    };
    const note = join(elsewhere.path, 'note.txt');
    const { parts } = await expand(`see @${note}`, { mayRead: answer(true) });
    expect(textOf(parts)).toContain('outside');
    await expect(expand(`see @${note}`, { mayRead: answer(false) })).rejects.toThrow(FatalInputError);
    const both = expand(`see @${note} @${join(elsewhere.path, 'other.txt')}`, { mayRead: answer(true) });
    await expect(both).rejects.toThrow('other.txt');
    await expect(expand(`see @${note}`)).rejects.toThrow(FatalInputError);
    expect(asked).toHaveLength(4);
  });
});
