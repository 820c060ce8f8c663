import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeHost } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ToolErrorType } from '../tool-error.js';
import type { ToolResult } from '../tools.js';
import { grepSearch } from './search.js';
import { SearchFixture } from './search-fixture.test-helper.js';

let at: SearchFixture;
beforeEach(() => {
  at = new SearchFixture();
});
afterEach(() => {
  vi.unstubAllEnvs();
  at.cleanup();
});

const list = (text: string) => text.trim().split(/ ¦ |\n/);

const ODD_LINES = [
  '',
  '   ',
  '\tindented',
  'trailing ',
  'tab\there',
  '\u00a0nbsp',
  'zero\u200dwidth',
  'e\u0301',
];
const LINES = list(String.raw`
foo ¦ Foo ¦ FOO bar ¦ foobar ¦ barfoo ¦ a.b ¦ aXb ¦ foo(bar) ¦ function foo() { ¦ x[0] = 1;
a-b ¦ a_b ¦ a/b ¦ a\b ¦ 123 ¦ x12 ¦ naïve café ¦ ÉCOLE ¦ école ¦ straße ¦ STRASSE ¦ ǅ ¦ 日本語
é1 ¦ ñ_ ¦ x² ¦ "quoted" ¦ it's ¦ a&&b ¦ a--b ¦ #tag ¦ @user ¦ 50% ¦ $x ¦ ^y ¦ a|b ¦ a*b ¦ a+b
{x} ¦ } ¦ ] ¦ [ ¦ ( ¦ ) ¦ aaa ¦ aba ¦ abab ¦ foo foo ¦ foo bar foo ¦ α β ¦ ΑΒΓ ¦ кот ¦ КОТ
😀 smile ¦ K ¦ ſ
`).concat(ODD_LINES);

const PATTERNS = list(String.raw`
foo ¦ ^foo ¦ foo$ ¦ ^foo$ ¦ \Afoo ¦ foo\z ¦ \bfoo\b ¦ \Bfoo ¦ \<foo\> ¦ \b{start}foo
foo\b{end} ¦ a.b ¦ a\.b ¦ fo+ ¦ fo{2} ¦ o{1,2}$ ¦ a{,2}b ¦ \d+ ¦ \D ¦ \w+ ¦ ^\w+$ ¦ \W ¦ \s
^\s+$ ¦ \S+\s ¦ [abc] ¦ [^abc] ¦ ^[^a-z]+$ ¦ [[:alpha:]]+ ¦ [[:digit:][:space:]] ¦ [[:^alnum:]]
[[:punct:]] ¦ [[:upper:]] ¦ [\d_] ¦ [\w-] ¦ [a\-z] ¦ [-a] ¦ [a-] ¦ []a] ¦ [^]a] ¦ [\]\[]
[a&&b] ¦ [a-z&&[^aeiou]] ¦ [\w--\d] ¦ [(){}|] ¦ [.*+?] ¦ [&!#%] ¦ [/] ¦ \p{L}+ ¦ \pL
\p{Greek} ¦ \p{greek} ¦ \P{L} ¦ [\p{Cyrillic}] ¦ \p{Lu} ¦ \p{Script=Han} ¦ \x41 ¦ \x{e9}
\u00e9 ¦ \u{1F600} ¦ \U0001F600 ¦ \t ¦ a\\b ¦ a\/b ¦ a/b ¦ \( ¦ \[0\] ¦ \$x ¦ \^y ¦ a\|b ¦ a|b
\{x\} ¦ \} ¦ } ¦ ] ¦ " ¦ \" ¦ \# ¦ \@ ¦ \% ¦ \- ¦ \_ ¦ it's ¦ (?i)FOO ¦ (?-i)FOO ¦ (?s)f.o
(?m)^foo$ ¦ (?P<n>foo) ¦ (?<n>fo+)bar ¦ (?:foo|bar)+ ¦ (foo)|(bar) ¦ foo() ¦ (a)(b)? ¦ a*?b
a+?b ¦ x??y? ¦ foo(?=bar) ¦ foo(?!bar) ¦ (?<=bar)foo ¦ (?<!bar)foo ¦ (foo) \1
(?P<w>foo) (?P=w) ¦ (a)(?!b) ¦ foo(?=\s) ¦ foo(?=[^x]) ¦ [[:nope:]] ¦ école ¦ straße ¦ кот
αβγ ¦ k ¦ s ¦ ß ¦ . ¦ ^.$ ¦ ^..$ ¦ function foo() { ¦ x[0] = ¦ {x} ¦ foo| ¦ | ¦ ^ ¦ $ ¦ ^$ ¦ \h
[\t ] ¦ [^\n]+ ¦ [α-ω] ¦ [é] ¦ (?i)[k] ¦ [^k] ¦ \ba\b ¦ \w\b\W
`);

describe('both engines', () => {
  it('find the same lines for every kind of pattern', async () => {
    at.write('lines.txt', `${LINES.join('\n')}\n`);
    const differences: string[] = [];
    for (const pattern of PATTERNS) {
      for (const case_sensitive of [false, true]) {
        const args = { pattern, case_sensitive, context: 0, total_max_matches: 1000 };
        const [ripgrep, walker] = await Promise.all([at.run(true, args), at.run(false, args)]);
        if (!ripgrep.error && ripgrep.llmContent === walker.llmContent) continue;
        differences.push(`${pattern} (${case_sensitive}): ${describeDifference(ripgrep, walker)}`);
      }
    }
    expect(differences).toEqual([]);
  }, 30_000);

  it('search plain text literally', async () => {
    at.write('lines.txt', `${LINES.join('\n')}\n`);
    for (const pattern of LINES.filter((line) => line.trim() !== '')) {
      const text = await at.both({ pattern, fixed_strings: true, context: 0 });
      expect(text, pattern).toContain(`: ${pattern}`);
    }
  });

  it.each(
    list(String.raw`foo( ¦ *foo ¦ [abc ¦ a**{ ¦ (?P<n ¦ \ ¦ a{2,1} ¦ [z-a] ¦ \p{Nope} ¦ foo) ¦ (?<=a+)b\K(`),
  )('refuse %s as invalid', async (pattern) => {
    at.write('a.txt', 'foo(\n');
    for (const useRipgrep of [true, false]) {
      const result = await at.run(useRipgrep, { pattern });
      expect(result.error?.type, String(result.llmContent)).toBe(ToolErrorType.INVALID_TOOL_PARAMS);
      expect(result.llmContent).toMatch(
        /^Invalid regular expression ".*": .+\. Escape special characters, or/s,
      );
    }
  });

  it('say that a line break cannot be searched for', async () => {
    for (const args of [
      { pattern: 'a\\nb' },
      { pattern: 'a\nb' },
      { pattern: 'a\nb', fixed_strings: true },
    ]) {
      expect(await at.both(args)).toContain('the search works line by line');
      expect((await at.run(true, args)).error?.type).toBe(ToolErrorType.INVALID_TOOL_PARAMS);
    }
    at.write('a.txt', 'a\\nb\n');
    expect(await at.both({ pattern: 'a\\nb', fixed_strings: true, context: 0 })).toContain('L1: a\\nb');
  });

  it('refuse an invalid or never-ending exclude_pattern', async () => {
    at.write('a.txt', `${'a'.repeat(60)}!\n`);
    const invalid = await at.both({ pattern: 'a', exclude_pattern: '(' });
    expect(invalid).toContain('Invalid regular expression "(": ');
    const endless = await at.run(true, { pattern: 'a', exclude_pattern: '^(a+)+$' });
    expect(endless.llmContent).toContain('matching takes too long');
  }, 20_000);

  it('stop at once when cancelled', async () => {
    for (let index = 0; index < 50; index++) at.write(`f${index}.txt`, 'hit\n'.repeat(500));
    for (const useRipgrep of [true, false]) {
      const controller = new AbortController();
      const searching = at
        .build(useRipgrep, { pattern: 'nothing' })
        .execute({ abortSignal: controller.signal });
      controller.abort();
      expect(await searching).toEqual({
        llmContent: 'The search was cancelled.',
        returnDisplay: 'The search was cancelled.',
        error: { message: 'The search was cancelled.', type: ToolErrorType.GREP_EXECUTION_ERROR },
      });
    }
  });
});

describe('a search that takes too long', () => {
  it('advises the model to narrow it', async () => {
    for (let index = 0; index < 50; index++) at.write(`d${index}/f.txt`, 'hit\n'.repeat(9000));
    // The real one may be done before it can be stopped.
    const slow = join(at.outer, 'bin');
    mkdirSync(slow);
    writeFileSync(join(slow, 'rg'), '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
    const { signal } = new AbortController();
    for (const useRipgrep of [true, false]) {
      const host = makeHost(at.root);
      const environment = host.getEnvironment();
      const variables = { ...environment.variables, PATH: `${slow}:${environment.variables.PATH}` };
      // The time is used up when the search begins.
      const getUseRipgrep = () => {
        const end = performance.now() + 5;
        while (performance.now() < end);
        return useRipgrep;
      };
      const slowHost = { ...host, getEnvironment: () => ({ ...environment, variables }), getUseRipgrep };
      const result = await grepSearch({ pattern: 'nothing' }, slowHost, { signal, timeoutMs: 1 });
      expect(result.error).toEqual({
        message:
          'The search took longer than 0.001 s. Narrow it with dir_path, include_pattern or a more specific pattern.',
        type: ToolErrorType.GREP_EXECUTION_ERROR,
      });
    }
  });
});

describe('the built-in search', () => {
  it('ends a pattern that would never finish', async () => {
    at.write('a.txt', `${'a'.repeat(60)}!\n`);
    const result = await at.run(false, { pattern: '^(a+)+$' });
    expect(result.error?.type).toBe(ToolErrorType.INVALID_TOOL_PARAMS);
    expect(result.llmContent).toContain('matching takes too long; avoid nested repetitions');
    // ripgrep needs no such care.
    expect((await at.run(true, { pattern: '^(a+)+$' })).llmContent).toContain('No matches found');
  }, 20_000);

  it('names the syntax that it does not support', async () => {
    for (const [pattern, reason] of [
      ['a(?i)b', 'cannot switch case sensitivity inside a pattern'],
      ['(?x) a', 'does not support the flag "x"'],
      ['(?>a)b', 'does not support the group (?>a'],
      ['[a~~b]', 'such combinations of character classes'],
      ['\\Gfoo', 'unrecognized escape sequence \\G'],
    ] as const) {
      const result = await at.run(false, { pattern, case_sensitive: true });
      expect(result.error?.type).toBe(ToolErrorType.INVALID_TOOL_PARAMS);
      expect(result.llmContent).toContain(reason);
    }
  });

  it('reads very long lines and large files in pieces', async () => {
    const line = `${'x'.repeat(6 * 1024 * 1024)}\n`;
    at.write('long.txt', `first\n${line}needle here\n${line}last needle`);
    expect(await at.both({ pattern: 'needle', context: 0 })).toBe(
      'Found 2 matches for pattern "needle" in path ".":\n---\nFile: long.txt\nL3: needle here\nL5: last needle\n---',
    );
    at.write('long.txt', `${'some words of text\n'.repeat(400_000)}needle`);
    expect(await at.both({ pattern: 'needle', context: 0 })).toContain(
      'File: long.txt\nL400001: needle\n---',
    );
  });

  it('takes over when the ripgrep on PATH does not work, which does not get our environment', async () => {
    at.write('a.txt', 'hit\n');
    const bin = join(at.outer, 'bin');
    mkdirSync(bin, { mode: 0o755 });
    const seen = join(at.outer, 'seen');
    const script = `#!/bin/sh\necho "$RIPGREP_CONFIG_PATH|$SECRET|$1" > ${seen}\necho 'error: unexpected argument' >&2\nexit 2\n`;
    writeFileSync(join(bin, 'rg'), script);
    chmodSync(join(bin, 'rg'), 0o755);
    vi.stubEnv('PATH', bin);
    vi.stubEnv('RIPGREP_CONFIG_PATH', '/evil');
    vi.stubEnv('SECRET', 'x');
    expect((await at.run(true, { pattern: 'hit', context: 0 })).llmContent).toContain('L1: hit');
    expect(readFileSync(seen, 'utf8')).toBe('||--no-config\n');
  });
});

function describeDifference(ripgrep: ToolResult, walker: ToolResult): string {
  const lines = (result: ToolResult) => String(result.llmContent).split('\n');
  const missing = lines(ripgrep).filter((line) => !lines(walker).includes(line));
  const extra = lines(walker).filter((line) => !lines(ripgrep).includes(line));
  return JSON.stringify({ onlyRipgrep: missing.slice(0, 6), onlyWalker: extra.slice(0, 6) });
}
