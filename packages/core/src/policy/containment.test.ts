import { afterEach, describe, expect, it } from 'vitest';
import { ApprovalMode, type Containment, MessageBusType, PolicyDecision } from '../protocol/confirmation.js';
import { type EngineSetup, policyLab, prefixRules } from './policy-lab.test-helper.js';
import type { ContainmentCheck } from './rules/rule-judge.js';

const { ALLOW, ASK_USER } = PolicyDecision;
const labs: ReturnType<typeof policyLab>[] = [];
const newLab = () => {
  const lab = policyLab();
  labs.push(lab);
  return lab;
};
afterEach(() => {
  for (const lab of labs.splice(0)) lab.folder.cleanup();
});

const answering = (answer: Awaited<ReturnType<ContainmentCheck['check']>>) => {
  const asked: Containment[] = [];
  const check = async (kind: Containment) => {
    asked.push(kind);
    return answer;
  };
  return { asked, check };
};
const verdict = async (command: string, setup: EngineSetup = {}) => {
  const engine = await newLab().engine({ containment: answering('held'), ...setup });
  const { decision, containment } = await engine.check({ name: 'run_shell_command', args: { command } });
  return [decision, containment];
};
const AUTO_EDIT = { approvalMode: ApprovalMode.AUTO_EDIT };

describe('a command that runs unasked', () => {
  it.each([
    'ls',
    'ls src && pwd',
    'cat a | grep b | head -3',
    'cd src && git status',
    'echo $(pwd)',
    'true > /dev/null',
  ])('is contained read-only if it is known to be harmless: %s', async (command) => {
    expect(await verdict(command)).toEqual([ALLOW, 'read-only']);
    expect(await verdict(command, AUTO_EDIT)).toEqual([ALLOW, 'read-only']);
  });

  it('is contained with a writable workspace if a redirection counts as an edit', async () => {
    expect(await verdict('echo x > a.txt', AUTO_EDIT)).toEqual([ALLOW, 'workspace']);
    expect(await verdict('ls; cat src/a > b', AUTO_EDIT)).toEqual([ALLOW, 'workspace']);
    expect(await verdict('cat < a.txt', AUTO_EDIT)).toEqual([ALLOW, 'read-only']);
    expect(await verdict('echo x > a.txt')).toEqual([ASK_USER, undefined]);
  });

  it('is not contained if a rule, an answer or the mode of the user allows a part of it', async () => {
    const lab = newLab();
    const engine = await lab.withRules(prefixRules('allow', ['make', 'ls']), {
      containment: answering('held'),
    });
    for (const command of ['make', 'ls', 'make | head -3', 'pwd; make']) {
      expect(await engine.check({ name: 'run_shell_command', args: { command } })).toMatchObject({
        decision: ALLOW,
      });
      expect(
        (await engine.check({ name: 'run_shell_command', args: { command } })).containment,
      ).toBeUndefined();
    }
    expect(await verdict('ls', { approvalMode: ApprovalMode.YOLO })).toEqual([ALLOW, undefined]);
    engine.applyUpdate({
      type: MessageBusType.UPDATE_POLICY,
      toolName: 'run_shell_command',
      persist: false,
      commandPrefix: 'python3 a.py',
    });
    const answered = await engine.check({ name: 'run_shell_command', args: { command: 'python3 a.py' } });
    expect([answered.decision, answered.containment]).toEqual([ALLOW, undefined]);
  });

  it('runs without containment on a machine that has none, and asks if containment fails here', async () => {
    expect(await verdict('ls', { containment: answering('absent') })).toEqual([ALLOW, undefined]);
    expect(await verdict('ls', { containment: undefined })).toEqual([ALLOW, undefined]);
    const containment = answering({ problem: '.git is a symbolic link.' });
    const engine = await newLab().engine({ ...AUTO_EDIT, containment });
    const args = { command: 'echo x > a.txt' };
    expect(await engine.check({ name: 'run_shell_command', args })).toMatchObject({
      decision: ASK_USER,
      reason: '.git is a symbolic link.',
    });
    expect(containment.asked).toEqual(['workspace']);
  });

  it('is not contained again when input is sent to its process', async () => {
    const engine = await newLab().engine({ containment: answering('held'), commandOfProcess: () => 'cat' });
    const typed = await engine.check({ name: 'send_process_input', args: { pid: 1, input: 'x' } });
    expect([typed.decision, typed.containment]).toEqual([ALLOW, undefined]);
  });
});
