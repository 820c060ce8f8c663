/** Records once, at the start of a session, its configuration and the start-up times. */
import { existsSync } from 'node:fs';
import { release } from 'node:os';
import type { EventAttributes } from '../catalog/events.js';
import { JsonText, type TelemetryRecorder } from '../record.js';

export interface StartupPhase {
  name: string;
  durationMs: number;
}

export async function recordSessionStart(
  recorder: TelemetryRecorder,
  config: EventAttributes<'gemini_cli.config'>,
  phases: readonly StartupPhase[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  recorder.count('gemini_cli.session.count', 1, {});
  recorder.event('gemini_cli.config', { ...config, ...(await placeLabels(env)) });
  recorder.event('gemini_cli.startup_stats', {
    phases: new JsonText(() => phases.map(({ name, durationMs }) => ({ name, duration_ms: durationMs }))),
    os_platform: process.platform,
    os_release: release(),
    is_docker: existsSync('/.dockerenv'),
  });
  for (const { name, durationMs } of phases) {
    recorder.histogram('gemini_cli.startup.duration', durationMs, { phase: name });
  }
}

/** Labels of the place the session runs in. A GitHub repository is identified only by its hash. */
async function placeLabels(env: NodeJS.ProcessEnv): Promise<EventAttributes<'gemini_cli.config'>> {
  return {
    worktree_active: env['GEMINI_CLI_WORKTREE_HANDLED'] === '1',
    github_workflow_name: env['GH_WORKFLOW_NAME'],
    github_repository_hash: await hashOf(env['GITHUB_REPOSITORY']),
    github_event_name: env['GITHUB_EVENT_NAME'],
    github_pr_number: env['GH_PR_NUMBER'],
    github_issue_number: env['GH_ISSUE_NUMBER'],
    github_custom_tracking_id: env['GH_CUSTOM_TRACKING_ID'],
  };
}

async function hashOf(text: string | undefined): Promise<string | undefined> {
  if (!text) return undefined;
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(text).digest('hex');
}
