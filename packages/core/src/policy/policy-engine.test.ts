import { describe, expect, it } from 'vitest';
import { FatalConfigError } from '../base/errors.js';
import { processEnvironment } from '../platform/environment.js';
import { ApprovalMode, MessageBusType, PolicyDecision } from '../protocol/confirmation.js';
import { Kind } from '../protocol/tool-declaration.js';
import { PolicyEngine, type PolicyOptions } from './policy-engine.js';
import { policyLab } from './policy-lab.test-helper.js';

const KINDS: Record<string, Kind> = {
  read_file: Kind.Read,
  grep_search: Kind.Search,
  write_file: Kind.Edit,
  run_shell_command: Kind.Execute,
  web_fetch: Kind.Fetch,
  write_todos: Kind.Other,
  ask_user: Kind.Communicate,
};
const engine = (options: Partial<PolicyOptions>) =>
  new PolicyEngine({
    environment: processEnvironment(),
    approvalMode: ApprovalMode.DEFAULT,
    interactive: true,
    kindOf: (name) => KINDS[name],
    ...options,
  });
const decisions = async (options: Partial<PolicyOptions>) =>
  Object.fromEntries(
    await Promise.all(
      Object.keys(KINDS).map(async (name) => [name, await engine(options).evaluate({ name, args: {} })]),
    ),
  );

describe('PolicyEngine', () => {
  it.each([
    [ApprovalMode.DEFAULT, 'allow allow ask_user ask_user ask_user allow ask_user'],
    [ApprovalMode.AUTO_EDIT, 'allow allow allow ask_user allow allow ask_user'],
    [ApprovalMode.YOLO, 'allow allow allow allow allow allow ask_user'],
    [ApprovalMode.PLAN, 'allow allow deny deny ask_user allow ask_user'],
  ])('decides by tool in mode %s', async (approvalMode, expected) => {
    expect(Object.values(await decisions({ approvalMode })).join(' ')).toBe(expected);
  });

  it('refuses in a headless run what it would ask for, and says how to allow it', async () => {
    const headless = engine({ interactive: false });
    const verdict = await headless.check({ name: 'write_file', args: {} });
    expect(verdict.decision).toBe(PolicyDecision.DENY);
    expect(verdict.reason).toContain('--approval-mode auto_edit');
    const yolo = engine({ interactive: false, approvalMode: ApprovalMode.YOLO });
    const guarded = await yolo.check({ name: 'run_shell_command', args: { command: 'rm -rf ~' } });
    expect(guarded.reason).toContain('do it in the interactive program');
    expect(guarded.reason).not.toContain('--approval-mode');
    expect(Object.keys(KINDS).filter((name) => headless.isAlwaysDenied(name))).toEqual([
      'write_file',
      'run_shell_command',
      'web_fetch',
      'ask_user',
    ]);
  });

  it('allows tools in tools.allowed by any of their names, but not in plan mode', async () => {
    const call = { name: 'run_shell_command', args: {} };
    expect(await engine({ allowedTools: ['shell_exec'] }).evaluate(call)).toBe(PolicyDecision.ALLOW);
    const plan = engine({ allowedTools: ['run_shell_command'], approvalMode: ApprovalMode.PLAN });
    expect(await plan.evaluate(call)).toBe(PolicyDecision.DENY);
  });

  it('refuses excluded tools even in yolo mode', async () => {
    const strict = engine({ approvalMode: ApprovalMode.YOLO, excludedTools: ['read_file'] });
    expect(await strict.evaluate({ name: 'read_file', args: {} })).toBe(PolicyDecision.DENY);
  });

  it('keeps an "always" answer as narrow as it was given, and never for all commands or files', async () => {
    const policy = engine({});
    const run = (command: string) => policy.evaluate({ name: 'run_shell_command', args: { command } });
    const type = MessageBusType.UPDATE_POLICY as const;
    policy.applyUpdate({ type, toolName: 'run_shell_command' });
    expect(await run('npm test')).toBe(PolicyDecision.ASK_USER);
    policy.applyUpdate({
      type,
      toolName: 'run_shell_command',
      commandPrefix: ['git add', 'make && make install'],
    });
    expect(await run('git add -A src')).toBe(PolicyDecision.ALLOW);
    expect(await run('git gc')).toBe(PolicyDecision.ASK_USER);
    expect(await run('make && make install')).toBe(PolicyDecision.ALLOW);
    expect(await run('make && make install && make clean')).toBe(PolicyDecision.ASK_USER);
    policy.applyUpdate({ type, toolName: 'web_fetch' });
    expect(await policy.evaluate({ name: 'web_fetch', args: {} })).toBe(PolicyDecision.ALLOW);
  });

  it('ignores tools.allowed and refuses privileged modes in an untrusted folder', async () => {
    const trust = { given: true };
    const policy = engine({ allowedTools: ['run_shell_command'], isTrusted: () => trust.given });
    const call = { name: 'run_shell_command', args: {} };
    policy.setApprovalMode(ApprovalMode.AUTO_EDIT);
    policy.applyUpdate({ type: MessageBusType.UPDATE_POLICY, toolName: 'web_fetch' });
    expect(await policy.evaluate({ name: 'web_fetch', args: {} })).toBe(PolicyDecision.ALLOW);
    expect(await policy.evaluate(call)).toBe(PolicyDecision.ALLOW);
    trust.given = false;
    policy.dropPrivileges();
    expect(policy.getApprovalMode()).toBe(ApprovalMode.DEFAULT);
    expect(await policy.evaluate(call)).toBe(PolicyDecision.ASK_USER);
    expect(() => policy.setApprovalMode(ApprovalMode.YOLO)).toThrow('privileged');
    trust.given = true;
    expect(await policy.evaluate({ name: 'web_fetch', args: {} })).toBe(PolicyDecision.ASK_USER);
  });

  it('obeys an administrator who forbids yolo mode and "always" answers', async () => {
    const policy = engine({ disableYoloMode: true, disableAlwaysAllow: true });
    expect(() => policy.setApprovalMode(ApprovalMode.YOLO)).toThrow('disableYoloMode');
    policy.applyUpdate({ type: MessageBusType.UPDATE_POLICY, toolName: 'write_file' });
    expect(await policy.evaluate({ name: 'write_file', args: {} })).toBe(PolicyDecision.ASK_USER);
  });

  it('does not start in a mode that folder trust or an administrator forbids', () => {
    const isTrusted = () => false;
    expect(engine({ approvalMode: ApprovalMode.YOLO, isTrusted }).getApprovalMode()).toBe(
      ApprovalMode.DEFAULT,
    );
    expect(engine({ approvalMode: ApprovalMode.PLAN, isTrusted }).getApprovalMode()).toBe(ApprovalMode.PLAN);
    expect(() => engine({ approvalMode: ApprovalMode.YOLO, disableYoloMode: true })).toThrow(
      FatalConfigError,
    );
  });

  it.each(['.gemini/settings.json', '/p/.gemini/hooks/x.sh', 'a/../.GEMINI/policies/p.toml'])(
    'asks before an edit of %s even in auto-edit mode',
    async (file_path) => {
      const workspace = () => ({ cwd: '/p', directories: ['/p'] });
      const policy = engine({ approvalMode: ApprovalMode.AUTO_EDIT, workspace });
      expect(await policy.evaluate({ name: 'write_file', args: { file_path } })).toBe(
        PolicyDecision.ASK_USER,
      );
      expect(await policy.evaluate({ name: 'read_file', args: { file_path } })).toBe(PolicyDecision.ALLOW);
    },
  );

  it('asks for an unknown tool', async () => {
    expect(await engine({}).evaluate({ name: 'mystery', args: {} })).toBe(PolicyDecision.ASK_USER);
  });

  it('keeps the restrictions of a file while that file cannot be read', async () => {
    const lab = policyLab();
    const rules = `[[rule]]\ntoolName = "read_file"\ndecision = "deny"\npriority = 500\n`;
    const engine = await lab.withRules(rules);
    const call = { name: 'read_file', args: { file_path: 'a' } };
    expect(await engine.evaluate(call)).toBe(PolicyDecision.DENY);
    lab.write('home/.gemini/policies/rules.toml', `${rules}[[rule`);
    await engine.reload();
    expect(await engine.evaluate(call)).toBe(PolicyDecision.DENY);
    await engine.reload();
    expect(await engine.evaluate(call)).toBe(PolicyDecision.DENY);
    lab.write('home/.gemini/policies/rules.toml', '');
    await engine.reload();
    expect(await engine.evaluate(call)).toBe(PolicyDecision.ALLOW);
  });
});

describe('a mode change', () => {
  it('notifies listeners once', () => {
    const policy = engine({});
    const seen: ApprovalMode[] = [];
    const stop = policy.modes.onChange((mode) => seen.push(mode));
    policy.setApprovalMode(ApprovalMode.PLAN);
    policy.setApprovalMode(ApprovalMode.PLAN);
    policy.setApprovalMode(ApprovalMode.AUTO_EDIT);
    policy.dropPrivileges();
    stop();
    policy.setApprovalMode(ApprovalMode.YOLO);
    expect(seen).toEqual([ApprovalMode.PLAN, ApprovalMode.AUTO_EDIT, ApprovalMode.DEFAULT]);
  });

  it('to plan mode remembers the previous mode until trust is lost', () => {
    const policy = engine({ approvalMode: ApprovalMode.PLAN });
    expect(policy.modes.beforePlan).toBeUndefined();
    policy.setApprovalMode(ApprovalMode.AUTO_EDIT);
    policy.setApprovalMode(ApprovalMode.PLAN);
    expect(policy.modes.beforePlan).toBe(ApprovalMode.AUTO_EDIT);
    policy.dropPrivileges();
    expect(policy.modes.beforePlan).toBeUndefined();
    expect(policy.getApprovalMode()).toBe(ApprovalMode.PLAN);
  });
});
