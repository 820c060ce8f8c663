/** Tests the policy file format, errors with their line, and what of a broken file stays in force. */
import { describe, expect, it } from 'vitest';
import { parsePolicyFile } from './toml-loader.js';

const load = (text: string) => parsePolicyFile({ path: '/p/a.toml', text }, 'user');
const rule = (body: string) => `[[rule]]\n${body}\n`;
const GOOD = 'toolName = "read_file"\ndecision = "deny"\npriority = 5';

it('the loader reads every field', async () => {
  const { rules, problems } = await load(
    rule(`toolName = ["search_file_content", "glob"]
subagent = "a"
argsPattern = 'x'
toolAnnotations = { readOnlyHint = true }
decision = "ask_user"
priority = 250
modes = ["auto_edit", "plan"]
interactive = true
allow_redirection = true
deny_message = "no"
name = "n"
[rule.safety_checker]
type = "external"
name = "mine"`),
  );
  expect(problems).toEqual([]);
  expect(rules).toEqual([
    expect.objectContaining({
      toolNames: ['grep_search', 'glob'],
      subagent: 'a',
      argsPattern: /x/,
      toolAnnotations: { readOnlyHint: true },
      decision: 'ask_user',
      priority: 4.25,
      modes: ['autoEdit', 'plan'],
      interactive: true,
      allowRedirection: true,
      denyMessage: 'no',
      name: 'n',
      source: '/p/a.toml',
    }),
  ]);
  expect(rules[0]?.checkers?.[0]?.checker).toMatchObject({ type: 'external', name: 'mine' });
});

describe('the older form with type, condition and validator', () => {
  it('is read for rules', async () => {
    const { rules, problems } = await load(`
[security]
allow_decisions = true
yolo_mode = true
[[rules]]
type = "confirmation_required"
command_pattern = "rm -rf.*"
[[rules]]
id = "prevent-secret-search"
[rules.condition]
command_pattern = "grep.*\\\\.env"
[rules.action]
type = "deny"
message = "not allowed"
[[rules]]
toolName = "read_file"
type = "allow"
`);
    expect(problems).toEqual([]);
    expect(rules.map(({ decision, priority, toolNames }) => [decision, priority, toolNames])).toEqual([
      ['ask_user', 4.1, ['run_shell_command']],
      ['deny', 4.1, ['run_shell_command']],
      ['allow', 4.1, ['read_file']],
    ]);
    expect(rules[1]).toMatchObject({ denyMessage: 'not allowed', name: 'prevent-secret-search' });
  });

  it('is read for checkers', async () => {
    const { checkers } = await load(`
[[safety_checkers]]
id = "allowed-path"
[safety_checkers.validator]
type = "path_validation"
allowed_paths = ["/tmp/uploads"]
`);
    expect(checkers).toEqual([
      expect.objectContaining({
        toolNames: ['write_file', 'replace'],
        checker: { type: 'in-process', name: 'allowed-path', config: { allowed_paths: ['/tmp/uploads'] } },
      }),
    ]);
  });
});

describe('the loader', () => {
  it('keeps only the restrictions of a file that does not parse, and reports its line', async () => {
    const allowing = 'toolName = "glob"\ndecision = "allow"\npriority = 5';
    expect((await load(`${rule(allowing)}\n[[rule]\n`)).rules).toEqual([]);
    const { rules, problems } = await load(`${rule(GOOD)}\n[[rule]\n`);
    expect(rules).toEqual([expect.objectContaining({ decision: 'deny', toolNames: ['read_file'] })]);
    expect(problems).toEqual([
      expect.objectContaining({
        kind: 'toml_parse',
        severity: 'error',
        file: '/p/a.toml',
        line: 6,
        losesDeny: true,
      }),
    ]);
  });

  it.each<[string, string, string]>([
    ['schema_validation', 'toolName = "x_y_z_q"\npriority = 1', 'decision'],
    ['schema_validation', 'toolName = "x_y_z_q"\ndecision = "maybe"\npriority = 1', 'maybe'],
    ['schema_validation', 'decision = "deny"\npriority = 1', 'toolName'],
    [
      'schema_validation',
      'toolName = "replace"\ndecision = "allow"\npriority = 1\nfolder = "src"',
      'absolute',
    ],
    ['schema_validation', 'toolName = "replace"\ndecision = "allow"\npriority = 1\nfolder = ""', 'absolute'],
    ['schema_validation', 'toolName = "x_y_z_q"\ndecision = "deny"', 'priority'],
    ['schema_validation', 'toolName = "x_y_z_q"\ndecision = "deny"\npriority = 1000', 'priority'],
    ['schema_validation', 'toolName = "x_y_z_q"\ndecision = "deny"\npriority = 1.5', 'priority'],
    ['schema_validation', 'toolName = 5\ndecision = "deny"\npriority = 1', 'toolName'],
    ['schema_validation', 'toolName = "x_y_z_q"\ndecision = "deny"\npriority = 1\nmodes = ["fast"]', 'fast'],
    [
      'schema_validation',
      'toolName = "x_y_z_q"\ndecision = "deny"\npriority = 1\ninteractive = "yes"',
      'interactive',
    ],
    [
      'rule_validation',
      'toolName = "glob"\ncommandPrefix = "x"\ndecision = "deny"\npriority = 1',
      'run_shell_command',
    ],
    [
      'rule_validation',
      'commandRegex = "a"\ncommandPrefix = "x"\ndecision = "deny"\npriority = 1',
      'exclude each other',
    ],
    ['rule_validation', 'commandPrefix = []\ndecision = "allow"\npriority = 1', 'empty'],
    ['schema_validation', 'toolName = []\ndecision = "deny"\npriority = 1', 'empty'],
    [
      'regex_compilation',
      'toolName = "*"\nargsPattern = "("\ndecision = "deny"\npriority = 1',
      'argsPattern',
    ],
    [
      'regex_compilation',
      'toolName = "*"\nargsPattern = "(a+)+"\ndecision = "deny"\npriority = 1',
      'repeats',
    ],
    [
      'regex_compilation',
      `toolName = "*"\nargsPattern = "${'a'.repeat(2049)}"\ndecision = "deny"\npriority = 1`,
      '2048',
    ],
    ['regex_compilation', 'commandRegex = "a)|(b"\ndecision = "allow"\npriority = 1', 'commandRegex'],
  ])(
    'reports %s, drops only the bad rule, and asks in place of a restriction (%#)',
    async (kind, body, words) => {
      const { rules, problems } = await load(rule(GOOD) + rule(body) + rule(GOOD));
      expect(rules.filter(({ isStopgap }) => !isStopgap)).toHaveLength(2);
      for (const stopgap of rules.filter(({ isStopgap }) => isStopgap))
        expect(stopgap.decision).toBe('ask_user');
      expect(problems).toEqual([expect.objectContaining({ kind, severity: 'error', line: 5 })]);
      expect(problems[0]?.message).toContain(words);
    },
  );

  it.each([
    'command_prefix = "git"',
    'commandprefix = "git"',
    'argspattern = "x"',
    'toolAnnotations = "readOnlyHint"',
    'condition = { path = "src" }',
  ])('drops an allow rule with an unknown condition: %s', async (line) => {
    const body = `toolName = "run_shell_command"\npriority = 5\n${line}`;
    const { rules, problems } = await load(rule(`${body}\ndecision = "allow"`));
    expect(rules).toEqual([]);
    expect(problems).toEqual([
      expect.objectContaining({ kind: 'schema_validation', severity: 'error', line: 1 }),
    ]);
  });

  it('keeps a deny rule with an unknown field', async () => {
    const { rules, problems } = await load(rule(`${GOOD}\nreason = "x"`));
    expect(rules).toHaveLength(1);
    expect(problems).toEqual([expect.objectContaining({ kind: 'schema_validation', severity: 'warning' })]);
  });

  it('warns about misspelt and deprecated names, and about keys without effect', async () => {
    const { rules, problems } = await load(
      `${rule('toolName = ["read_fle", "srv__tool", "mcp_x_y", "my_own_extension_tool"]\ndecision = "deny"\npriority = 1')}[other]\n`,
    );
    expect(rules).toHaveLength(1);
    expect(problems.map(({ severity, message }) => [severity, message])).toEqual([
      ['warning', 'There is no tool "read_fle". Did you mean "read_file"?'],
      ['warning', expect.stringContaining('"srv__tool"')],
      ['warning', '"other" is not known here and has no effect.'],
    ]);
  });

  it('names every tool of a rule that does not exist', async () => {
    const text = rule(
      'toolName = ["Bash", "WriteFile", "nonsense", "cli_help", "mcp_x_y"]\ndecision = "deny"\npriority = 1',
    );
    const file = { path: '/p/a.toml', text };
    const { problems } = await parsePolicyFile(file, 'user', { toolNames: ['write_file'] });
    expect(problems.map(({ message }) => message)).toEqual([
      'There is no tool "WriteFile". Did you mean "write_file"?',
      'There is no tool "Bash", "nonsense": the rule has an effect only for an agent of that name.',
    ]);
  });

  it.each([
    ['WriteFile', 'deny', true],
    ['write_fil', 'ask_user', true],
    ['RunShellCommand', 'deny', true],
    ['ReadFileTool', 'deny', true],
    ['write-file', 'deny', true],
    ['WriteFile', 'allow', undefined],
    ['srv__tool', 'deny', undefined],
  ])(
    'reports for a rule on %s with %s whether it misses its tool: %s',
    async (name, decision, missesTool) => {
      const { problems } = await load(rule(`toolName = "${name}"\ndecision = "${decision}"\npriority = 1`));
      expect(problems).toMatchObject([{ kind: 'tool_name_warning', severity: 'warning' }]);
      expect(problems[0]?.missesTool).toBe(missesTool);
    },
  );

  it.each(['rule = 5', '[rule]\na = 1', 'rule = [1]', '[[safety_checker]]\ntoolName = "x"', ''])(
    'makes no rule of %j',
    async (text) => {
      expect((await load(text)).rules).toEqual([]);
    },
  );
});
