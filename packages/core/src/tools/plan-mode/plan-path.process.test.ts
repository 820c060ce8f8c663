import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTool, createTestConfig, startModelServer, text, together } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConfigParameters } from '../../engine/parameters.js';
import { ApprovalMode } from '../../protocol/confirmation.js';

/** Lets the model make one call in plan mode; returns its result. */
async function call(name: string, args: Record<string, unknown>, more: Partial<ConfigParameters> = {}) {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const config = await createTestConfig({ approvalMode: ApprovalMode.PLAN, ...more }, { model });
  const plans = config.getPlansDirectory() ?? '';
  mkdirSync(plans, { recursive: true });
  writeFileSync(join(plans, 'old.md'), '# Old\n');
  model.replies([callTool(name, args)], [text('Done.')]);
  let problem: string | undefined;
  for await (const event of config.getSession().send('plan it'))
    if (event.type === 'tool_finished') problem = event.call.response.error?.message;
  return { problem, plans, project: config.getTargetDir() };
}

describe('a relative path in plan mode', () => {
  it('is a file in the plans folder', async () => {
    const { plans, project, problem } = await call('write_file', { file_path: 'new.md', content: '# New\n' });
    expect(problem).toBeUndefined();
    expect(readFileSync(join(plans, 'new.md'), 'utf8')).toBe('# New\n');
    expect(existsSync(join(project, 'new.md'))).toBe(false);
  });

  it('is found there by replace', async () => {
    const args = { file_path: './old.md', instruction: 'x', old_string: 'Old', new_string: 'Better' };
    const { plans, problem } = await call('replace', args);
    expect(problem).toBeUndefined();
    expect(readFileSync(join(plans, 'old.md'), 'utf8')).toBe('# Better\n');
  });

  it('is not joined twice when it names the folder itself', async () => {
    const args = { file_path: 'docs/plans/new.md', content: 'x' };
    const { plans, problem } = await call('write_file', args, { plansDirectory: 'docs/plans' });
    expect(problem).toBeUndefined();
    expect(existsSync(join(plans, 'new.md'))).toBe(true);
  });

  it.each(['../../out.md', '../escape.md', '~/out.md', '/tmp/out.md', 'plan.ts'])(
    'does not lead out of the folder, nor to another kind of file: %s',
    async (file_path) => {
      const { problem } = await call('write_file', { file_path, content: 'x' });
      expect(problem).toMatch(/plans only|Path not in workspace/);
    },
  );

  it('is a file of the project in every other mode', async () => {
    const args = { file_path: 'new.md', content: 'x' };
    const { project, problem } = await call('write_file', args, { approvalMode: ApprovalMode.YOLO });
    expect(problem).toBeUndefined();
    expect(existsSync(join(project, 'new.md'))).toBe(true);
  });
});

it('a write in the same turn as the switch to plan mode is not taken for a plan', async () => {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const config = await createTestConfig({ approvalMode: ApprovalMode.YOLO }, { model });
  const write = callTool('write_file', { file_path: 'README.md', content: 'x' });
  model.replies([together(callTool('enter_plan_mode', {}), write)], [text('Done.')]);
  for await (const _ of config.getSession().send('plan it'));
  expect(config.getApprovalMode()).toBe(ApprovalMode.PLAN);
  expect(existsSync(join(config.getTargetDir(), 'README.md'))).toBe(false);
});
