import { describe, expect, it } from 'vitest';
import { mergeSettings } from './merge.js';

describe('mergeSettings', () => {
  it('replaces lists, unless they are concatenated', () => {
    expect(
      mergeSettings([
        { tools: { core: ['a'], exclude: ['a', 'b'] }, context: { includeDirectories: ['x'] } },
        { tools: { core: ['b'], exclude: ['b', 'c'] }, context: { includeDirectories: ['x', 'y'] } },
        {},
      ]),
    ).toEqual({
      tools: { core: ['b'], exclude: ['a', 'b', 'c'] },
      context: { includeDirectories: ['x', 'x', 'y'] },
    });
  });

  it('keeps the hooks of every layer, lowest layer first', () => {
    const group = (command: string) => ({ hooks: [{ type: 'command' as const, command }] });
    expect(
      mergeSettings([
        { hooks: { BeforeTool: [group('defaults')] } },
        { hooks: { BeforeTool: [group('user')], AfterTool: [group('after')] } },
        { hooks: { BeforeTool: [group('system')] } },
      ]),
    ).toEqual({
      hooks: { BeforeTool: [group('defaults'), group('user'), group('system')], AfterTool: [group('after')] },
    });
  });

  it('merges union lists without repetition', () => {
    const layers = [
      { policyPaths: ['a'], skills: { disabled: ['s'] }, hooksConfig: { disabled: ['h'] } },
      { policyPaths: ['a', 'b'], skills: { disabled: ['s', 't'] }, hooksConfig: { disabled: ['i'] } },
    ];
    expect(mergeSettings(layers)).toEqual({
      policyPaths: ['a', 'b'],
      skills: { disabled: ['s', 't'] },
      hooksConfig: { disabled: ['h', 'i'] },
    });
  });

  it('starts a union list from its default', () => {
    expect(mergeSettings([{ advanced: { excludedEnvVars: ['X', 'DEBUG'] } }])).toEqual({
      advanced: { excludedEnvVars: ['DEBUG', 'DEBUG_MODE', 'X'] },
    });
    expect(mergeSettings([{}])).toEqual({});
  });

  it('takes a server whole from the highest layer that has it', () => {
    expect(
      mergeSettings([
        { mcpServers: { a: { command: 'low', trust: true }, b: { command: 'b' } } },
        { mcpServers: { a: { url: 'https://x' } } },
      ]),
    ).toEqual({ mcpServers: { a: { url: 'https://x' }, b: { command: 'b' } } });
  });

  it('intersects allowed servers and unites excluded ones', () => {
    expect(
      mergeSettings([
        { mcp: { allowed: [' GitHub', 'files', 'x'], excluded: ['a'] } },
        { mcp: { allowed: ['github ', 'Files', 'y'] } },
        { mcp: { allowed: ['FILES'], excluded: ['b', 'a'] } },
      ]),
    ).toEqual({ mcp: { allowed: ['FILES'], excluded: ['a', 'b'] } });
    expect(mergeSettings([{ mcp: { allowed: ['a'] } }, { mcp: { allowed: ['b'] } }])).toEqual({
      mcp: { allowed: [] },
    });
  });

  it('merges objects deeply; a scalar and an object replace each other', () => {
    expect(
      mergeSettings([
        {
          tools: { sandbox: { command: 'docker', image: 'x' } },
          model: { prices: { m: { in: 1, out: 2 } } },
        },
        { tools: { sandbox: { image: 'y' } }, model: { prices: { m: { in: 3 } } } },
      ]),
    ).toEqual({
      tools: { sandbox: { command: 'docker', image: 'y' } },
      model: { prices: { m: { in: 3, out: 2 } } },
    });
    expect(mergeSettings([{ tools: { sandbox: { command: 'x' } } }, { tools: { sandbox: false } }])).toEqual({
      tools: { sandbox: false },
    });
  });

  it('does not change the layers', () => {
    const low = { mcpServers: { a: { command: 'x' } }, tools: { exclude: ['a'] } };
    const before = structuredClone(low);
    const merged = mergeSettings([low, { mcpServers: { b: { command: 'y' } }, tools: { exclude: ['b'] } }]);
    expect(merged).not.toEqual(low);
    expect(low).toEqual(before);
  });
});
