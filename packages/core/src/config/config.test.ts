import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import { ApprovalMode, PolicyDecision } from '../protocol/confirmation.js';
import { Config } from './config.js';

const folder = tempDir();
afterEach(() => folder.cleanup());

it('ends permissions that came with trust as soon as it is revoked, before and after the start', async () => {
  vi.stubEnv('GEMINI_CLI_HOME', folder.path);
  const make = () =>
    new Config({
      sessionId: 's',
      targetDir: folder.path,
      debugMode: false,
      model: 'offline',
      interactive: true,
      approvalMode: ApprovalMode.YOLO,
      allowedTools: ['run_shell_command'],
    });
  const [running, waiting] = [make(), make()];
  await running.initialize();
  expect(running.getApprovalMode()).toBe(ApprovalMode.YOLO);
  running.setTrusted(false);
  waiting.setTrusted(false);
  await waiting.initialize();
  for (const config of [running, waiting]) {
    expect(config.isTrustedFolder()).toBe(false);
    expect(config.getApprovalMode()).toBe(ApprovalMode.DEFAULT);
    const call = { name: 'run_shell_command', args: { command: 'ls' } };
    expect(await config.getPolicyEngine().evaluate(call)).toBe(PolicyDecision.ASK_USER);
    await config.shutdown();
  }
});
