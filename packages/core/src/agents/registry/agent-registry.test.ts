import { describe, expect, it } from 'vitest';
import type { AgentDefinition, AgentSource, LocalAgentDefinition } from '../types.js';
import { AgentRegistry } from './agent-registry.js';
import { type AgentRules, NO_RULES } from './agent-rules.js';

function local(
  name: string,
  source?: AgentSource,
  more: Partial<LocalAgentDefinition> = {},
): AgentDefinition {
  return {
    kind: 'local',
    name,
    description: `Does ${name}.`,
    inputConfig: {},
    promptConfig: { systemPrompt: 'Work.' },
    modelConfig: { model: 'inherit', settings: { temperature: 1, topP: 0.95 } },
    runConfig: { maxTimeMinutes: 10, maxTurns: 30 },
    ...(source && { source }),
    ...more,
  };
}

function makeRegistry(rules: Partial<AgentRules> = {}) {
  const warnings: string[] = [];
  const registry = new AgentRegistry({
    rules: () => ({ ...NO_RULES, ...rules }),
    warn: (message) => warnings.push(message),
  });
  return { registry, warnings };
}

describe('agent registry', () => {
  it('treats - and _ as equal, but prefers the exact name', () => {
    const { registry } = makeRegistry();
    registry.registerAgent(local('code-review'));
    expect(registry.getAgent('code_review')?.name).toBe('code-review');
    registry.registerAgent(local('code_review'));
    expect(registry.getAgent('code_review')?.name).toBe('code_review');
    expect(registry.getAgent('code-review')?.name).toBe('code-review');
    expect(registry.getAgent('constructor')).toBeUndefined();
    expect(registry.getAgent('__proto__')).toBeUndefined();
  });

  it('lets a later definition replace an earlier one, with one warning that names both files', () => {
    const { registry, warnings } = makeRegistry();
    registry.registerAgent(local('a', { kind: 'user', file: '/home/me/a.md' }));
    registry.registerAgent(local('a', { kind: 'project', file: '/p/a.md' }, { description: 'Mine.' }));
    expect(registry.getAllAgents().map((agent) => agent.description)).toEqual(['Mine.']);
    expect(warnings).toEqual(['Agent "a" of /p/a.md replaces that of /home/me/a.md.']);
  });

  it('keeps a built-in agent that an extension names, and restores one when its replacement is gone', () => {
    const { registry, warnings } = makeRegistry();
    registry.registerAgent(local('generalist', { kind: 'builtin' }));
    const extension = local('generalist', { kind: 'extension', file: '/e/g.md', extensionName: 'e' });
    registry.registerAgent(extension);
    expect(registry.getAgent('generalist')?.source?.kind).toBe('builtin');
    expect(warnings[0]).toContain('/e/g.md cannot replace the built-in agent "generalist"');

    registry.replaceLoaded([local('generalist', { kind: 'project', file: '/p/g.md' }), local('b')]);
    expect(registry.getAgent('generalist')?.source?.kind).toBe('project');
    registry.replaceLoaded([]);
    expect(registry.getAgent('generalist')?.source?.kind).toBe('builtin');
  });

  it('keeps what a program registered over a reload of the files', () => {
    const { registry } = makeRegistry();
    registry.registerAgent(local('mine', { kind: 'program' }));
    registry.replaceLoaded([local('a', { kind: 'user', file: '/a.md' })]);
    registry.replaceLoaded([local('b', { kind: 'user', file: '/b.md' })]);
    expect(registry.getAllAgents().map((agent) => agent.name)).toEqual(['b', 'mine']);
  });

  it('has no agents while experimental.enableAgents is false', () => {
    const { registry } = makeRegistry({ enableAgents: false });
    registry.registerAgent(local('a'));
    expect(registry.getAgent('a')).toBeUndefined();
    expect(registry.getAllAgents()).toEqual([]);
    expect(registry.getAgentStates()).toEqual([]);
  });

  it.each([
    ['an agent in neither list is enabled', {}, {}, true],
    ['an experimental one is disabled', {}, { experimental: true }, false],
    ['the enabled list enables experimental ones', { enabled: ['a_b'] }, { experimental: true }, true],
    ['the disabled list wins over the enabled one', { enabled: ['a-b'], disabled: ['a_b'] }, {}, false],
    ['an override disables', { overrides: { a_b: { enabled: false } } }, {}, false],
    ['an override enables', { overrides: { 'a-b': { enabled: true } } }, { experimental: true }, true],
    [
      'an agent of an untrusted project is disabled',
      { ignoresProject: true },
      { source: { kind: 'project' as const } },
      false,
    ],
    ['values of the wrong type are ignored', { overrides: { 'a-b': { enabled: 'no' } } }, {}, true],
  ])('%s', (_, rules, more, enabled) => {
    const { registry } = makeRegistry(rules);
    registry.registerAgent(local('a-b', undefined, more));
    expect(registry.getAgent('a-b') !== undefined).toBe(enabled);
    expect(registry.getAgentStates()).toMatchObject([{ isEnabled: enabled }]);
  });

  it('applies the changes of the settings to a definition', () => {
    const { registry } = makeRegistry({
      overrides: {
        a: {
          modelConfig: { model: 'gemini-2.5-pro', generateContentConfig: { topK: 5, temperature: 0.2 } },
          runConfig: { maxTurns: 3, maxTimeMinutes: 'long' },
          tools: ['Read'],
          mcpServers: { extra: { command: 'x' } },
          isolation: 'worktree',
        },
      },
    });
    registry.registerAgent(local('a', undefined, { mcpServers: { own: { command: 'y' } } }));
    expect(registry.getAgent('a')).toMatchObject({
      modelConfig: { model: 'gemini-2.5-pro', settings: { temperature: 0.2, topP: 0.95, topK: 5 } },
      runConfig: { maxTurns: 3, maxTimeMinutes: 10 },
      toolConfig: { tools: ['read_file'] },
      mcpServers: { own: { command: 'y' }, extra: { command: 'x' } },
      isolation: 'worktree',
    });
  });

  it('tells listeners about each change until they unsubscribe', () => {
    const { registry } = makeRegistry();
    let changes = 0;
    const stop = registry.onChange(() => changes++);
    registry.registerAgent(local('a'));
    registry.replaceLoaded([]);
    registry.changed();
    stop();
    registry.registerAgent(local('b'));
    expect(changes).toBe(3);
  });

  it('names the model preset of an agent', () => {
    const { registry } = makeRegistry();
    expect(registry.getModelConfigAlias(local('a') as LocalAgentDefinition)).toBe('a-config');
  });
});
