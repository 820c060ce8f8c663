import { expect, it } from 'vitest';
import { redirectionsIn } from './redirection.js';

it.each([
  ['echo a > b.txt', ['> b.txt']],
  ['echo a>>b.txt; cat <c', ['>>b.txt', '<c']],
  ['cmd &> all.log', ['> all.log']],
  ['cat <<EOF\nx\nEOF', ['<<EOF']],
  ['echo a >| "b"', ['>| "b"']],
  ['make 2>&1', []],
  ['make > /dev/null 2>&1', []],
  ["grep '>' a.txt", []],
  ['echo "a > b" \\> c', []],
  ['diff <(a) <(b)', []],
  ['ls # > not.there', []],
  ['git status && rm -r x', []],
])('in %s it finds the redirections %j', (command, found) => {
  expect(redirectionsIn(command)).toEqual(found);
});

it('long commands are searched quickly and only ten redirections are reported', () => {
  expect(redirectionsIn('x'.repeat(1_000_000))).toEqual([]);
  expect(redirectionsIn('> a '.repeat(100_000))).toHaveLength(10);
});
