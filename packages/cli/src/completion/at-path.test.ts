import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AtPathHost, atSource } from './at-path.js';
import { atTokenAt, escapeAtPath } from './at-token.js';
import { createCompleter } from './completer.js';
import { type Crawl, FileIndex } from './file-index.js';
import { PathSearch } from './path-search.js';
import type { SuggestionsView } from './types.js';

function newFolder(): string {
  const { path, cleanup } = tempDir();
  onTestFinished(cleanup);
  return path;
}

const of = (...batches: string[][]): Crawl =>
  async function* () {
    yield* batches;
  };

async function gathered(index: FileIndex): Promise<FileIndex> {
  index.ensure();
  while (index.isGrowing) await index.more();
  return index;
}

function completerFor(host: Partial<AtPathHost> & Pick<AtPathHost, 'index'>) {
  return createCompleter([atSource({ cwd: () => '/', ...host })]);
}

/** Resolves with the first state that fits. */
function state(completer: ReturnType<typeof createCompleter>, fits: (view: SuggestionsView) => boolean) {
  return new Promise<SuggestionsView>((resolve) => {
    const look = () => {
      if (fits(completer.getState())) resolve(completer.getState());
    };
    completer.subscribe(look);
    look();
  });
}

const labels = ({ items }: SuggestionsView) => items.map(({ label }) => label);

describe('atTokenAt', () => {
  it.each([
    ['see @src/a', 'src/a'],
    ['@', ''],
    ['(@a', 'a'],
    ['@a\\ b', 'a b'],
    ['@"a b', 'a b'],
    ['@a @b', 'b'],
    ['@a@b', 'a@b'],
  ])('finds in %j the path %j', (text, query) => {
    expect(atTokenAt(text, text.length)?.query).toBe(query);
  });

  it.each(['me@host', '@a b', '@a, ', 'no', '', '@"a" b', '@a)'])('finds no path in %j', (text) => {
    expect(atTokenAt(text, text.length)).toBeUndefined();
  });

  it('ends the path at the end of the word', () => {
    expect(atTokenAt('x @srcfoo y', 6)).toEqual({ query: 'src', start: 3, end: 9 });
  });

  it('escapeAtPath escapes special characters', () => {
    expect(escapeAtPath('a b/c(1),[x].')).toBe('a\\ b/c\\(1\\)\\,\\[x\\]\\.');
  });
});

describe('completion of files', () => {
  const files = [
    'README.md',
    'src/app.ts',
    'src/ui/App.tsx',
    'src/ui/composer.ts',
    'my docs/a b.txt',
    'x\u001b[2J.txt',
  ];

  it('offers files and folders by letters, matching names first', async () => {
    const index = await gathered(new FileIndex(of(files), { maxFiles: 100 }));
    const completer = completerFor({ index: () => index });
    completer.update('@', 1);
    expect(labels(completer.getState())).toEqual(['src/', 'my docs/', 'README.md']);
    completer.update('@app', 4);
    expect(labels(completer.getState()).sort()).toEqual(['src/app.ts', 'src/ui/App.tsx']);
    completer.update('@sucmp', 6);
    expect(labels(completer.getState())).toEqual(['src/ui/composer.ts']);
    completer.update('look @my here', 8);
    expect(completer.accept()).toEqual({ text: 'look @my\\ docs/ here', cursor: 15, submit: false });
    completer.update('@a b', 2);
    completer.update('@"a b', 5);
    expect(completer.accept()?.text).toBe('@my\\ docs/a\\ b.txt ');
    completer.update('@zzz', 4);
    expect(completer.getState().items).toEqual([]);
  });

  it('offers files after agents and resources', async () => {
    const index = await gathered(new FileIndex(of(['reviewer.md']), { maxFiles: 100 }));
    const extras = () => [{ label: 'reviewer [Agent]', value: 'reviewer' }];
    const completer = completerFor({ index: () => index, extras });
    completer.update('@rev', 4);
    expect(labels(completer.getState())).toEqual(['reviewer [Agent]', 'reviewer.md']);
    expect(completer.accept()?.text).toBe('@reviewer ');
  });

  it('adds files to the open list while they are found', async () => {
    let release = () => {};
    const index = new FileIndex(
      async function* () {
        yield ['a1.ts'];
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        yield ['a2.ts'];
      },
      { maxFiles: 100 },
    );
    const completer = completerFor({ index: () => index });
    completer.update('@a', 2);
    const first = await state(completer, ({ items }) => items.length === 1);
    expect(first.isLoading).toBe(true);
    release();
    const second = await state(completer, ({ isLoading, items }) => !isLoading && items.length === 2);
    expect(labels(second)).toEqual(['a1.ts', 'a2.ts']);
  });

  it('stops at the limit of the settings', async () => {
    const index = await gathered(new FileIndex(of(['a', 'b'], ['c', 'd']), { maxFiles: 3 }));
    expect(index.paths.shown).toEqual(['a', 'b', 'c']);
  });

  it('gathers paths again when they are old or files have changed, and searches the old ones meanwhile', async () => {
    let time = 0;
    let crawls = 0;
    const crawl: Crawl = async function* () {
      yield [`file${++crawls}`];
    };
    const index = await gathered(new FileIndex(crawl, { maxFiles: 9, staleAfterMs: 10, now: () => time }));
    index.ensure();
    expect(crawls).toBe(1);
    time = 20;
    index.ensure();
    expect(index.isGrowing).toBe(false);
    expect(index.paths.shown).toEqual(['file1']);
    while (index.paths.shown[0] === 'file1') await new Promise((resolve) => setImmediate(resolve));
    expect(index.paths.shown).toEqual(['file2']);
    index.invalidate();
    index.ensure();
    expect(crawls).toBe(3);
  });

  it('lists the folder of an absolute path or one below the home folder', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, 'some file'), '');
    const completer = completerFor({ index: () => undefined });
    const text = `@${folder}/s`;
    completer.update(text, text.length);
    const view = await state(completer, ({ items }) => items.length > 0);
    expect(labels(view)).toEqual([`${folder}/sub/`, `${folder}/some file`]);
  });
});

describe('PathSearch in a hundred thousand paths', () => {
  const many = Array.from(
    { length: 100_000 },
    (_, i) => `packages/p${i % 100}/src/module-${i}/index-${i}.ts`,
  );

  it('does not block the thread, and ends stale searches', { timeout: 30_000 }, async () => {
    const index = await gathered(new FileIndex(of(many), { maxFiles: 200_000 }));
    const search = new PathSearch();
    const options = { limit: 50, isFuzzy: true };
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const found = await search.find('index-77777', index.paths, options);
    isOver = true;
    expect(found?.[0]).toBe('packages/p77/src/module-77777/index-77777.ts');
    expect(turns).toBeGreaterThan(10);
    const stale = new AbortController();
    const second = search.find('p77', index.paths, { ...options, signal: stale.signal });
    stale.abort();
    expect(await second).toBeUndefined();
    expect((await search.find('pindex77777', index.paths, options))?.[0]).toContain('77777');
    // One letter matches everything: the list stays short, and its best are the shortest.
    expect(await search.find('p', index.paths, options)).toHaveLength(50);
  });

  it('narrows earlier matches with the same result as a new search', async () => {
    const index = await gathered(new FileIndex(of(many.slice(0, 5000)), { maxFiles: 200_000 }));
    const options = { limit: 20, isFuzzy: true };
    const typing = new PathSearch();
    for (const query of ['m', 'mo', 'mod', 'mod4', 'mod42', 'mo', 'src/mod']) {
      const fresh = new PathSearch().findNow(query, index.paths, options);
      expect(typing.findNow(query, index.paths, options)).toEqual(fresh);
    }
  });
});
