import { describe, expect, it } from 'vitest';
import { collapsePaths, isBroad, neededAfterFailure } from './expansion.js';
import { neededUpFront } from './proactive-needs.js';

const home = '/home/me';
const existing = [
  '/',
  '/opt',
  '/opt/app',
  '/opt/app/file',
  '/home/me/.cache',
  '/home/me/.cache/a',
  '/etc',
  '/w',
  '/w/.gemini',
];
const context = { home, cwd: '/w', exists: (path: string) => existing.includes(path) };
const after = (output: string, exitCode: number | null = 1) =>
  neededAfterFailure({ output, exitCode }, context);

describe('neededAfterFailure', () => {
  it.each([
    ["touch: cannot touch '/opt/app/new': Read-only file system", '/opt/app'],
    ['bash: line 1: /opt/app/file: Read-only file system', '/opt/app/file'],
    ["Error: EROFS: read-only file system, open '/home/me/.cache/a'", '/home/me/.cache/a'],
    ['mkdir: cannot create directory ‘/home/me/.cache/b/c’: Operation not permitted', '/home/me/.cache'],
    ["touch: cannot touch '.gemini/x': Read-only file system", '/w/.gemini'],
    ['bash: line 2: .gemini/settings.json: Read-only file system', '/w/.gemini'],
    ['PermissionError: [Errno 13] Permission denied: "/opt/app/file"', '/opt/app/file'],
  ])('reads from "%s" that %s is needed', (output, path) => {
    expect(after(`some line\n${output}\n`)).toEqual({ fileSystem: { write: [path] } });
  });

  it.each([
    'curl: (6) Could not resolve host: example.com',
    'bash: connect: Network is unreachable',
    'npm error code EAI_AGAIN',
    'getaddrinfo ENOTFOUND registry.npmjs.org',
    'ssh: connect to host x port 22: No route to host',
    'fatal: unable to access: Temporary failure in name resolution',
    'The sandbox does not allow connections to example.com.',
  ])('reads from "%s" that the network is needed', (output) => {
    expect(after(output)).toEqual({ network: true });
  });

  it('returns undefined when nothing was denied, nothing failed, or too much would have to be granted', () => {
    expect(after('error TS2304: cannot find name /opt/app/file')).toBeUndefined();
    expect(after("touch: '/opt/app/file': Read-only file system", 0)).toBeUndefined();
    expect(after("touch: cannot touch '/etc/new': Read-only file system")).toBeUndefined();
    expect(after("touch: cannot touch '/new': Permission denied")).toBeUndefined();
    expect(after('')).toBeUndefined();
  });

  it('is fast for a huge output', () => {
    expect(after(`${"x'/".repeat(100_000)} permission denied`)).toBeUndefined();
  });
});

describe('collapsePaths', () => {
  it('replaces three siblings by their directory, also step by step', () => {
    const three = (parent: string) => ['a', 'b', 'c'].map((name) => `${parent}/${name}`);
    expect(collapsePaths(three('/opt/x'), home)).toEqual(['/opt/x']);
    expect(collapsePaths(['/opt/x/a', '/opt/x/b'], home)).toEqual(['/opt/x/a', '/opt/x/b']);
    expect(
      collapsePaths(
        ['x', 'y', 'z'].flatMap((name) => three(`/opt/p/${name}`)),
        home,
      ),
    ).toEqual(['/opt/p']);
    expect(collapsePaths(['/opt/x', '/opt/x/a', '/opt/x'], home)).toEqual(['/opt/x']);
  });

  it('never returns a broad directory', () => {
    expect(collapsePaths(['/etc/a', '/etc/b', '/etc/c'], home)).toEqual(['/etc/a', '/etc/b', '/etc/c']);
    expect(collapsePaths(['/home/me/a', '/home/me/b', '/home/me/c'], home)).toHaveLength(3);
    expect(collapsePaths(['/', '/home', '/usr', '/home/me', '/var'], home)).toEqual([]);
    expect(isBroad('/home/me/x', home)).toBe(false);
  });
});

describe('neededUpFront', () => {
  it.each([
    ['npm', ['install'], true],
    ['npm', ['--silent', 'ci'], true],
    ['npm', ['test'], false],
    ['npx', ['add', 'x'], true],
    ['yarn', [], true],
    ['pnpm', ['up'], true],
    ['bun', ['run', 'x'], false],
    ['/usr/bin/curl', ['https://x'], true],
    ['git', ['push'], true],
    ['git', ['-C', '/x', 'fetch'], true],
    ['git', ['status'], false],
    ['scp', ['a', 'b:'], true],
    ['ls', [], false],
  ])('knows whether %s %j needs the network: %s', (program, args, expected) => {
    expect(neededUpFront(program, args, home)?.network ?? false).toBe(expected);
  });

  it('names the caches and configuration of the program', () => {
    expect(neededUpFront('npm', ['i'], home)).toEqual({
      network: true,
      fileSystem: { read: ['/home/me/.npmrc'], write: ['/home/me/.npm'] },
    });
  });
});
