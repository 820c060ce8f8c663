import { mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type MemoryLab, memoryLab } from './memory.test-helper.js';

/** What the model reads when the workspace's file has this text. */
async function read(lab: MemoryLab, text: string) {
  const path = lab.put('repo/packages/app/GEMINI.md', text);
  const { files, problems } = await lab.manager().load();
  const file = files.find((item) => item.path === path);
  return { text: file?.text, imports: file?.imports, problems, path };
}

describe('an import', () => {
  it('is replaced by the file, relative to the file that names it', async () => {
    const lab = memoryLab();
    const style = lab.put('repo/docs/style.md', 'Tabs. See @more/names.md\n');
    const names = lab.put('repo/docs/more/names.md', 'Long names.');
    const { text, imports, problems } = await read(lab, 'Rules:\n@../../docs/style.md\nEnd.');
    expect(text).toBe(
      [
        'Rules:',
        '<!-- Imported from: ../../docs/style.md -->',
        'Tabs. See <!-- Imported from: more/names.md -->',
        'Long names.',
        '<!-- End of import from: more/names.md -->',
        '<!-- End of import from: ../../docs/style.md -->',
        'End.',
      ].join('\n'),
    );
    expect(imports).toEqual([style, names]);
    expect(problems).toEqual([]);
  });

  it('may be in a sentence and be absolute', async () => {
    const lab = memoryLab();
    const path = lab.put('repo/a.md', 'A');
    const { text } = await read(lab, `See @../../a.md, or (no: x@../../a.md) @${path}!`);
    expect(text).toBe(
      'See <!-- Imported from: ../../a.md -->\nA\n<!-- End of import from: ../../a.md -->, ' +
        `or (no: x@../../a.md) <!-- File already processed: ${path} -->!`,
    );
  });

  it.each([
    ['a decorator or a person', 'Use @param, @Component and ask @anna.'],
    ['a package', 'npm i @types/node @angular/core@18.2'],
    ['an address of mail', 'me@x.md and @example.com'],
    ['a folder', 'in @src'],
    ['a number', '@1.md @-x.md @@x.md'],
    ['a span', '`@./x.md` and ``a ` @./x.md``'],
    ['a span over two lines', 'see `a\n@./x.md b` there'],
    ['a fence', '```ts\n@./x.md\n```\n'],
    ['a fence of tildes with backticks in it', '~~~\n```\n@./x.md\n~~~'],
    ['a longer fence', '````\n```\n@./x.md\n````'],
    ['a fence in a list', '- a\n  ```\n  @./x.md\n  ```'],
    ['a fence that never ends', '```\n@./x.md'],
    ['an escaped one', '\\@./x.md'],
  ])('is not recognised in %s', async (_what, text) => {
    const lab = memoryLab();
    lab.put('repo/packages/app/x.md', 'X');
    mkdirSync(join(lab.workspace, 'src'));
    const result = await read(lab, text);
    expect(result.text).toBe(text.trim());
    expect(result.problems).toEqual([]);
  });

  it.each([
    ['after a fence', '```\n@./y.md\n```\n@./x.md'],
    ['after a backtick that opens nothing', 'a ` b\n\n@./x.md `'],
    ['between spans', '`a` @./x.md `b`'],
  ])('is recognised %s', async (_what, text) => {
    const lab = memoryLab();
    lab.put('repo/packages/app/x.md', 'X');
    expect((await read(lab, text)).text).toContain('<!-- Imported from: ./x.md -->');
  });
});

describe('a failed import is kept in the text and reported with its line', () => {
  async function failure(lab: MemoryLab, path: string): Promise<string> {
    const { text, problems, path: file } = await read(lab, `before\n@${path}\nafter`);
    const [, reason] = /^before\n<!-- Import failed: [^\n]* - ([^\n]*) -->\nafter$/.exec(text ?? '') ?? [];
    expect(problems).toEqual([{ path: file, line: 2, message: `@${path}: ${reason}.` }]);
    return reason ?? '';
  }

  it('when the file is missing', async () => {
    expect(await failure(memoryLab(), './gone.md')).toContain('File not found');
  });

  it('when it is an address', async () => {
    expect(await failure(memoryLab(), 'https://example.com/x.md')).toBe(
      'only files are imported, no addresses',
    );
  });

  it('when it is a folder', async () => {
    const lab = memoryLab();
    lab.put('repo/packages/app/docs.md/x');
    expect(await failure(lab, './docs.md')).toContain('is a directory');
  });

  it('when it leads out of the repository, also through a link', async () => {
    const lab = memoryLab();
    const outside = lab.put('secret.md', 'secret');
    expect(await failure(lab, '../../../secret.md')).toContain(`leads to ${outside}, outside of`);
    expect(await failure(lab, outside)).toContain('outside of');
    symlinkSync(outside, join(lab.workspace, 'link.md'));
    expect(await failure(lab, './link.md')).toContain(`leads to ${outside}, outside of`);
    symlinkSync(lab.root, join(lab.workspace, 'up'));
    expect(await failure(lab, './up/secret.md')).toContain(`leads to ${outside}, outside of`);
  });

  it('when it is huge or binary', async () => {
    const lab = memoryLab();
    truncateSync(lab.put('repo/packages/app/huge.md', 'x'), 100 * 1024 * 1024);
    expect(await failure(lab, './huge.md')).toContain('larger than 256 KB');
    lab.put('repo/packages/app/image.md', Buffer.from([137, 80, 78, 71, 0, 0, 0, 1]));
    expect(await failure(lab, './image.md')).toContain('is not text');
  });

  it('when it is not prose beside the user’s own file', async () => {
    const lab = memoryLab();
    lab.put('home/.gemini/oauth_creds.json', '{"token":"secret"}');
    lab.put('home/.gemini/style.md', 'Tabs.');
    lab.put('home/.gemini/GEMINI.md', '@./oauth_creds.json\n@style.md\n@../x.md');
    lab.put('home/x.md', 'other words');
    const { userText, problems } = await lab.manager().load();
    expect(userText).not.toMatch(/secret|other words/);
    expect(userText).toContain('Tabs.');
    expect(problems.map(({ line }) => line)).toEqual([1, 3]);
  });
});

describe('importing', () => {
  it('stops at a cycle of imports', async () => {
    const lab = memoryLab();
    lab.put('repo/packages/app/a.md', 'A @./b.md');
    lab.put('repo/packages/app/b.md', 'B @./a.md @./GEMINI.md');
    const { text, problems } = await read(lab, '@./a.md');
    expect(text).toContain(
      'B <!-- File already processed: ./a.md --> <!-- File already processed: ./GEMINI.md -->',
    );
    expect(problems).toEqual([]);
  });

  it('stops after five levels', async () => {
    const lab = memoryLab();
    for (let level = 1; level <= 7; level++)
      lab.put(`repo/packages/app/l${level}.md`, `level ${level}\n@./l${level + 1}.md`);
    const { text, problems } = await read(lab, '@./l1.md');
    expect(text).toContain('level 5');
    expect(text).not.toContain('level 6');
    expect(problems).toEqual([
      {
        path: join(lab.workspace, 'l5.md'),
        line: 2,
        message: '@./l6.md: imports are nested more than 5 deep.',
      },
    ]);
  });

  it('stops at a total number and size', async () => {
    const lab = memoryLab();
    const many = Array.from({ length: 102 }, (_, index) => `f${index}.md`);
    for (const name of many) lab.put(`repo/packages/app/${name}`, name);
    const number = await read(lab, many.map((name) => `@./${name}`).join('\n'));
    expect(number.imports).toHaveLength(100);
    expect(number.problems).toHaveLength(2);
    for (const name of many.slice(0, 6)) lab.put(`repo/packages/app/${name}`, 'x'.repeat(200 * 1024));
    const size = await read(
      lab,
      many
        .slice(0, 6)
        .map((name) => `@./${name}`)
        .join('\n'),
    );
    expect(size.imports).toHaveLength(5);
    expect(size.problems[0]?.message).toContain('together');
  });

  it('stays fast on a text made to be slow', { timeout: 30_000 }, async () => {
    const lab = memoryLab();
    const texts = [
      '@'.repeat(100_000),
      '@a '.repeat(60_000),
      `@a${'.'.repeat(200_000)}x`,
      '` `` '.repeat(40_000),
    ];
    for (const text of texts) expect((await read(lab, text)).text).toBe(text.trim());
  });
});

it('lists every file once in the flat format', async () => {
  const lab = memoryLab();
  const a = lab.put('repo/packages/app/a.md', 'A @./b.md');
  const b = lab.put('repo/packages/app/b.md', 'B @./a.md');
  lab.settings = { importFormat: 'flat' };
  const { text, path } = await read(lab, 'top @./a.md @./b.md @./c.md');
  expect(text).toBe(
    [
      `--- File: ${path} ---\ntop @./a.md @./b.md <!-- Import failed: ./c.md - File not found: ${join(lab.workspace, 'c.md')} -->\n--- End of File: ${path} ---`,
      `--- File: ${a} ---\nA @./b.md\n--- End of File: ${a} ---`,
      `--- File: ${b} ---\nB @./a.md\n--- End of File: ${b} ---`,
    ].join('\n\n'),
  );
});
