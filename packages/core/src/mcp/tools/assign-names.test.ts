import { expect, it } from 'vitest';
import { assignNames, rivalsOf } from './assign-names.js';

const server = (part: string, ...tools: string[]) => ({ part, tools: tools.map((name) => ({ name })) });
const named = (...args: Parameters<typeof assignNames>) => Object.fromEntries(assignNames(...args));

it('tools of one server whose names look the same are numbered', () => {
  expect(named(server('s', 'a b', 'a_b', 'a?b', 'a_b_2'), [])).toEqual({
    'a b': 'mcp_s_a_b',
    a_b: 'mcp_s_a_b_3',
    'a?b': 'mcp_s_a_b_4',
    a_b_2: 'mcp_s_a_b_2',
  });
});

it('long names that differ in the middle stay apart, and no longer than allowed', () => {
  const long = (middle: string) => `get_the_list_of_all_records_${middle}_in_the_archive_with_their_dates`;
  const names = Object.values(named(server('s', long('new'), long('old')), []));
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(name.length).toBeLessThanOrEqual(63);
});

it('a server takes no name of the tool of a server with a longer name', () => {
  const short = server('a', 'b_c', 'other');
  const long = server('a_b', 'c');
  expect(named(short, [long])).toEqual({ b_c: 'mcp_a_b_c_2', other: 'mcp_a_other' });
  expect(named(long, [])).toEqual({ c: 'mcp_a_b_c' });
});

it('rivals are servers whose names continue each other, or are cut', () => {
  const [a, b, far, x, y] = ['a', 'a_b', 'ab', `${'l'.repeat(30)}x`, `${'l'.repeat(30)}y`].map((part) => ({
    part,
  }));
  const all = [a, b, far, x, y].flatMap((one) => one ?? []);
  expect(a && rivalsOf(a, all)).toEqual({ before: [b], after: [] });
  expect(b && rivalsOf(b, all)).toEqual({ before: [], after: [a] });
  expect(far && rivalsOf(far, all)).toEqual({ before: [], after: [] });
  expect(y && rivalsOf(y, all)).toEqual({ before: [x], after: [] });
});
