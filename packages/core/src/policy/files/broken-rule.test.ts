/** A mistake in a deny or ask rule never allows more. */
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApprovalMode, PolicyDecision } from '../../protocol/confirmation.js';
import { policyLab, prefixRules, shell } from '../policy-lab.test-helper.js';
import { settingsRules } from '../rules/settings-rules.js';

const { folder, home, engine, withRules } = policyLab();
afterAll(() => folder.cleanup());
vi.stubEnv('GEMINI_CLI_HOME', home);
const { ALLOW, DENY, ASK_USER } = PolicyDecision;
const yolo = { approvalMode: ApprovalMode.YOLO };
const rule = (...lines: string[]) => `[[rule]]\n${lines.join('\n')}\n`;

describe('an empty commandPrefix', () => {
  it.each(['""', '[""]', '"  "', '["\\t"]', '["", "git"]', '["git", " "]'])(
    'restricts every command: %s',
    async (prefix) => {
      for (const [decision, expected] of [
        ['deny', DENY],
        ['ask_user', ASK_USER],
      ] as const) {
        const made = await withRules(
          rule(`commandPrefix = ${prefix}`, `decision = "${decision}"`, 'priority = 100'),
          yolo,
        );
        for (const command of [
          'curl x',
          'ls',
          'git status',
          'timeout 5 ls',
          '$X',
          'A=1 make',
          'bash -c "ls"',
          '> file',
        ])
          expect([command, await shell(made, command)]).toEqual([command, expected]);
        expect(await made.evaluate({ name: 'read_file', args: { file_path: 'a' } })).toBe(ALLOW);
      }
    },
  );

  it('lets rules of higher priority make exceptions, which PATH=. does not extend', async () => {
    const rules = prefixRules('allow', ['npm test'], 200) + prefixRules('deny', [''], 100);
    const made = await withRules(rules, yolo);
    expect(await shell(made, 'npm test')).toBe(ALLOW);
    expect(await shell(made, 'npm publish')).toBe(DENY);
    expect(await shell(made, 'PATH=. npm test')).not.toBe(ALLOW);
  });

  it('allows every command in an allow rule', async () => {
    const made = await withRules(prefixRules('allow', [''], 100));
    expect(await shell(made, 'make all')).toBe(ALLOW);
    expect(await shell(made, 'find src -delete')).toBe(ASK_USER);
  });

  it('means the whole tool in a settings list', async () => {
    for (const entry of ['run_shell_command()', 'run_shell_command(  )', 'run_shell_command(*)'])
      expect(settingsRules({ excludedTools: [entry] })).toEqual([
        expect.objectContaining({ decision: DENY, toolNames: ['run_shell_command'] }),
      ]);
    const made = await engine({ ...yolo, excludedTools: ['run_shell_command()'] });
    expect(await shell(made, 'ls')).toBe(DENY);
  });
});

describe('a broken restriction', () => {
  beforeEach(() => vi.stubEnv('GEMINI_CLI_HOME', home));
  it.each([
    ['a pattern that does not compile', 'commandRegex = "("', 'decision = "deny"', 'priority = 5'],
    ['a pattern that repeats a repetition', 'commandRegex = "(a+)+"', 'decision = "deny"', 'priority = 5'],
    ['another pattern', 'command_pattern = "["', 'type = "deny"'],
    ['no priority', 'commandPrefix = "curl"', 'decision = "deny"'],
    ['a priority out of range', 'commandPrefix = "curl"', 'decision = "deny"', 'priority = 1000'],
    ['a priority that is a text', 'commandPrefix = "curl"', 'decision = "deny"', 'priority = "high"'],
    ['a misspelt decision', 'commandPrefix = "curl"', 'decision = "Deny"', 'priority = 5'],
    ['a misspelt field for the decision', 'commandPrefix = "curl"', 'desicion = "deny"', 'priority = 5'],
    ['an unknown mode', 'commandPrefix = "curl"', 'decision = "deny"', 'priority = 5', 'modes = ["fast"]'],
    ['a prefix that is a number', 'commandPrefix = 5', 'decision = "deny"', 'priority = 5'],
    ['no prefix in the list', 'commandPrefix = []', 'decision = "ask_user"', 'priority = 5'],
    [
      'two conditions',
      'commandPrefix = "curl"',
      'commandRegex = "curl"',
      'decision = "deny"',
      'priority = 5',
    ],
    [
      'a tool that has no commands',
      'toolName = "glob"',
      'commandPrefix = "curl"',
      'decision = "deny"',
      'priority = 5',
    ],
    [
      'a tool that is a number',
      'toolName = 5',
      'commandPrefix = "curl"',
      'decision = "deny"',
      'priority = 5',
    ],
    [
      'a condition that is a text',
      'condition = "curl"',
      'toolName = "run_shell_command"',
      'decision = "deny"',
      'priority = 5',
    ],
    [
      'a broken checker',
      'commandPrefix = "curl"',
      'decision = "deny"',
      'priority = 5',
      'safety_checker = { type = "x" }',
    ],
  ])('asks for its tools: %s', async (_what, ...lines) => {
    const made = await withRules(rule(...lines), yolo);
    expect(await shell(made, 'curl x')).toBe(ASK_USER);
    const headless = await withRules(rule(...lines), { ...yolo, interactive: false });
    expect(await shell(headless, 'curl x')).toBe(DENY);
  });

  it('applies only to the conditions that can be read', async () => {
    const made = await withRules(
      rule('commandPrefix = "curl"', 'decision = "deny"', 'priority = 1000'),
      yolo,
    );
    expect(await shell(made, 'ls')).toBe(ALLOW);
    expect(await made.evaluate({ name: 'web_fetch', args: {} })).toBe(ALLOW);
  });

  it('does not weaken a deny rule', async () => {
    const broken = rule('commandRegex = "("', 'decision = "ask_user"', 'priority = 900');
    const made = await withRules(broken + prefixRules('deny', ['curl'], 100), yolo);
    expect(await shell(made, 'curl x')).toBe(DENY);
    expect(await shell(made, 'wget x')).toBe(ASK_USER);
  });

  it('is unlike a broken allow rule, which allows nothing', async () => {
    const made = await withRules(rule('commandRegex = "("', 'decision = "allow"', 'priority = 5'));
    expect(await shell(made, 'curl x')).toBe(ASK_USER);
    expect(
      (await withRules(rule('commandRegex = "("', 'decision = "allow"', 'priority = 5'))).getRules()[0]?.tier,
    ).toBe('default');
  });

  it('is reported with what it means until it is corrected', async () => {
    const made = await withRules(rule('commandRegex = "("', 'decision = "deny"', 'priority = 5'));
    const [problem] = (await made.reload())?.problems ?? [];
    expect(problem).toMatchObject({
      severity: 'error',
      suggestion: 'Until it is corrected, calls that it may restrict ask (run_shell_command).',
    });
  });
});

describe('a file that is not valid TOML', () => {
  const deny = prefixRules('deny', ['curl'], 100);
  it.each([
    `${deny}[[rule]\n`,
    `${deny}oops\n`,
    `x = = 1\n${deny}`,
    `${deny}${prefixRules('allow', ['make'], 100)}]]\n`,
    deny.replace('"curl"', '"curl'),
    deny.replace('[[rule]]', '[[rule]'),
    `[rule]\n${deny.replace('[[rule]]', '')}`,
  ])('keeps its restrictions and allows nothing (%#)', async (text) => {
    const made = await withRules(text, yolo);
    expect(await shell(made, 'curl x')).not.toBe(ALLOW);
    expect(await shell(await withRules(text), 'make')).toBe(ASK_USER);
  });
});

describe('a restriction whose tools cannot be read', () => {
  it.each([
    'toolname = "write_file"',
    'tool = "write_file"',
    'toolName = 5',
    'toolName = []',
    'toolName = ""',
    'toolName = ["", "write_file"]',
    'mcpName = 5',
    'denyMessage = "no"',
  ])('asks for every tool that is not read-only: %s', async (line) => {
    for (const decision of ['deny', 'ask_user', 'Deny']) {
      const made = await withRules(rule(line, `decision = "${decision}"`, 'priority = 5'), yolo);
      const call = { name: 'write_file', args: { file_path: 'a.txt', content: 'x' } };
      expect(await made.evaluate(call)).toBe(ASK_USER);
      expect(await made.evaluate({ name: 'read_file', args: { file_path: 'a.txt' } })).toBe(ALLOW);
    }
    const allowing = await withRules(rule(line, 'decision = "allow"', 'priority = 5'), yolo);
    expect(await shell(allowing, 'make')).toBe(ALLOW);
  });
});

it.each([' write_file ', 'write_file\\t'])(
  'a deny rule ignores blanks around a tool name: %j',
  async (name) => {
    const made = await withRules(rule(`toolName = "${name}"`, 'decision = "deny"', 'priority = 5'), yolo);
    expect(await made.evaluate({ name: 'write_file', args: { file_path: 'a', content: '' } })).toBe(DENY);
  },
);

describe('a deny rule', () => {
  it.each([
    ['curl*', 'curl x'],
    ['curl *', 'curl x'],
    ['*', 'make'],
    ['/usr/bin/curl', 'curl x'],
    ['/usr/bin/curl -o', '/usr/bin/curl -o x'],
    ['./deploy.sh', 'sh -c "./deploy.sh"'],
  ])('with commandPrefix = %j denies %j', async (prefix, command) => {
    const line = `toolName = "run_shell_command"\ncommandPrefix = "${prefix}"`;
    const made = await withRules(rule(line, 'decision = "deny"', 'priority = 5'), yolo);
    expect(await shell(made, command)).toBe(DENY);
  });

  it('may name the tool with its command, as in settings', async () => {
    const line = 'toolName = "run_shell_command(curl)"';
    const made = await withRules(rule(line, 'decision = "deny"', 'priority = 5'), yolo);
    expect([await shell(made, 'curl x'), await shell(made, 'make')]).toEqual([DENY, ALLOW]);
  });

  it.each(['project', 'path', 'subagent'])('with %s = "" holds everywhere', async (key) => {
    const line = `toolName = "run_shell_command"\ncommandPrefix = "curl"\n${key} = ""`;
    expect(
      await shell(await withRules(rule(line, 'decision = "deny"', 'priority = 5'), yolo), 'curl x'),
    ).toBe(DENY);
  });
});
