import { describe, expect, it } from 'vitest';
import { commonTools, selectTools } from './select-tools.js';

const names = ['read_file', 'read_dir', 'write_file', 'a.b'];
const tools = names.map((name) => ({ name, description: '', inputSchema: {} }));
const select = (fields: Parameters<typeof selectTools>[1]) =>
  selectTools(tools, fields).map(({ name }) => name);

describe('Which tools of a server are offered', () => {
  it.each([
    [{}, names],
    [{ includeTools: ['read_file', 'write_file(path)'] }, ['read_file', 'write_file']],
    [{ includeTools: [] }, []],
    [{ includeTools: ['*'] }, names],
    [{ includeTools: ['read_*', 'a?b'] }, ['read_file', 'read_dir']],
    [{ includeTools: ['*_file'], excludeTools: ['write*'] }, ['read_file']],
    [{ excludeTools: ['read_*'] }, ['write_file', 'a.b']],
    [{ excludeTools: ['read'] }, names],
    [{ includeTools: ['a.*', '.+'] }, ['a.b']],
  ])('%j', (fields, offered) => {
    expect(select(fields)).toEqual(offered);
  });

  it('is never one that runs only as a task', () => {
    expect(
      selectTools([{ name: 'a', description: '', inputSchema: {}, needsTask: true }], {
        includeTools: ['*'],
      }),
    ).toEqual([]);
  });
});

it('Two lists have in common what both name, also where one of them has a pattern', () => {
  expect(commonTools(['p', 'q'], ['q', 'r'])).toEqual(['q']);
  expect(commonTools(['read_*'], ['read_file', 'write_file'])).toEqual(['read_file']);
  expect(commonTools(['read_file', 'x'], ['*'])).toEqual(['read_file', 'x']);
});
