/** Tests which calls a rule applies to. */
import { afterAll, describe, expect, it } from 'vitest';
import { PolicyDecision } from '../../protocol/confirmation.js';
import { policyLab, shell } from '../policy-lab.test-helper.js';
import { hasNestedQuantifier } from './safe-regex.js';
import { stableJson } from './stable-json.js';

const { folder, withRules } = policyLab();
afterAll(() => folder.cleanup());
const rule = (body: string, decision = 'allow', priority = 100) =>
  `[[rule]]\n${body}\ndecision = "${decision}"\npriority = ${priority}\n`;

it('stableJson ignores the order of arguments, and its anchors cannot be forged', () => {
  const loop: Record<string, unknown> = { b: [1, undefined, { d: 1, c: null }], a: 'x', u: undefined };
  loop['self'] = loop;
  expect(stableJson(loop)).toBe('{\0"a":"x"\0,\0"b":[1,null,{"c":null,"d":1}]\0,\0"self":"[Circular]"\0}');
  expect(stableJson({ a: '\0"b":1\0' })).toBe('{\0"a":"\\u0000\\"b\\":1\\u0000"\0}');
});

it.each<[string, boolean]>([
  ['(a+)+', true],
  ['(a*)*', true],
  ['((a+)b)*', true],
  ['(?:x{2,})+', true],
  ['(a+){2,}', true],
  ['(a|b)+', false],
  ['a+b+', false],
  ['(ab)+', false],
  ['[(a+)]+', false],
  ['\\(a+\\)+', false],
  ['(?:a+)?', false],
  ['(a+)', false],
  ['.*', false],
])('hasNestedQuantifier tells for %s: %s', (source, expected) =>
  expect(hasNestedQuantifier(source)).toBe(expected),
);

describe('a rule by names', () => {
  it.each<[string, string, string | undefined, boolean]>([
    ['toolName = "*"', 'anything', undefined, true],
    ['toolName = "mcp_*"', 'mcp_a_b', 'a', true],
    ['toolName = "mcp_*"', 'web_fetch', undefined, false],
    ['toolName = "mcp_a_*"', 'mcp_a_b', 'a', true],
    ['toolName = "mcp_a_*"', 'mcp_a_b_c', 'a_b', false],
    ['toolName = "mcp_*_search"', 'mcp_any_search', 'any', true],
    ['toolName = "mcp_*_search"', 'mcp_any_searchx', 'any', false],
    ['toolName = "discovered_tool_*"', 'discovered_tool_x', undefined, true],
    ['mcpName = "a"\ntoolName = "b"', 'mcp_a_b', 'a', true],
    ['mcpName = "a"\ntoolName = "b"', 'mcp_a_c', 'a', false],
    ['mcpName = "a"', 'mcp_a_c', 'a', true],
    ['mcpName = "a"', 'mcp_a_b_c', 'a_b', false],
    ['mcpName = "*"\ntoolName = "b"', 'mcp_z_b', 'z', true],
    ['mcpName = "*"', 'web_fetch', undefined, false],
    ['toolName = "web_search"', 'google_web_searchx', undefined, false],
    ['toolName = "shell_exec"', 'run_shell_command', undefined, true],
    ['toolName = "helper"', 'invoke_agent', undefined, true],
  ])('with %s matches the tool %s of server %s: %s', async (body, name, serverName, matches) => {
    const engine = await withRules(rule(body));
    const verdict = await engine.check({ name, args: { agent_name: 'helper' } }, { serverName });
    expect(verdict.rule?.tier === 'user').toBe(matches);
  });
});

it('a rule matches by arguments, annotations, subagent, mode and interactivity', async () => {
  const engine = await withRules(
    [
      rule(`toolName = "write_file"\nargsPattern = '\\x00"file_path":"a\\.txt"\\x00'`),
      rule('toolName = "web_fetch"\nsubagent = "helper"'),
      rule('toolName = "save_memory"\ninteractive = false'),
      rule('toolName = "activate_skill"\nmodes = ["yolo"]'),
      rule('mcpName = "s"\ntoolAnnotations = { readOnlyHint = true }'),
    ].join('\n'),
  );
  const decide = (name: string, args = {}, context = {}) => engine.evaluate({ name, args }, context);
  expect(await decide('write_file', { file_path: 'a.txt', content: 'x' })).toBe('allow');
  expect(await decide('write_file', { file_path: 'b', content: '"file_path":"a.txt"' })).toBe('ask_user');
  expect(await decide('web_fetch', {}, { subagent: 'parent/helper' })).toBe('allow');
  expect(await decide('web_fetch', {}, { subagent: 'other' })).toBe('ask_user');
  expect(await decide('save_memory')).toBe('ask_user');
  expect(await decide('activate_skill')).toBe('ask_user');
  expect(await decide('mcp_s_t', {}, { serverName: 's', toolAnnotations: { readOnlyHint: true } })).toBe(
    'allow',
  );
  expect(await decide('mcp_s_t', {}, { serverName: 's', toolAnnotations: { readOnlyHint: 'true' } })).toBe(
    'ask_user',
  );
});

describe('a rule by another spelling of an MCP tool', () => {
  it.each<[string, string, string, boolean]>([
    ['mcp__git hub__list', 'git hub', 'list', true],
    ['git_hub__list', 'git hub', 'list', true],
    ['mcp__list', 'git hub', 'list', true],
    ['mcp__*', 'any', 'tool', true],
    ['mcp__a_b__*', 'a_b', 'x', true],
    ['mcp__a__*', 'a_b', 'x', false],
    ['a__b_x', 'a_b', 'x', false],
  ])('with %s matches server %s, tool %s: %s', async (toolName, serverName, serverToolName, matches) => {
    const engine = await withRules(rule(`toolName = ${JSON.stringify(toolName)}`, 'deny'));
    const name = `mcp_${serverName.replace(' ', '_')}_${serverToolName}`;
    const verdict = await engine.check({ name, args: {} }, { serverName, serverToolName });
    expect(verdict.rule?.tier === 'user').toBe(matches);
  });

  it('does not allow the tool of any server that happens to have the name', async () => {
    const engine = await withRules(rule('toolName = "mcp__list"') + rule('toolName = "mcp__a__list"'));
    const decide = (serverName: string) =>
      engine.evaluate({ name: `mcp_${serverName}_list`, args: {} }, { serverName, serverToolName: 'list' });
    expect([await decide('a'), await decide('b')]).toEqual(['allow', 'ask_user']);
  });
});

describe('a rule for commands', () => {
  it('matches commandRegex at the start and command_pattern anywhere', async () => {
    const engine = await withRules(
      rule('commandRegex = "npm (test|run lint)$"') +
        `[[rules]]\ntype = "deny"\ncommand_pattern = "secret"\n[[rules]]\ntype = "confirm"\ncommand_pattern = "ls.*-R"\n`,
    );
    expect(await shell(engine, 'npm test')).toBe('allow');
    expect(await shell(engine, 'xnpm test')).toBe('ask_user');
    expect(await shell(engine, 'npm test x')).toBe('ask_user');
    expect(await shell(engine, 'echo a-secret')).toBe('deny');
    expect(await shell(engine, 'ls; echo "$(cat secret)"')).toBe('deny');
    expect(await shell(engine, 'ls -a -R')).toBe('ask_user');
  });

  it('wins by priority, and of equal ones the earlier wins', async () => {
    const engine = await withRules(
      rule('commandPrefix = "npm"', 'deny', 10) +
        rule('commandPrefix = "npm test"', 'allow', 20) +
        rule('toolName = "web_fetch"', 'allow', 5) +
        rule('toolName = "web_fetch"', 'deny', 5),
    );
    expect(await shell(engine, 'npm test')).toBe('allow');
    expect(await shell(engine, 'npm x')).toBe('deny');
    expect(await engine.evaluate({ name: 'web_fetch', args: {} })).toBe(PolicyDecision.ALLOW);
  });

  it('accepts the old spelling of the NUL anchor', async () => {
    const engine = await withRules(rule(`toolName = "web_fetch"\nargsPattern = '\\\\0"url":"x"\\\\0'`));
    expect(await engine.evaluate({ name: 'web_fetch', args: { url: 'x' } })).toBe('allow');
  });

  it('may allow redirections', async () => {
    const engine = await withRules(
      rule('commandPrefix = "npm"\nallowRedirection = true') + rule('commandPrefix = "yarn"'),
    );
    expect(await shell(engine, 'npm ls > x')).toBe('allow');
    expect(await shell(engine, 'yarn ls > x')).toBe('ask_user');
    expect(
      await shell(engine, 'npm ls', { additional_permissions: { fileSystem: { write: ['/etc'] } } }),
    ).toBe('ask_user');
    expect(
      await shell(engine, 'npm ls', { additional_permissions: { fileSystem: { write: ['src'] } } }),
    ).toBe('allow');
  });
});
