import { makeBus } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../protocol/tool-declaration.js';
import { GeneratedTool } from './search-tools/generated-tools.test-helper.js';
import { ToolRegistry } from './tool-registry.js';
import { DeclarativeTool, Kind, type ToolInvocation, type ToolResult } from './tools.js';

class NamedTool extends DeclarativeTool<object, ToolResult> {
  constructor(name: string, schema: JsonSchema = { type: 'object', properties: {} }) {
    super(name, name, `does ${name}`, Kind.Read, schema, makeBus());
  }
  build(): ToolInvocation<object, ToolResult> {
    throw new Error('not called here');
  }
}

describe('ToolRegistry', () => {
  it('declares what may run, in order, with wait_for_previous except on strict schemas', () => {
    const registry = new ToolRegistry({ isAlwaysDenied: (name) => name === 'denied' });
    registry.registerTool(new NamedTool('first'));
    registry.registerTool(new NamedTool('denied'));
    registry.registerTool(
      new NamedTool('strict', { type: 'object', properties: {}, additionalProperties: false }),
    );
    registry.registerTool(new NamedTool('some-models'), (model) => model === 'm2');
    const names = (model: string) => registry.getFunctionDeclarations(model).map((item) => item.name);
    expect(names('m1')).toEqual(['first', 'strict']);
    expect(names('m2')).toEqual(['first', 'strict', 'some-models']);
    expect(registry.getCallableToolNames('m1')).toEqual(names('m1'));
    expect(registry.getCallableToolNames('m2')).toEqual(names('m2'));
    const [first, strict] = registry.getFunctionDeclarations('m1');
    expect(Object.keys(first?.parametersJsonSchema.properties ?? {})).toEqual(['wait_for_previous']);
    expect(strict?.parametersJsonSchema.properties).toEqual({});
  });

  it('declares built-in tools first, then discovered ones, then those of servers by server name', () => {
    const registry = new ToolRegistry({ isAlwaysDenied: () => false });
    for (const [name, server] of [
      ['mcp_zebra_b', 'zebra'],
      ['mcp_ant_y', 'ant'],
      ['discovered_tool_x', 'discovered'],
      ['write_file', undefined],
      ['mcp_zebra_a', 'zebra'],
      ['glob', undefined],
    ] as const) {
      registry.registerTool(new GeneratedTool(name, server));
    }
    const order = ['write_file', 'glob', 'discovered_tool_x', 'mcp_ant_y', 'mcp_zebra_b', 'mcp_zebra_a'];
    expect(registry.getFunctionDeclarations().map(({ name }) => name)).toEqual(order);
    expect(registry.getAllToolNames()).toEqual(order);
  });

  it('finds tools by their other names, replaces and removes them', () => {
    const registry = new ToolRegistry({ isAlwaysDenied: () => false });
    const tool = new NamedTool('grep_search');
    registry.registerTool(new NamedTool('grep_search'));
    registry.registerTool(tool);
    expect(registry.getTool('search_file_content')).toBe(tool);
    registry.unregisterTool('grep_search');
    expect(registry.getTool('grep_search')).toBeUndefined();
    expect(registry.getAllTools()).toEqual([]);
  });

  it('answers a call of a hidden tool as if it did not exist', () => {
    const registry = new ToolRegistry({ isAlwaysDenied: () => true, isHidden: () => true });
    registry.registerTool(new NamedTool('run_shell_command'));
    expect(registry.getCallableTool('run_shell_command')).toBeUndefined();
    expect(registry.describeMissing('run_shell_command')).toMatch(/^Tool "run_shell_command" not found/);
  });

  it('suggests near names for a missing tool', () => {
    const registry = new ToolRegistry({ isAlwaysDenied: () => false });
    for (const name of ['read_file', 'write_file', 'glob']) registry.registerTool(new NamedTool(name));
    expect(registry.describeMissing('readfile')).toContain('"read_file"');
    expect(registry.describeMissing('zzzzzzzzzzzz')).toBe(
      'Tool "zzzzzzzzzzzz" not found in registry. Use one of the declared tools.',
    );
  });
});
