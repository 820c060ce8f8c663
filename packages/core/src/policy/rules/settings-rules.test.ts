/** Tests how settings become rules of the user tier. */
import { afterAll, describe, expect, it } from 'vitest';
import { ApprovalMode, MessageBusType } from '../../protocol/confirmation.js';
import { policyLab, shell } from '../policy-lab.test-helper.js';
import { readEntry, settingsRules } from './settings-rules.js';

const { folder, make, withRules } = policyLab();
afterAll(() => folder.cleanup());

it('gives every setting its priority', () => {
  const rules = settingsRules({
    mcpExcluded: ['s'],
    excludedTools: ['glob', 'shell_exec(rm)'],
    confirmationRequired: ['read_file'],
    allowedTools: ['run_shell_command(git)', 'web_fetch'],
    coreTools: ['read_file'],
    trustedServers: ['t'],
    mcpAllowed: ['u'],
  });
  expect(
    rules.map((rule) => [
      rule.decision,
      rule.priority,
      rule.mcpName ?? rule.toolNames?.[0],
      rule.commandPrefixes?.[0],
    ]),
  ).toEqual([
    ['deny', 4.9, 's', undefined],
    ['deny', 4.4, 'glob', undefined],
    ['deny', 4.4, 'run_shell_command', 'rm'],
    ['ask_user', 4.35, 'read_file', undefined],
    ['allow', 4.3, 'run_shell_command', 'git'],
    ['allow', 4.3, 'web_fetch', undefined],
    ['deny', 4.29, 'run_shell_command', undefined],
    ['allow', 4.25, 'read_file', undefined],
    ['deny', 4.24, undefined, undefined],
    ['allow', 4.2, 't', undefined],
    ['allow', 4.1, 'u', undefined],
  ]);
});

it.each<[string, string, string | undefined]>([
  ['shell_execute(git status)', 'run_shell_command', 'git status'],
  ['run_shell_command(npm:*)', 'run_shell_command', 'npm'],
  ['shell_exec', 'run_shell_command', undefined],
  ['run_shell_command()', 'run_shell_command', undefined],
])('reads the settings entry %s', (entry, name, prefix) =>
  expect(readEntry(entry)).toEqual({ name, prefix }),
);

describe('the engine', () => {
  it('denies all other commands if some are allowed by prefix, in yolo mode too', async () => {
    for (const approvalMode of [ApprovalMode.DEFAULT, ApprovalMode.YOLO]) {
      const engine = make({ allowedTools: ['run_shell_command(git)'], approvalMode, interactive: false });
      expect(engine.isAlwaysDenied('run_shell_command')).toBe(false);
      expect(await shell(engine, 'git push')).toBe('allow');
      expect(await shell(engine, 'git push && git fetch')).toBe('allow');
      expect(await shell(engine, 'timeout 9 git push')).toBe('allow');
      for (const command of ['npm test', 'git push; npm test', 'gitx', 'git $(npm x)'])
        expect(await shell(engine, command)).toBe('deny');
    }
  });

  it('denies excluded commands anywhere in a line', async () => {
    const engine = make({ excludedTools: ['run_shell_command(rm)'], approvalMode: ApprovalMode.YOLO });
    expect(await shell(engine, 'ls; sudo rm x')).toBe('deny');
    expect(await shell(engine, 'ls')).toBe('allow');
  });

  it('asks for tools in tools.confirmationRequired although they are safe', async () => {
    const engine = make({ confirmationRequired: ['run_shell_command', 'read_file'] });
    expect(await shell(engine, 'ls')).toBe('ask_user');
    expect(await engine.evaluate({ name: 'read_file', args: {} })).toBe('ask_user');
  });

  it('denies tools that tools.core does not list', async () => {
    const engine = make({ coreTools: ['read_file'] });
    expect(engine.isAlwaysDenied('glob')).toBe(true);
    expect(await engine.evaluate({ name: 'read_file', args: {} })).toBe('allow');
  });

  it('excludes and trusts servers by name', async () => {
    const engine = make({ mcpExcluded: ['bad'], trustedServers: ['good', 'bad'] });
    const call = (server: string) =>
      engine.evaluate({ name: `mcp_${server}_t`, args: {} }, { serverName: server });
    expect([await call('bad'), await call('good'), await call('good_too'), await call('other')]).toEqual([
      'deny',
      'allow',
      'ask_user',
      'ask_user',
    ]);
  });
});

describe('the engine in an untrusted folder', () => {
  it('allows calls by built-in rules only, and asks for every git command', async () => {
    const rules =
      '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 999\n[[rule]]\ntoolName = "glob"\ndecision = "deny"\npriority = 999\n';
    const engine = await withRules(rules, {
      isTrusted: () => false,
      allowedTools: ['web_fetch'],
      trustedServers: ['s'],
    });
    const decide = (name: string) =>
      engine.evaluate({ name, args: {} }, { serverName: name.startsWith('mcp') ? 's' : undefined });
    expect(await decide('web_fetch')).toBe('ask_user');
    expect(await decide('mcp_s_t')).toBe('ask_user');
    expect(await decide('read_file')).toBe('allow');
    expect(await decide('glob')).toBe('deny');
    expect(await shell(engine, 'git status')).toBe('ask_user');
    engine.applyUpdate({ type: MessageBusType.UPDATE_POLICY, toolName: 'web_fetch' });
    expect(await decide('web_fetch')).toBe('ask_user');
  });
});
