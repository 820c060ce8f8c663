import type { RecordedRequest } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { callTool, declaredTools, testRig, text, toolResponses } from '../test-utils.js';

const settings = { general: { plan: { directory: 'plans' } } };
const write = (file_path: string) => callTool('write_file', { file_path, content: '# Plan\n' });
const leave = callTool('exit_plan_mode', { plan_filename: 'a.md' });

describe('Plan mode without a user', () => {
  it('is entered and left without a question and returns to the mode before', async () => {
    const rig = await testRig({ settings });
    rig.model.replies(
      [callTool('enter_plan_mode', {}), write('too-early.txt')],
      [write('plans/a.md'), leave],
      [write('done.txt')],
      [text('Done.')],
    );
    const run = await rig.cli('-p', 'plan it', '--approval-mode', 'auto_edit');
    expect(run.exitCode).toBe(0);
    expect(toolResponses(rig, 1)[1]?.response.error).toContain('In plan mode you may write Markdown files');
    expect(toolResponses(rig, 2)[1]?.response.output).toMatch(
      /^The plan is approved\. .*the approval mode is autoEdit.*plans\/a\.md: carry it out now\.$/,
    );
    expect([rig.exists('too-early.txt'), rig.exists('done.txt')]).toEqual([false, true]);
    const declared = [0, 1, 2].map((index) =>
      declaredTools(rig, index).filter((name) => /plan_mode/.test(name)),
    );
    expect(declared).toEqual([['enter_plan_mode'], ['exit_plan_mode'], ['enter_plan_mode']]);
  });

  it('ends in default when the run started with planning, never in yolo', async () => {
    const rig = await testRig();
    const inPlans = ({ body }: RecordedRequest) =>
      /may be written, in (.+)\.$/m.exec(body.systemInstruction?.parts[0]?.text ?? '')?.[1] ?? 'none';
    rig.model.replies(
      (request) => [write(`${inPlans(request)}/a.md`), leave],
      [write('out.txt')],
      [text('Done.')],
    );
    await rig.cli('-p', 'plan it', '--approval-mode', 'plan');
    expect(toolResponses(rig, 1)[1]?.response.output).toContain('the approval mode is default');
    expect(rig.exists('out.txt')).toBe(false);
    expect(declaredTools(rig, 1)).not.toContain('write_file');
  });

  it('is removed by general.plan.enabled: false, with a warning when it is requested', async () => {
    const rig = await testRig({ settings: { general: { plan: { enabled: false } } } });
    rig.model.replies([text('ok')]);
    const run = await rig.cli('-p', 'x', '--approval-mode', 'plan');
    expect(run.stderr).toContain('Plan mode is disabled (general.plan.enabled)');
    expect(declaredTools(rig).filter((name) => /plan_mode/.test(name))).toEqual([]);
  });

  it('cannot ask the user: ask_user is not offered, not even with a rule', async () => {
    const rig = await testRig();
    rig.model.replies([text('ok')]);
    await rig.cli('-p', 'x', '--allowed-tools', 'ask_user');
    expect(declaredTools(rig)).not.toContain('ask_user');
  });
});
