/** What a start of the built program remembers of extensions, with damage and changes in between. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testRig, text } from '../test-utils.js';

type Rig = Awaited<ReturnType<typeof testRig>>;

async function installed(): Promise<{ rig: Rig; file: string }> {
  const rig = await testRig();
  rig.writeHome('extensions/demo/gemini-extension.json', JSON.stringify({ name: 'demo', version: '1.0.0' }));
  describeSkill(rig, 'First');
  return { rig, file: join(rig.home, '.gemini', 'tmp', 'extension-files.json') };
}

function describeSkill(rig: Rig, description: string): void {
  const skill = `---\nname: demo-skill\ndescription: ${description} things\n---\nDo it.\n`;
  rig.writeHome('extensions/demo/skills/demo-skill/SKILL.md', skill);
}

/** What the model is told in one answer. */
async function told(rig: Rig): Promise<string> {
  rig.model.replies([text('Hi.')]);
  const { exitCode, stderr } = await rig.cli('-p', 'hello', '--approval-mode', 'yolo');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.stringify(rig.model.requests.at(-1)?.body);
}

/** A start right after a file has changed remembers nothing of it: its times could hide another change. */
async function startUntilRemembered(rig: Rig, file: string): Promise<void> {
  do expect(await told(rig)).toContain('First things');
  while (!existsSync(file));
}

it('is a private file, and a change of a skill is told at the next start', async () => {
  const { rig, file } = await installed();
  await startUntilRemembered(rig, file);
  expect(await told(rig)).toContain('First things');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  describeSkill(rig, 'Other');
  expect(await told(rig)).toContain('Other things');
});

it('is not needed: damaged, or when its place cannot be written, the program works as before', async () => {
  const { rig, file } = await installed();
  await startUntilRemembered(rig, file);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('First', 'Wrong').slice(1));
  expect(await told(rig)).toContain('First things');
  rmSync(file);
  mkdirSync(file);
  describeSkill(rig, 'Other');
  expect(await told(rig)).toContain('Other things');
});
