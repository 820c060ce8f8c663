import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { DEFAULT_FILTERING, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ALWAYS_SKIPPED, FileDiscoveryService } from './file-discovery.js';

let dir: { path: string; cleanup: () => void };
let root: string;
beforeEach(() => {
  dir = tempDir();
  root = join(dir.path, 'project');
  mkdirSync(root);
});
afterEach(() => {
  vi.unstubAllEnvs();
  dir.cleanup();
});

function write(path: string, text = 'x'): void {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function service(options: Partial<typeof DEFAULT_FILTERING> = {}): FileDiscoveryService {
  return new FileDiscoveryService(root, { ...DEFAULT_FILTERING, ...options });
}

async function find(include: string[], extra: object = {}): Promise<string[]> {
  const found = await service().findFiles({ roots: [root], include, exclude: ALWAYS_SKIPPED, ...extra });
  return found.files.map((file) => relative(root, file));
}

function gitInit(path = root): void {
  execFileSync('git', ['init', '-q', path]);
}

function gitIgnores(path: string): boolean {
  return spawnSync('git', ['-C', root, 'check-ignore', '-q', '--no-index', path]).status === 0;
}

describe('FileDiscoveryService with ignore rules', () => {
  it('applies .gitignore only inside a git repository', () => {
    write('.gitignore', 'secret.txt\n');
    write('secret.txt');
    expect(service().shouldIgnoreFile(join(root, 'secret.txt'))).toBe(false);
    gitInit();
    expect(service().shouldIgnoreFile(join(root, 'secret.txt'))).toBe(true);
  });

  it('agrees with git check-ignore on nested .gitignore files and info/exclude', () => {
    gitInit();
    write('.gitignore', '*.log\nbuild/\n!keep.log\n/top.txt\n');
    write('a/.gitignore', '!debug.log\nlocal/\n/only-here\n*.tmp\n');
    write('a/b/.gitignore', '!x.tmp\ndebug.log\n');
    writeFileSync(join(root, '.git/info/exclude'), 'excluded/\n*.tmp\n');
    const files = [
      'x.log',
      'keep.log',
      'a/x.log',
      'a/debug.log',
      'a/b/debug.log',
      'a/b/x.tmp',
      'a/x.tmp',
      'x.tmp',
      'build/x',
      'a/build/x',
      'a/local/f',
      'local/f',
      'a/only-here',
      'a/b/only-here',
      'only-here',
      'top.txt',
      'a/top.txt',
      'excluded/x',
      'a/excluded/x',
    ]; // prettier-ignore
    for (const file of files) write(file);
    const ours = files.filter((file) => service().shouldIgnoreFile(join(root, file)));
    expect(ours).toEqual(files.filter(gitIgnores));
    expect(ours).toContain('a/b/debug.log');
  });

  it('applies the rules of a repository above the project from its root down', () => {
    gitInit(dir.path);
    writeFileSync(join(dir.path, '.gitignore'), '*.log\n/project/out/\n');
    write('a.log');
    write('out/x');
    write('sub/out/x');
    const discovery = service();
    expect(discovery.shouldIgnoreFile(join(root, 'a.log'))).toBe(true);
    expect(discovery.shouldIgnoreDirectory(join(root, 'out'))).toBe(true);
    expect(discovery.shouldIgnoreFile(join(root, 'sub/out/x'))).toBe(false);
  });

  it('does not apply the rules of a repository that ignores the whole project', async () => {
    gitInit(dir.path);
    writeFileSync(join(dir.path, '.gitignore'), '*\n');
    write('a.txt');
    expect(service().shouldIgnoreFile(join(root, 'a.txt'))).toBe(false);
    expect(await find(['**'])).toEqual(['a.txt']);
  });

  it('does not hide files in ~/.gemini if the home directory is a repository', () => {
    gitInit(dir.path);
    writeFileSync(join(dir.path, '.gitignore'), '*\n');
    const discovery = new FileDiscoveryService(root, DEFAULT_FILTERING, join(dir.path, '.gemini'));
    expect(discovery.shouldIgnoreFile(join(dir.path, '.gemini/tmp/id/tool-outputs/x.txt'))).toBe(false);
    expect(discovery.shouldIgnoreFile(join(dir.path, 'elsewhere/x.txt'))).toBe(true);
  });

  it('does not apply the rules of an outer repository inside a nested one', () => {
    gitInit();
    write('.gitignore', '*.log\n');
    write('inner/x.log');
    gitInit(join(root, 'inner'));
    expect(service().shouldIgnoreFile(join(root, 'inner/x.log'))).toBe(false);
    write('.gitignore', '*.log\ninner/\n');
    expect(service().shouldIgnoreFile(join(root, 'inner/x.log'))).toBe(true);
  });

  it("applies the main repository's info/exclude in a worktree", () => {
    gitInit();
    write('f');
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
    git('add', 'f');
    git('commit', '-qm', 'x');
    const tree = join(dir.path, 'tree');
    git('worktree', 'add', '-q', tree);
    writeFileSync(join(root, '.git/info/exclude'), 'hidden.txt\n');
    const discovery = new FileDiscoveryService(tree, DEFAULT_FILTERING);
    expect(discovery.shouldIgnoreFile(join(tree, 'hidden.txt'))).toBe(true);
    expect(discovery.shouldIgnoreFile(join(tree, 'f'))).toBe(false);
  });

  it('prefers .geminiignore to .gitignore in both directions', () => {
    gitInit();
    write('.gitignore', 'notes.md\n!.env\n');
    write('.geminiignore', '!notes.md\n.env\n');
    write('.gemini-ignore', 'old.txt\n');
    const discovery = service();
    expect(discovery.shouldIgnoreFile(join(root, 'notes.md'))).toBe(false);
    expect(discovery.shouldIgnoreFile(join(root, '.env'))).toBe(true);
    expect(discovery.shouldIgnoreFile(join(root, 'old.txt'))).toBe(true);
    expect(discovery.shouldIgnoreFile(join(root, '.env'), { respectGeminiIgnore: false })).toBe(false);
    expect(discovery.shouldIgnoreFile(join(root, 'notes.md'), { respectGeminiIgnore: false })).toBe(true);
  });

  it('prefers custom ignore files, the first named to the second', () => {
    write('.geminiignore', 'a\nb\nc\n');
    write('one.ignore', '!a\n');
    write('two.ignore', 'a\n!b\n');
    const discovery = service({ customIgnoreFilePaths: ['one.ignore', join(root, 'two.ignore'), 'missing'] });
    expect(['a', 'b', 'c'].map((name) => discovery.shouldIgnoreFile(join(root, name)))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('reads an ignore file again when it changes', () => {
    const discovery = service();
    write('.geminiignore', 'a\n');
    expect(discovery.shouldIgnoreFile(join(root, 'a'))).toBe(true);
    write('.geminiignore', 'b\n');
    expect(discovery.shouldIgnoreFile(join(root, 'a'))).toBe(false);
    expect(discovery.shouldIgnoreFile(join(root, 'b'))).toBe(true);
    rmSync(join(root, '.geminiignore'));
    expect(discovery.shouldIgnoreFile(join(root, 'b'))).toBe(false);
  });

  it('does not block on an ignore file that is a pipe or a directory', () => {
    gitInit();
    execFileSync('mkfifo', [join(root, '.gitignore')]);
    mkdirSync(join(root, '.geminiignore'));
    expect(service().shouldIgnoreFile(join(root, 'a'))).toBe(false);
  });

  it('applies the rules when the project is reached through a link', () => {
    write('.geminiignore', 'a\n');
    const link = join(dir.path, 'link');
    symlinkSync(root, link);
    const discovery = new FileDiscoveryService(link, DEFAULT_FILTERING);
    expect(discovery.shouldIgnoreFile(join(link, 'a'))).toBe(true);
    expect(discovery.shouldIgnoreFile(join(root, 'a'))).toBe(true);
  });
});

describe('findFiles', () => {
  it('lists exactly what git lists as untracked and not ignored', async () => {
    gitInit();
    write('.gitignore', '*.log\n/out\n!keep.log\n');
    write('a/.gitignore', 'gen/\n!gen/\n*.bin\n');
    for (const file of ['x.ts', 'x.log', 'keep.log', 'out/y', 'a/gen/f.ts', 'a/z.bin', 'a/b/c.ts', '.dot/f'])
      write(file);
    const listed = execFileSync('git', ['-C', root, 'ls-files', '-o', '--exclude-standard'], {
      encoding: 'utf8',
    });
    expect((await find(['**'])).sort()).toEqual(listed.trim().split('\n').sort());
  });

  it('counts matching files that were ignored, also in ignored directories', async () => {
    gitInit();
    write('.gitignore', 'out/\nb.ts\n');
    for (const file of ['a.ts', 'b.ts', 'out/c.ts', 'out/deep/d.ts', 'out/e.js', 'node_modules/f.ts'])
      write(file);
    const found = await service().findFiles({ roots: [root], include: ['**/*.ts'], exclude: ALWAYS_SKIPPED });
    expect(found).toEqual({ files: [join(root, 'a.ts')], ignored: 3 });
  });

  it('understands globs', async () => {
    for (const file of [
      'a.ts',
      'b.tsx',
      'src/a.ts',
      'src/deep/b.ts',
      'test/a.ts',
      '.github/ci.yml',
      'README.MD',
    ])
      write(file);
    expect(await find(['*.ts'])).toEqual(['a.ts']);
    expect(await find(['*.{ts,tsx}'])).toEqual(['a.ts', 'b.tsx']);
    expect(await find(['**/*.ts'])).toEqual(['a.ts', 'src/a.ts', 'src/deep/b.ts', 'test/a.ts']);
    expect(await find(['{src,test}/*.ts'])).toEqual(['src/a.ts', 'test/a.ts']);
    expect(await find(['{src/deep,test}/*.ts'])).toEqual(['src/deep/b.ts', 'test/a.ts']);
    expect(await find(['src/**'])).toEqual(['src/a.ts', 'src/deep/b.ts']);
    expect(await find(['src/'])).toEqual(['src/a.ts', 'src/deep/b.ts']);
    expect(await find(['./src/*.ts'])).toEqual(['src/a.ts']);
    expect(await find([join(root, 'src/**/*.ts')])).toEqual(['src/a.ts', 'src/deep/b.ts']);
    expect(await find(['*/*.yml'])).toEqual(['.github/ci.yml']);
    expect(await find(['readme.md'])).toEqual(['README.MD']);
    expect(await find(['SRC/*.ts'])).toEqual(['src/a.ts']);
    expect(await find(['readme.md'], { caseSensitive: true })).toEqual([]);
    expect(await find(['**/*.ts'], { exclude: ['deep', '**/test/**', '/nowhere'] })).toEqual([
      'a.ts',
      'src/a.ts',
    ]);
    expect(await find(['**/*.ts'], { limit: 2 })).toEqual(['a.ts', 'src/a.ts']);
    expect(await find(['*.ts', '**/a.ts'])).toEqual(['a.ts', 'src/a.ts', 'test/a.ts']);
  });

  it('takes existing names with glob characters literally', async () => {
    for (const file of [
      'app/[id]/page.tsx',
      'app/i/page.tsx',
      'a b/(x)/{y}.txt',
      'new\nline.txt',
      '!not.txt',
    ])
      write(file);
    expect(await find(['app/[id]/page.tsx'])).toEqual(['app/[id]/page.tsx']);
    expect(await find(['app/[id]/*.tsx'])).toEqual(['app/[id]/page.tsx']);
    expect(await find(['app/**/page.tsx'])).toEqual(['app/[id]/page.tsx', 'app/i/page.tsx']);
    expect(await find(['a b/(x)/{y}.txt'])).toEqual(['a b/(x)/{y}.txt']);
    expect(await find(['!not.txt'])).toEqual(['!not.txt']);
    expect(await find(['new*'])).toEqual(['new\nline.txt']);
  });

  it('lists links to files, enters no linked directory, and skips pipes', async () => {
    write('real/a.txt');
    symlinkSync(join(root, 'real/a.txt'), join(root, 'link.txt'));
    symlinkSync(root, join(root, 'real/loop'));
    symlinkSync('/nonexistent', join(root, 'broken.txt'));
    execFileSync('mkfifo', [join(root, 'pipe.txt')]);
    expect(await find(['**'])).toEqual(['link.txt', 'real/a.txt']);
  });

  it('continues when a directory cannot be read or a root does not exist', async () => {
    write('open/a.txt');
    write('shut/b.txt');
    chmodSync(join(root, 'shut'), 0o000);
    const found = await service().findFiles({
      roots: [join(root, 'gone'), root],
      include: ['open/**', 'shut/*'],
    });
    chmodSync(join(root, 'shut'), 0o755);
    // Root can read everything.
    const expected = process.getuid?.() === 0 ? ['open/a.txt', 'shut/b.txt'] : ['open/a.txt'];
    expect(found.files.map((file) => relative(root, file))).toEqual(expected);
  });

  it('survives files and directories that vanish during the walk', async () => {
    for (let index = 0; index < 60; index++) write(`d${index}/f.txt`);
    const finding = service().findFiles({ roots: [root], include: ['**'] });
    rmSync(root, { recursive: true });
    const { files } = await finding;
    expect(files.length).toBeLessThanOrEqual(60);
  });

  it('yields the thread during a large walk and stops when aborted', async () => {
    const modules = dirname(dirname(createRequire(import.meta.url).resolve('picomatch/package.json')));
    const discovery = new FileDiscoveryService(modules, DEFAULT_FILTERING);
    const controller = new AbortController();
    setImmediate(() => setImmediate(() => controller.abort()));
    const finding = discovery.findFiles({
      roots: [modules],
      include: ['**/*.ts'],
      signal: controller.signal,
    });
    await expect(finding).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('reports a file once when roots overlap', async () => {
    write('sub/a.txt');
    const found = await service().findFiles({ roots: [root, join(root, 'sub')], include: ['**/a.txt'] });
    expect(found.files).toEqual([join(root, 'sub/a.txt')]);
  });

  it('sees changed rules in the next call even if the time stamp is the same', async () => {
    const discovery = service();
    write('.geminiignore', 'a.txt\n');
    utimesSync(join(root, '.geminiignore'), 1, 1);
    write('a.txt');
    write('bb.txt');
    const names = async () =>
      (await discovery.findFiles({ roots: [root], include: ['*.txt'] })).files.map((file) =>
        relative(root, file),
      );
    expect(await names()).toEqual(['bb.txt']);
    write('.geminiignore', 'b*.txt');
    utimesSync(join(root, '.geminiignore'), 1, 1);
    expect(await names()).toEqual(['a.txt']);
  });
});
