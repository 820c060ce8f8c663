import { makeBus } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import { ToolRegistry } from '../tool-registry.js';
import type { DeferralOptions } from './deferral.js';
import { GeneratedTool, serverTools } from './generated-tools.test-helper.js';
import { type SearchToolsParams, SearchToolsTool } from './search-tools.js';

const estimateTokens = (text: string) => Math.ceil(Buffer.byteLength(text) / 4);
const OPTIONS: DeferralOptions = { contextWindow: 1_000_000, deferAbove: 0.1, estimateTokens };

function setUp(tools: GeneratedTool[] = serverTools(150), denied: string[] = []) {
  const registry = new ToolRegistry({ isAlwaysDenied: (name) => denied.includes(name) });
  registry.registerTool(new GeneratedTool('read_file'));
  const search = new SearchToolsTool(registry, makeBus());
  registry.registerTool(search);
  registry.registerTool(new GeneratedTool('glob'));
  for (const tool of tools) registry.registerTool(tool);
  const declared = (options = OPTIONS) =>
    registry.getFunctionDeclarations('gemini-3.8-flash', options).map(({ name }) => name);
  const run = async (params: SearchToolsParams) =>
    search.build(params).execute({ abortSignal: new AbortController().signal });
  return { registry, search, declared, run };
}

describe('tools on demand', () => {
  it('declares everything, and no search, while all declarations fit', () => {
    const { declared } = setUp(serverTools(3, ['a']));
    expect(declared()).toEqual([
      'read_file',
      'glob',
      'mcp_a_operation_number_0',
      'mcp_a_operation_number_1',
      'mcp_a_operation_number_2',
    ]);
  });

  it('lists 150 tools by name within 6,000 tokens', () => {
    const { registry, declared } = setUp();
    expect(declared()).toEqual(['read_file', 'glob', 'search_tools']);
    expect(registry.getCallableToolNames()).toHaveLength(152);
    const declarations = registry.getFunctionDeclarations('gemini-3.8-flash', OPTIONS);
    expect(declarations[2]?.description).toContain('- github (mcp_github_operation_number_…): 0, 3, 6');
    const all = registry.getFunctionDeclarations('gemini-3.8-flash');
    expect(all).toHaveLength(152);
    expect(estimateTokens(JSON.stringify(all))).toBeGreaterThan(6000);
    // Leaves room for the built-in tools, which cost about 3,000.
    expect(estimateTokens(JSON.stringify(declarations))).toBeLessThan(2000);
  });

  it('defers by share of a small window; 1 means never', () => {
    const { declared } = setUp(serverTools(10));
    expect(declared()).toHaveLength(12);
    expect(declared({ ...OPTIONS, contextWindow: 8000 })).toEqual(['read_file', 'glob', 'search_tools']);
    expect(declared({ ...OPTIONS, contextWindow: 8000, deferAbove: 1 })).toHaveLength(12);
    expect(declared({ ...OPTIONS, contextWindow: 0 })).toHaveLength(12);
  });

  it('declares what was found from then on, after everything else, in the order of finding', async () => {
    const { registry, declared, run } = setUp();
    const before = JSON.stringify(registry.getFunctionDeclarations('gemini-3.8-flash', OPTIONS));
    const result = await run({ query: 'mcp_jira_operation_number_100', limit: 1 });
    expect(result.returnDisplay).toBe('Found mcp_jira_operation_number_100');
    const line = String(result.llmContent).split('\n')[1] ?? '';
    expect(JSON.parse(line)).toMatchObject({
      name: 'mcp_jira_operation_number_100',
      parametersJsonSchema: { required: ['project'] },
    });
    await run({ query: 'mcp_github_operation_number_0', limit: 1 });
    expect(declared()).toEqual([
      'read_file',
      'glob',
      'search_tools',
      'mcp_jira_operation_number_100',
      'mcp_github_operation_number_0',
    ]);
    const after = JSON.stringify(registry.getFunctionDeclarations('gemini-3.8-flash', OPTIONS));
    expect(after.startsWith(before.slice(0, -1))).toBe(true);
  });

  it('finds five unless told otherwise, twenty at most', async () => {
    const { declared, run } = setUp();
    declared();
    const found = async (limit?: number) =>
      String((await run({ query: 'jira records', limit })).llmContent).split('\n').length - 1;
    expect(await found()).toBe(5);
    expect(await found(2)).toBe(2);
    expect(await found(1000)).toBe(20);
  });

  it('says what to do when nothing fits or nothing is deferred', async () => {
    const { declared, run } = setUp();
    expect((await run({ query: 'x' })).llmContent).toContain('already declared');
    declared();
    expect((await run({ query: 'weather' })).llmContent).toBe(
      'No tool fits "weather". Try other words, or a name from the list.',
    );
  });

  it('still finds a tool by name that was never fetched', () => {
    const { registry, declared } = setUp();
    declared();
    expect(registry.getTool('mcp_github_operation_number_3')).toBeDefined();
  });

  it('neither lists nor finds what may not run, and defers nothing without the search', async () => {
    const { registry, declared, run } = setUp(serverTools(150), ['mcp_jira_operation_number_100']);
    declared();
    const [, , search] = registry.getFunctionDeclarations('gemini-3.8-flash', OPTIONS);
    expect(search?.description).not.toMatch(/\b100\b/);
    expect(String((await run({ query: 'jira 100', limit: 20 })).llmContent)).not.toContain('number_100');
    expect(setUp(serverTools(150), ['search_tools']).declared()).toHaveLength(152);
  });

  it('keeps fetched tools when a server reconnects', async () => {
    const tools = serverTools(150);
    const { registry, declared, run } = setUp(tools);
    declared();
    await run({ query: 'mcp_jira_operation_number_100', limit: 1 });
    for (const { name } of tools) registry.unregisterTool(name);
    expect(declared()).toEqual(['read_file', 'glob']);
    for (const tool of tools) registry.registerTool(tool);
    expect(declared()).toEqual(['read_file', 'glob', 'search_tools', 'mcp_jira_operation_number_100']);
  });

  it('measures a tool once', () => {
    let measured = 0;
    const { declared } = setUp();
    const counting = {
      ...OPTIONS,
      estimateTokens: (text: string) => {
        measured++;
        return estimateTokens(text);
      },
    };
    declared(counting);
    declared(counting);
    expect(measured).toBe(152);
  });

  it('refuses a blank query', () => {
    expect(() => setUp().search.build({ query: ' ' })).toThrow('params.query must be non-empty');
  });
});
