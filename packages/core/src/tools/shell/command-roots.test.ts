import { describe, expect, it } from 'vitest';
import { commandRoots } from './command-roots.js';

describe('commandRoots', () => {
  it.each([
    ['git status', ['git']],
    ['git status && rm -rf x; ls | wc -l || echo no', ['git', 'rm', 'ls', 'wc', 'echo']],
    ['npm test &\nnpm run build & wait', ['npm', 'wait']],
    [`echo "a; b && c" 'd | e' f\\;g`, ['echo']],
    ['make 2>&1 | tee log', ['make', 'tee']],
    ['make &>log; ls', ['make', 'ls']],
    ['A=1 B="x y" env', ['env']],
    ['"my tool" --x', ['my tool']],
    ['(cd a && ls)', ['cd', 'ls']],
    ['for f in *; do cat "$f"; done', ['cat']],
    ['if test -e x; then rm x; fi', ['test', 'rm']],
    ['# only a comment\nls # more; rm', ['ls']],
    ['! grep x f', ['grep']],
    ['/usr/bin/env python3', ['/usr/bin/env']],
    ['', []],
    ['"unclosed', []],
  ])('%j starts %j', (command, roots) => {
    expect(commandRoots(command)).toEqual(roots);
  });

  it('stays fast on a long command', () => {
    const started = performance.now();
    commandRoots(`${'a=b '.repeat(20_000)}${'x '.repeat(20_000)}${"'".repeat(20_001)}`);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
