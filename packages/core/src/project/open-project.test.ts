/** What of a folder reaches the engine, before and after the user has decided to trust it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import { EventStream } from '../bus/event-stream.js';
import { ownVariables } from '../platform/environment.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import { openProject } from './open-project.js';

const SETTINGS = { model: { name: 'of-the-folder' }, tools: { allowed: ['run_shell_command'] } };

/** A folder that the user has not decided about, with settings and variables of its own. */
function folderWithSettings() {
  const root = tempDir('open-project-');
  onTestFinished(() => root.cleanup());
  const cwd = join(root.path, 'work');
  mkdirSync(join(cwd, '.gemini'), { recursive: true });
  mkdirSync(join(cwd, '.git'));
  writeFileSync(join(cwd, '.gemini/settings.json'), JSON.stringify(SETTINGS));
  writeFileSync(join(cwd, '.env'), 'GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:1\n');
  const env = { GEMINI_CLI_HOME: join(root.path, 'home'), PATH: process.env['PATH'] };
  return { cwd, env };
}

/** A front end that answers the question about trust, if it is asked. */
function answering(answer: boolean | undefined) {
  const events = new EventStream();
  const asked: unknown[] = [];
  const notices: string[] = [];
  const answers = answer !== undefined;
  events.subscribe(
    (event) => {
      if (event.type === 'notice') notices.push(event.message);
      if (event.type !== 'question') return;
      asked.push(event.question);
      if (answer !== undefined) events.answer(event.id, answer);
    },
    { answers },
  );
  return { events, asked, notices };
}

it('uses settings and .env of a folder that the user trusts when asked', async () => {
  const { cwd, env } = folderWithSettings();
  const { events, asked, notices } = answering(true);
  const project = await openProject({ cwd, env, frontEnd: { interactive: true, events } });
  expect(asked).toEqual([{ kind: 'folder_trust', folder: cwd }]);
  expect(project.isTrusted).toBe(true);
  expect(project.parameters).toMatchObject({ model: 'of-the-folder', allowedTools: ['run_shell_command'] });
  expect(project.environment.variables['GOOGLE_GEMINI_BASE_URL']).toBe('http://127.0.0.1:1');
  expect(ownVariables(project.environment)).toEqual(env);
  expect(new Set(notices).size).toBe(notices.length);
  expect([env, process.env['GOOGLE_GEMINI_BASE_URL']]).toEqual([
    { GEMINI_CLI_HOME: env.GEMINI_CLI_HOME, PATH: env.PATH },
    undefined,
  ]);
});

it.each([
  ['says no', false],
  ['cannot be asked', undefined],
])('ignores the files of a folder when the user %s', async (_, answer) => {
  const { cwd, env } = folderWithSettings();
  const { events } = answering(answer);
  const project = await openProject({
    cwd,
    env,
    overrides: { approvalMode: 'yolo' },
    frontEnd: { interactive: true, events },
  });
  expect(project.isTrusted).toBe(false);
  expect(project.parameters).toMatchObject({
    model: 'auto',
    allowedTools: [],
    approvalMode: ApprovalMode.DEFAULT,
  });
  expect(project.environment.variables['GOOGLE_GEMINI_BASE_URL']).toBeUndefined();
});

it('refuses an untrusted folder without a user, with exit code 55', async () => {
  const { cwd, env } = folderWithSettings();
  const opened = openProject({ cwd, env, frontEnd: { interactive: false } });
  await expect(opened).rejects.toMatchObject({ exitCode: 55 });
});

it("sends telemetry to the user's own Google Cloud project, not to that of a .env file", async () => {
  const { cwd, env } = folderWithSettings();
  writeFileSync(join(cwd, '.env'), 'GOOGLE_CLOUD_PROJECT=of-the-folder\n');
  const telemetry = { GEMINI_TELEMETRY_ENABLED: 'true', GEMINI_TELEMETRY_TARGET: 'gcp' };
  const open = async (more: Record<string, string>) => {
    const { events, notices } = answering(true);
    const all = { ...env, ...telemetry, ...more };
    const project = await openProject({ cwd, env: all, frontEnd: { interactive: true, events } });
    return { destination: project.parameters.telemetry?.settings.destination, notices };
  };
  const without = await open({});
  expect(without.destination).toBeUndefined();
  expect(without.notices).toContainEqual(expect.stringContaining("(not in a project's .env)"));
  const own = await open({ GOOGLE_CLOUD_PROJECT: 'mine' });
  expect(own.destination).toMatchObject({ kind: 'gcp', project: 'mine' });
});
