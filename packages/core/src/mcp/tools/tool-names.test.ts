import { describe, expect, it } from 'vitest';
import { findBySpelling } from '../../tools/mcp-spellings.js';
import { modelToolName, serverPart, uniqueParts } from './tool-names.js';

describe('The name of a tool for the model', () => {
  it.each([
    ['files', 'read', 'mcp_files_read'],
    ['@github', 'list issues', 'mcp_github_list_issues'],
    ['my_server', 'a.b:c-d', 'mcp_my_server_a.b:c-d'],
    ['s\x1b[31m', 'é\u202e', 'mcp_s__31m___'],
    ['s', '', 'mcp_s__'],
  ])('of server %j and tool %j is %s', (server, tool, name) => {
    expect(modelToolName(serverPart(server), tool)).toBe(name);
  });

  it('keeps both ends of a long one', () => {
    const name = modelToolName('server', `${'a'.repeat(40)}${'z'.repeat(30)}`);
    expect(name).toBe(`mcp_server_${'a'.repeat(19)}...${'z'.repeat(30)}`);
    expect(name).toHaveLength(63);
  });

  it('numbers servers that would look the same', () => {
    expect([...uniqueParts(['a b', 'a_b', 'a.b', 'a?b', '@a_b'])]).toEqual([
      ['a b', 'a_b'],
      ['a_b', 'a_b_2'],
      ['a.b', 'a.b'],
      ['a?b', 'a_b_3'],
      ['@a_b', 'a_b_4'],
    ]);
  });
});

describe('Other spellings', () => {
  const tool = (server: string, name: string) => ({
    serverName: server,
    mcpContext: { server_name: server, tool_name: name },
  });
  const issues = tool('@git hub', 'list');
  const wide = tool('a', 'b__c');
  const narrow = tool('a__b', 'c');
  const tools = [issues, wide, narrow, tool('x', 'same'), tool('y', 'same')];

  it.each([
    ['mcp__git_hub__list', issues],
    ['git_hub__list', issues],
    ['@git hub__list', issues],
    ['mcp__list', issues],
    // The longest server name wins.
    ['a__b__c', narrow],
    ['mcp__same', undefined],
    ['x__list', undefined],
    ['list', undefined],
    ['read_file', undefined],
  ])('%s', (name, found) => {
    expect(findBySpelling(name, tools)).toBe(found);
  });
});
