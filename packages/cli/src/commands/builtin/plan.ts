/** `/plan [goal]`: enters plan mode, or shows the current plan. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ApprovalMode, setting } from '@gemini-cli/core';
import type { CommandContext } from '../types.js';
import { type Action, failure, info } from './define.js';
import { engineOf } from './needs.js';

export const plan: Action = (context, goal) => {
  const { services, ui } = context;
  if (!setting(services.settings.merged, 'general.plan.enabled'))
    return failure('Plan mode is disabled (general.plan.enabled in settings.json).');
  const isPlanning = engineOf(context).getApprovalMode() === ApprovalMode.PLAN;
  if (!isPlanning) ui.app.setApprovalMode(ApprovalMode.PLAN);
  if (goal !== '') return { type: 'submit_prompt', content: goal };
  const current = currentPlan(context);
  if (current) return { type: 'items', items: [{ type: 'markdown', text: current }] };
  return info(
    isPlanning ? 'There is no plan yet.' : 'Plan mode: nothing is changed until you approve a plan.',
  );
};

export const copy: Action = async (context) => {
  const current = currentPlan(context);
  if (!current) return failure('There is no plan yet.');
  await context.ui.app.copyToClipboard(current);
  return info('Copied the plan.');
};

/** The plan file written last. */
function currentPlan(context: CommandContext): string | undefined {
  const directory = engineOf(context).getPolicyEngine().getPlansDirectory();
  if (!directory) return undefined;
  try {
    const [newest] = readdirSync(directory)
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(directory, name))
      .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
    return newest && readFileSync(newest, 'utf8');
  } catch {
    return undefined;
  }
}
