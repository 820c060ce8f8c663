import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBus, makeHost, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ToolErrorType } from '../tool-error.js';
import type { ToolResult } from '../tools.js';
import { GrepTool } from './grep.js';

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

// biome-ignore lint/suspicious/noExplicitAny: tests also send wrong parameters
type Args = any;

function build(useRipgrep: boolean, args: Args, extraHost: object = {}) {
  const host = { ...makeHost(root), getUseRipgrep: () => useRipgrep, ...extraHost };
  return new GrepTool(host, makeBus()).build(args);
}

function run(useRipgrep: boolean, args: Args, signal = new AbortController().signal): Promise<ToolResult> {
  return build(useRipgrep, args).execute({ abortSignal: signal });
}

const LINES = [
  'foo',
  'Foo',
  'FOO bar',
  'foobar',
  'barfoo',
  'a.b',
  'aXb',
  'foo(bar)',
  'function foo() {',
  'x[0] = 1;',
  'a-b',
  'a_b',
  'a/b',
  'a\\b',
  '123',
  'x12',
  '',
  '   ',
  '\tindented',
  'trailing ',
  'naïve café',
  'ÉCOLE',
  'école',
  'straße',
  'STRASSE',
  'ǅ',
  '日本語',
  'é1',
  'ñ_',
  'x²',
  'tab\there',
  '"quoted"',
  "it's",
  'a&&b',
  'a--b',
  '#tag',
  '@user',
  '50%',
  '$x',
  '^y',
  'a|b',
  'a*b',
  'a+b',
  '{x}',
  '}',
  ']',
  '[',
  '(',
  ')',
  'aaa',
  'aba',
  'abab',
  'foo foo',
  'foo bar foo',
  'α β',
  'ΑΒΓ',
  'кот',
  'КОТ',
  '\u00a0nbsp',
  'zero\u200dwidth',
  'e\u0301',
  '😀 smile',
  'K',
  'ſ',
]; // prettier-ignore

const PATTERNS = [
  'foo',
  '^foo',
  'foo$',
  '^foo$',
  '\\Afoo',
  'foo\\z',
  '\\bfoo\\b',
  '\\Bfoo',
  '\\<foo\\>',
  '\\b{start}foo',
  'foo\\b{end}',
  'a.b',
  'a\\.b',
  'fo+',
  'fo{2}',
  'o{1,2}$',
  'a{,2}b',
  '\\d+',
  '\\D',
  '\\w+',
  '^\\w+$',
  '\\W',
  '\\s',
  '^\\s+$',
  '\\S+\\s',
  '[abc]',
  '[^abc]',
  '^[^a-z]+$',
  '[[:alpha:]]+',
  '[[:digit:][:space:]]',
  '[[:^alnum:]]',
  '[[:punct:]]',
  '[[:upper:]]',
  '[\\d_]',
  '[\\w-]',
  '[a\\-z]',
  '[-a]',
  '[a-]',
  '[]a]',
  '[^]a]',
  '[\\]\\[]',
  '[a&&b]',
  '[a-z&&[^aeiou]]',
  '[\\w--\\d]',
  '[(){}|]',
  '[.*+?]',
  '[&!#%]',
  '[/]',
  '\\p{L}+',
  '\\pL',
  '\\p{Greek}',
  '\\p{greek}',
  '\\P{L}',
  '[\\p{Cyrillic}]',
  '\\p{Lu}',
  '\\p{Script=Han}',
  '\\x41',
  '\\x{e9}',
  '\\u00e9',
  '\\u{1F600}',
  '\\U0001F600',
  '\\t',
  'a\\\\b',
  'a\\/b',
  'a/b',
  '\\(',
  '\\[0\\]',
  '\\$x',
  '\\^y',
  'a\\|b',
  'a|b',
  '\\{x\\}',
  '\\}',
  '}',
  ']',
  '"',
  '\\"',
  '\\#',
  '\\@',
  '\\%',
  '\\-',
  '\\_',
  "it's",
  '(?i)FOO',
  '(?-i)FOO',
  '(?s)f.o',
  '(?m)^foo$',
  '(?P<n>foo)',
  '(?<n>fo+)bar',
  '(?:foo|bar)+',
  '(foo)|(bar)',
  'foo()',
  '(a)(b)?',
  'a*?b',
  'a+?b',
  'x??y?',
  'foo(?=bar)',
  'foo(?!bar)',
  '(?<=bar)foo',
  '(?<!bar)foo',
  '(foo) \\1',
  '(?P<w>foo) (?P=w)',
  '(a)(?!b)',
  'foo(?=\\s)',
  'foo(?=[^x])',
  '[[:nope:]]',
  'école',
  'straße',
  'кот',
  'αβγ',
  'k',
  's',
  'ß',
  '.',
  '^.$',
  '^..$',
  '',
  'function foo() {',
  'x[0] =',
  '{x}',
  'foo|',
  '|',
  '^',
  '$',
  '^$',
  '\\h',
  '[\\t ]',
  '[^\\n]+',
  '[α-ω]',
  '[é]',
  '(?i)[k]',
  '[^k]',
  '\\ba\\b',
  '\\w\\b\\W',
]; // prettier-ignore

describe('both engines', () => {
  it('find the same lines for every kind of pattern', async () => {
    writeFileSync(join(root, 'lines.txt'), `${LINES.join('\n')}\n`);
    const differences: string[] = [];
    for (const pattern of PATTERNS.filter(Boolean)) {
      for (const case_sensitive of [false, true]) {
        const args = { pattern, case_sensitive, context: 0, total_max_matches: 1000 };
        const [ripgrep, walker] = await Promise.all([run(true, args), run(false, args)]);
        if (ripgrep.error || ripgrep.llmContent !== walker.llmContent) {
          differences.push(`${pattern} (${case_sensitive}): ${diff(ripgrep, walker)}`);
        }
      }
    }
    expect(differences).toEqual([]);
  });

  it('take plain text as such', async () => {
    writeFileSync(join(root, 'lines.txt'), `${LINES.join('\n')}\n`);
    for (const pattern of LINES.filter((line) => line.trim() !== '')) {
      const args = { pattern, fixed_strings: true, context: 0 };
      const [ripgrep, walker] = await Promise.all([run(true, args), run(false, args)]);
      expect(walker).toEqual(ripgrep);
      expect(ripgrep.llmContent, pattern).toContain(`: ${pattern}`);
    }
  });

  it.each([
    'foo(',
    '*foo',
    '[abc',
    'a**{',
    '(?P<n',
    '\\',
    'a{2,1}',
    '[z-a]',
    '\\p{Nope}',
    'foo)',
    '(?<=a+)b\\K(',
  ])('refuse %s as invalid', async (pattern) => {
    writeFileSync(join(root, 'a.txt'), 'foo(\n');
    for (const useRipgrep of [true, false]) {
      const result = await run(useRipgrep, { pattern });
      expect(result.error?.type, String(result.llmContent)).toBe(ToolErrorType.INVALID_TOOL_PARAMS);
      expect(result.llmContent).toMatch(
        /^Invalid regular expression "[^]*": .+\. Escape special characters, or set fixed_strings/,
      );
    }
  });

  it('say that a line break cannot be searched for', async () => {
    for (const useRipgrep of [true, false]) {
      for (const args of [
        { pattern: 'a\\nb' },
        { pattern: 'a\nb' },
        { pattern: 'a\nb', fixed_strings: true },
      ]) {
        const result = await run(useRipgrep, args);
        expect(result.error?.type).toBe(ToolErrorType.INVALID_TOOL_PARAMS);
        expect(result.llmContent).toContain('the search works line by line');
      }
    }
    writeFileSync(join(root, 'a.txt'), 'a\\nb\n');
    expect((await run(true, { pattern: 'a\\nb', fixed_strings: true })).error).toBeUndefined();
  });

  it('refuse an invalid or never-ending exclude_pattern', async () => {
    writeFileSync(join(root, 'a.txt'), `${'a'.repeat(60)}!\n`);
    for (const useRipgrep of [true, false]) {
      const invalid = await run(useRipgrep, { pattern: 'a', exclude_pattern: '(' });
      expect(invalid.error?.type).toBe(ToolErrorType.INVALID_TOOL_PARAMS);
    }
    const endless = await run(true, { pattern: 'a', exclude_pattern: '^(a+)+$' });
    expect(endless.llmContent).toContain('matching takes too long');
  }, 20_000);

  it('stop at once when cancelled', async () => {
    for (let index = 0; index < 300; index++) writeFileSync(join(root, `f${index}.txt`), 'hit\n'.repeat(500));
    for (const useRipgrep of [true, false]) {
      const controller = new AbortController();
      const searching = run(
        useRipgrep,
        { pattern: 'nothing', total_max_matches: 1_000_000 },
        controller.signal,
      );
      controller.abort();
      expect(await searching).toEqual({
        llmContent: 'The search was cancelled.',
        returnDisplay: 'The search was cancelled.',
        error: { message: 'The search was cancelled.', type: ToolErrorType.GREP_EXECUTION_ERROR },
      });
    }
  });
});

describe('the built-in search', () => {
  it('ends a pattern that would never finish', async () => {
    writeFileSync(join(root, 'a.txt'), `${'a'.repeat(60)}!\n`);
    const result = await run(false, { pattern: '^(a+)+$' });
    expect(result.error?.type).toBe(ToolErrorType.INVALID_TOOL_PARAMS);
    expect(result.llmContent).toContain('matching takes too long; avoid nested repetitions');
    // ripgrep needs no such care.
    expect((await run(true, { pattern: '^(a+)+$' })).llmContent).toContain('No matches found');
  }, 20_000);

  it('names what it cannot do', async () => {
    for (const [pattern, reason] of [
      ['a(?i)b', 'cannot switch case sensitivity inside a pattern'],
      ['(?x) a', 'does not support the flag "x"'],
      ['(?>a)b', 'does not support the group (?>a'],
      ['[a~~b]', 'such combinations of character classes'],
      ['\\Gfoo', 'unrecognized escape sequence \\G'],
    ] as const) {
      const result = await run(false, { pattern, case_sensitive: true });
      expect(result.error?.type).toBe(ToolErrorType.INVALID_TOOL_PARAMS);
      expect(result.llmContent).toContain(reason);
    }
  });

  it('reads very long lines and large files in pieces', async () => {
    const line = `${'x'.repeat(6 * 1024 * 1024)}\n`;
    writeFileSync(join(root, 'long.txt'), `first\n${line}needle here\n${line}last needle`);
    expect((await run(false, { pattern: 'needle', context: 0 })).llmContent).toBe(
      'Found 2 matches for pattern "needle" in path ".":\n---\nFile: long.txt\nL3: needle here\nL5: last needle\n---',
    );
    writeFileSync(join(root, 'long.txt'), 'some words of text\n'.repeat(400_000) + 'needle');
    const expected = 'File: long.txt\nL400001: needle\n---';
    expect((await run(false, { pattern: 'needle', context: 0 })).llmContent).toContain(expected);
    expect((await run(true, { pattern: 'needle', context: 0 })).llmContent).toContain(expected);
  });

  it('takes over when the ripgrep on PATH does not work', async () => {
    writeFileSync(join(root, 'a.txt'), 'hit\n');
    const bin = join(dir.path, 'bin');
    mkdirSync(bin, { mode: 0o755 });
    const marker = join(dir.path, 'called');
    writeFileSync(
      join(bin, 'rg'),
      `#!/bin/sh\necho "$RIPGREP_CONFIG_PATH|$SECRET" > ${marker}\necho 'error: unexpected argument' >&2\nexit 2\n`,
    );
    chmodSync(join(bin, 'rg'), 0o755);
    vi.stubEnv('PATH', bin);
    vi.stubEnv('RIPGREP_CONFIG_PATH', '/evil');
    vi.stubEnv('SECRET', 'x');
    expect((await run(true, { pattern: 'hit', context: 0 })).llmContent).toContain('L1: hit');
    expect(spawnSync('/bin/cat', [marker]).stdout.toString()).toBe('|\n');
  });
});

describe('parameters', () => {
  it('are checked before anything runs', () => {
    const problem = (args: Args) => {
      try {
        build(true, args);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : error;
      }
    };
    expect(problem({})).toBe("params must have required property 'pattern'");
    expect(problem({ pattern: '' })).toBe('params.pattern must be non-empty');
    expect(problem({ pattern: 'x', context: -1 })).toBe('params.context must be >= 0');
    expect(problem({ pattern: 'x', total_max_matches: 0 })).toBe('params.total_max_matches must be >= 1');
    expect(problem({ pattern: 'x', respect_git_ignore: 'no' })).toBe(
      'params.respect_git_ignore must be a boolean, got string',
    );
    expect(problem({ pattern: 'x', dir_path: 'gone' })).toBe(
      `Search path does not exist: ${join(root, 'gone')}`,
    );
    expect(problem({ pattern: 'x', dir_path: '../..' })).toContain('Path not in workspace');
    expect(problem({ pattern: 'x', path: '/etc/passwd' })).toContain('Path not in workspace');
    expect(problem({ pattern: 'x', dir_path: '' })).toBeUndefined();
    expect(problem(null)).toBe('params must be an object, got null');
  });

  it('describe the search and narrow an "always" answer to the pattern', () => {
    const invocation = build(true, { pattern: 'a"b.*', include_pattern: '*.ts', dir_path: '.' });
    expect(invocation.getDescription()).toBe("'a\"b.*' in *.ts within .");
    expect(invocation.toolLocations()).toEqual([{ path: root }]);
    const options = (
      invocation as unknown as { getPolicyUpdateOptions(): { argsPattern: string } }
    ).getPolicyUpdateOptions();
    const rule = new RegExp(options.argsPattern);
    expect(rule.test(JSON.stringify({ dir_path: '.', pattern: 'a"b.*' }))).toBe(true);
    expect(rule.test(JSON.stringify({ pattern: 'a"b.' }))).toBe(false);
    expect(rule.test(JSON.stringify({ dir_path: '"pattern":"a"b.*"', pattern: 'x' }))).toBe(false);
  });

  it('declare little', () => {
    const size = JSON.stringify(
      new GrepTool({ ...makeHost(root), getUseRipgrep: () => true }, makeBus()).schema,
    ).length;
    expect(size).toBeLessThan(1400);
  });
});

function diff(ripgrep: ToolResult, walker: ToolResult): string {
  const lines = (result: ToolResult) => String(result.llmContent).split('\n');
  const missing = lines(ripgrep).filter((line) => !lines(walker).includes(line));
  const extra = lines(walker).filter((line) => !lines(ripgrep).includes(line));
  return JSON.stringify({ onlyRipgrep: missing.slice(0, 6), onlyWalker: extra.slice(0, 6) });
}
