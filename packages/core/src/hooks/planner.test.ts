/** Which hooks an event has: matchers, order, identity, sequence. */
import { cpuMs } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import { HookPlanner, type HookSubject } from './planner.js';
import { HookRegistry } from './registry.js';
import { type CommandHookConfig, ConfigSource, type HookDefinition, HookEventName } from './types.js';

const hook = (command: string, more: Partial<CommandHookConfig> = {}): CommandHookConfig => ({
  type: 'command',
  command,
  ...more,
});
const { BeforeTool, SessionStart, PreCompress, Notification } = HookEventName;

function planned(definitions: readonly HookDefinition[], subject: HookSubject, eventName = BeforeTool) {
  const registry = new HookRegistry();
  registry.load([
    {
      source: ConfigSource.User,
      definitions: definitions.map((definition) => ({ ...definition, eventName })),
    },
  ]);
  const plan = new HookPlanner({ registry }).plan(eventName, subject);
  return plan?.entries.map(({ name }) => name) ?? [];
}

const matches = (matcher: string | undefined, names: string[], event = BeforeTool) =>
  planned([{ ...(matcher !== undefined && { matcher }), hooks: [hook('x')] }], { names }, event).length === 1;

describe('A matcher of tools', () => {
  it.each([
    [undefined, 'read_file', true],
    ['', 'read_file', true],
    ['  ', 'read_file', true],
    [' * ', 'read_file', true],
    ['write_.*', 'write_file', true],
    ['write_file|replace', 'replace', true],
    ['file', 'read_file', true],
    ['^file', 'read_file', false],
    ['mcp_github_.*', 'mcp_github_list', true],
    ['write_file|replace', 'read_file', false],
    ['[invalid', '[invalid', true],
    ['[invalid', 'read_file', false],
    ['search_file_content', 'grep_search', true],
    ['read_file|search_file_content', 'grep_search', true],
    ['^(?!shell_execute$).*', 'run_shell_command', false],
    ['^(?!write_)', 'write_file', false],
    ['^(?!write_)', 'read_file', true],
    ['(read|write)_(file|many)+', 'read_file', true],
  ])('%s compared with %s gives %s', (matcher, name, expected) => {
    expect(matches(matcher, [name])).toBe(expected);
  });

  it('matches the call of an agent by both names', () => {
    const names = ['invoke_agent', 'reviewer'];
    expect([matches('invoke_agent', names), matches('^reviewer$', names)]).toEqual([true, true]);
    expect(matches('tester', names)).toBe(false);
  });

  it('cannot hang the agent: what takes too long counts as a match and is named once', () => {
    const registry = new HookRegistry();
    const definitions = [{ eventName: BeforeTool, matcher: '^(a+)+$', hooks: [hook('guard')] }];
    registry.load([{ source: ConfigSource.Project, definitions }]);
    const slow: string[] = [];
    const planner = new HookPlanner({ registry, onSlowMatcher: ({ name }) => slow.push(name) });
    const names = [`${'a'.repeat(100)}!`];
    const spent = cpuMs(() => {
      for (let count = 0; count < 20; count++)
        expect(planner.plan(BeforeTool, { names })?.entries).toHaveLength(1);
    });
    expect(spent).toBeLessThan(2000);
    expect(slow).toEqual(['guard']);
    expect(planner.plan(BeforeTool, { names: ['another'] })?.entries).toHaveLength(1);
    expect(slow).toHaveLength(1);
  });

  it.each(['a*a*a*a*a*b', '(?:a|a)*b', '(a?){40}a{40}', '([a-z]+)*!', '(.*)\\1x'])(
    'evaluates %s in bounded time',
    (matcher) => {
      expect(cpuMs(() => matches(matcher, ['a'.repeat(250)]))).toBeLessThan(1000);
    },
  );
});

describe('A matcher of other events', () => {
  it.each([
    ['startup', 'startup', true],
    ['start', 'startup', false],
    ['startup|resume', 'resume', true],
    ['startup, clear', 'clear', true],
    ['.*', 'startup', false],
    ['*', 'startup', true],
  ])('%s is compared exactly with %s: %s', (matcher, source, expected) => {
    expect(matches(matcher, [source], SessionStart)).toBe(expected);
  });

  it('is ignored where there is nothing to compare', () => {
    expect(planned([{ matcher: 'never', hooks: [hook('x')] }], {}, Notification)).toEqual(['x']);
  });

  it('tells checks and real compressions apart', () => {
    const both = [{ hooks: [hook('each')] }, { onlyWhenCompressing: true, hooks: [hook('real')] }];
    expect(planned(both, { names: ['auto'] }, PreCompress)).toEqual(['each']);
    expect(planned(both, { names: ['auto'], isCompressing: true }, PreCompress)).toEqual(['real']);
  });
});

describe('A plan', () => {
  const sources = [
    [ConfigSource.Extensions, 'e'],
    [ConfigSource.System, 's'],
    [ConfigSource.User, 'u'],
    [ConfigSource.Project, 'p'],
    [ConfigSource.Runtime, 'r'],
  ] as const;

  it('has the order of the sources, and inside one the order of the file', () => {
    const registry = new HookRegistry();
    registry.load(
      sources.map(([source, name]) => ({
        source,
        definitions: [{ eventName: BeforeTool, hooks: [hook(`${name}1`), hook(`${name}2`)] }],
      })),
    );
    const plan = new HookPlanner({ registry }).plan(BeforeTool, { names: ['x'] });
    expect(plan?.entries.map(({ name }) => name).join(' ')).toBe('r1 r2 p1 p2 u1 u2 s1 s2 e1 e2');
    expect(plan?.entries.map(({ source }) => source)[2]).toBe('project');
    expect(plan?.entries.map(({ config }) => config.source)[2]).toBe('project');
  });

  it('runs hooks of the same name and command once, with the highest priority', () => {
    const registry = new HookRegistry();
    const of = (source: ConfigSource, ...hooks: CommandHookConfig[]) => ({
      source,
      definitions: [{ eventName: BeforeTool, hooks }],
    });
    registry.load([
      of(ConfigSource.User, hook('a', { timeout: 1 }), hook('a', { name: 'other' }), hook('a')),
      of(ConfigSource.Project, hook('a', { timeout: 2 })),
    ]);
    const plan = new HookPlanner({ registry }).plan(BeforeTool, { names: ['x'] });
    expect(plan?.entries.map(({ name, source, config }) => [name, source, config.timeout])).toEqual([
      ['a', 'project', 2],
      ['other', 'user', undefined],
    ]);
  });

  it('is sequential if one matching definition is', () => {
    const registry = new HookRegistry();
    const definitions = [
      { eventName: BeforeTool, matcher: 'a', hooks: [hook('1')] },
      { eventName: BeforeTool, matcher: 'b', sequential: true, hooks: [hook('2')] },
    ];
    registry.load([{ source: ConfigSource.User, definitions }]);
    const planner = new HookPlanner({ registry });
    const isSequential = (name: string) => planner.plan(BeforeTool, { names: [name] })?.sequential;
    expect([isSequential('a'), isSequential('b'), isSequential('ab')]).toEqual([false, true, true]);
  });

  it('follows the registry at once', () => {
    const registry = new HookRegistry();
    const definitions = [{ eventName: BeforeTool, hooks: [hook('./x.sh', { name: 'x' }), hook('y')] }];
    registry.load([{ source: ConfigSource.User, definitions }], ['y']);
    const planner = new HookPlanner({ registry });
    const names = () => planner.plan(BeforeTool, { names: ['t'] })?.entries.map(({ name }) => name) ?? [];
    expect(names()).toEqual(['x']);
    expect(registry.setHookEnabled('./x.sh', false)).toBe(true);
    expect([names(), planner.has(BeforeTool)]).toEqual([[], false]);
    registry.setHookEnabled('y', true);
    expect(names()).toEqual(['y']);
    expect(registry.setHookEnabled('missing', true)).toBe(false);
    expect(registry.getAllHooks().map(({ name, enabled }) => [name, enabled])).toEqual([
      ['x', false],
      ['y', true],
    ]);
  });
});
