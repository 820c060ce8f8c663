/** Tests the built-in policy: all TOML files are in force, and every tool gets its decision. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { ApprovalMode, PolicyDecision } from '../protocol/confirmation.js';
import { DEFAULT_POLICY_TABLES, defaultRules, toolsInDefaultRules } from './default-rules.js';
import { policyLab, prefixRules, shell } from './policy-lab.test-helper.js';
import { compileRule } from './rules/compile-rule.js';

const { folder, home, project, make, withRules } = policyLab();
afterAll(() => folder.cleanup());

it('the built-in policy contains every file in the folder', () => {
  const files = readdirSync(fileURLToPath(new URL('./policies', import.meta.url)));
  expect(files.sort()).toEqual(
    Object.keys(DEFAULT_POLICY_TABLES)
      .map((name) => `${name}.toml`)
      .sort(),
  );
});

it('the built-in rules equal what the loader makes of the same files', () => {
  const warn = (message: string) => {
    throw new Error(message);
  };
  const compiled = Object.entries(DEFAULT_POLICY_TABLES).flatMap(([file, tables]) =>
    tables.map((table) =>
      compileRule({ ...table }, { tier: 'default', source: `built-in: ${file}.toml`, warn }),
    ),
  );
  expect(defaultRules()).toEqual(compiled);
});

const MODES = [ApprovalMode.DEFAULT, ApprovalMode.AUTO_EDIT, ApprovalMode.YOLO, ApprovalMode.PLAN];
const SHORT = { allow: 'allow', ask_user: 'ask', deny: 'deny' };

async function row(name: string, args = {}, context = {}, interactive = true): Promise<string> {
  const decisions = MODES.map(async (approvalMode) => {
    const plansDirectory = () => join(home, 'plans');
    const engine = make({ approvalMode, interactive, plansDirectory });
    return SHORT[await engine.evaluate({ name, args }, context)];
  });
  return (await Promise.all(decisions)).join(' ');
}

describe('the built-in policy in the modes default, autoEdit, yolo and plan', () => {
  const readOnly =
    'glob grep_search list_directory read_file read_many_files google_web_search get_internal_docs list_mcp_resources read_mcp_resource update_topic complete_task tracker_create_task tracker_visualize write_todos list_background_processes read_background_output stop_process search_tools recall_turn'.split(
      ' ',
    );
  it.each(readOnly)('always allows the read-only tool %s', async (name) =>
    expect(await row(name)).toBe('allow allow allow allow'),
  );
  it.each<[string, string, object?, object?]>([
    ['write_file', 'ask allow allow deny', { file_path: 'src/a.ts' }],
    ['replace', 'ask allow allow deny', { file_path: 'src/a.ts' }],
    ['write_file', 'ask deny allow deny', { file_path: '/etc/x' }],
    ['write_file', 'ask deny allow deny', { file_path: '.git/config' }],
    ['write_file', 'ask ask allow deny', { file_path: '.vscode/tasks.json' }],
    ['write_file', 'ask ask allow deny', { file_path: '.gemini/settings.json' }],
    ['write_file', 'ask deny allow allow', { file_path: join(home, 'plans/a.md') }],
    ['write_file', 'ask allow allow deny', { file_path: 'README.md' }],
    ['replace', 'ask allow allow deny', { file_path: 'docs/guide.md' }],
    ['write_file', 'ask deny allow deny', { file_path: join(home, 'plans/a.ts') }],
    ['write_file', 'ask deny allow deny', { file_path: join(home, 'plans/../a.md') }],
    ['run_shell_command', 'ask ask allow deny', { command: 'npm test' }],
    ['run_shell_command', 'allow allow allow deny', { command: 'ls' }],
    ['send_process_input', 'ask ask allow deny'],
    ['web_fetch', 'ask allow allow ask'],
    ['activate_skill', 'ask ask allow ask'],
    ['save_memory', 'ask ask allow deny'],
    ['ask_user', 'ask ask ask ask'],
    ['enter_plan_mode', 'ask ask deny deny'],
    ['exit_plan_mode', 'deny deny deny ask'],
    ['invoke_agent', 'allow allow allow deny', { agent_name: 'mine' }],
    ['invoke_agent', 'allow allow allow allow', { agent_name: 'codebase_investigator' }],
    ['invoke_agent', 'ask ask allow deny', { agent_name: 'far' }, { toolAnnotations: { remote: true } }],
    [
      'invoke_agent',
      'allow allow allow allow',
      { agent_name: 'r' },
      { toolAnnotations: { readOnlyHint: true } },
    ],
    ['mcp_s_t', 'ask ask allow deny', {}, { serverName: 's' }],
    ['mcp_s_t', 'ask ask allow ask', {}, { serverName: 's', toolAnnotations: { readOnlyHint: true } }],
    ['discovered_tool_x', 'ask ask allow deny'],
    ['something_else', 'ask ask allow deny'],
    ['read_file', 'deny deny deny deny', { file_path: 'gha-creds-1234.json' }],
  ])('decides for %s: %s %j', async (name, expected, args, context) =>
    expect(await row(name, args, context)).toBe(expected),
  );

  it.each<[string, string]>([
    ['read_file', 'allow allow allow allow'],
    ['write_file', 'deny allow allow deny'],
    ['run_shell_command', 'deny deny allow deny'],
    ['web_fetch', 'deny allow allow deny'],
    ['ask_user', 'deny deny deny deny'],
    ['enter_plan_mode', 'allow allow allow allow'],
    ['exit_plan_mode', 'allow allow allow allow'],
    ['mcp_s_t', 'deny deny allow deny'],
  ])('decides in a headless run for %s: %s', async (name, expected) => {
    expect(await row(name, { file_path: 'a', command: 'npm x' }, {}, false)).toBe(expected);
  });

  it.each(['ls', 'git status', 'cat a | head -1', 'A=1', 'cd src && pwd'])(
    'requires a rule for the harmless command %j in a headless run',
    async (command) => {
      for (const approvalMode of [ApprovalMode.DEFAULT, ApprovalMode.AUTO_EDIT, ApprovalMode.PLAN]) {
        const engine = make({ approvalMode, interactive: false });
        expect(engine.isHidden('run_shell_command')).toBe(true);
        expect(await shell(engine, command)).toBe('deny');
      }
      const allowed = make({ interactive: false, allowedTools: ['run_shell_command(git status)'] });
      expect(allowed.isHidden('run_shell_command')).toBe(false);
      expect(await shell(allowed, 'git status')).toBe('allow');
      expect(await shell(allowed, 'git status && ls')).toBe('deny');
      expect(make({ interactive: true }).isHidden('run_shell_command')).toBe(false);
    },
  );

  it.each(['A=1', 'A=1 B=2', 'A=1; B=2', '> /dev/null'])(
    'does not allow %j in a headless run by a rule for another command',
    async (command) => {
      const engine = await withRules(prefixRules('allow', ['git status']), { interactive: false });
      expect(await shell(engine, command)).toBe('deny');
      expect(await shell(engine, `${command}; git status`)).toBe('allow');
    },
  );

  it('does not offer the model a tool that cannot run', () => {
    const hidden = (approvalMode: ApprovalMode, interactive: boolean) => {
      const engine = make({ approvalMode, interactive });
      return [...new Set(toolsInDefaultRules())].filter((name) => engine.isAlwaysDenied(name)).sort();
    };
    expect(hidden(ApprovalMode.DEFAULT, false)).toEqual(
      'activate_skill ask_user cli_help codebase_investigator fill fill_form replace run_shell_command save_memory send_process_input type_text web_fetch write_file'.split(
        ' ',
      ),
    );
    expect(hidden(ApprovalMode.YOLO, false)).toEqual(['ask_user']);
    expect(hidden(ApprovalMode.DEFAULT, true)).toEqual(['exit_plan_mode']);
    expect(hidden(ApprovalMode.PLAN, true)).toContain('run_shell_command');
    expect(hidden(ApprovalMode.PLAN, true)).toContain('write_file');
  });
});

it('asks about text that the browser agent enters, even in yolo mode, and lets it look at pages', async () => {
  for (const approvalMode of [ApprovalMode.DEFAULT, ApprovalMode.AUTO_EDIT, ApprovalMode.YOLO]) {
    const engine = make({ approvalMode });
    const decide = async (name: string, subagent?: string) =>
      (await engine.check({ name, args: {} }, { ...(subagent && { subagent }) })).decision;
    for (const name of ['fill', 'fill_form', 'type_text'])
      expect(await decide(name, 'browser_agent')).toBe('ask_user');
    expect(await decide('take_snapshot', 'browser_agent')).toBe('allow');
    const unlisted = approvalMode === ApprovalMode.YOLO ? 'allow' : 'ask_user';
    expect(await decide('click', 'browser_agent')).toBe(unlisted);
    expect(await decide('fill', 'another_agent')).toBe(unlisted);
  }
});

it('judges input to a process like its command', async () => {
  const commands: Record<number, string> = { 1: 'cat', 2: 'python3 -i', 3: 'rm -rf /', 5: 'git log' };
  const engine = make({ commandOfProcess: (pid) => commands[pid] });
  const type = (pid: number) => engine.evaluate({ name: 'send_process_input', args: { pid, input: 'x' } });
  expect(await Promise.all([type(1), type(2), type(3), type(4), type(5)])).toEqual([
    'allow',
    'ask_user',
    'ask_user',
    'ask_user',
    'ask_user',
  ]);
});

it('allows safe commands inside the workspace only', async () => {
  const engine = make();
  expect(await shell(engine, 'ls && pwd')).toBe(PolicyDecision.ALLOW);
  expect(await shell(engine, 'cat x', { dir_path: 'src' })).toBe(PolicyDecision.ALLOW);
  expect(await shell(engine, 'cat ../x')).toBe(PolicyDecision.ASK_USER);
  expect(await shell(engine, `cat ${project}/x`)).toBe(PolicyDecision.ALLOW);
  expect(await shell(engine, 'ls > x')).toBe(PolicyDecision.ASK_USER);
  expect(await shell(engine, 'ls 2>/dev/null')).toBe(PolicyDecision.ALLOW);
  expect(await shell(engine, 'echo $(</etc/passwd)')).toBe(PolicyDecision.ASK_USER);
  expect(await shell(engine, 'f() { ls; } > x; f')).toBe(PolicyDecision.ASK_USER);
  expect(await shell(engine, 'ls', { dir_path: '/etc' })).toBe(PolicyDecision.ASK_USER);
});

it('allows a redirection in auto-edit mode where an edit is allowed', async () => {
  const engine = make({ approvalMode: ApprovalMode.AUTO_EDIT });
  expect(await shell(engine, 'echo a > src/x')).toBe(PolicyDecision.ALLOW);
  for (const command of [
    'echo a > /tmp/x',
    'echo a > ~/.bashrc',
    'echo a > .git/config',
    'echo a > .gemini/settings.json',
    'echo a > $X',
    'cd $Y; echo a > x',
  ]) {
    expect([command, await shell(engine, command)]).toEqual([command, PolicyDecision.ASK_USER]);
  }
});

it('does not allow arithmetic that could run the content of a file as a command', async () => {
  const engine = make();
  expect(await shell(engine, 'x=1; echo $((x + 1))')).toBe(PolicyDecision.ALLOW);
  for (const command of [
    'x=$(cat a.txt); echo $((x))',
    'x=$(cat a.txt); [[ $x -eq 1 ]]',
    'x=$(cat a.txt); ((x))',
    'x=$(cat a.txt); echo ${y[x]}',
    'for x in $(cat a.txt); do echo $((x)); done',
    "x='a[$(id)]'; echo $((x))",
  ]) {
    expect([command, await shell(engine, command)]).toEqual([command, PolicyDecision.ASK_USER]);
  }
});
