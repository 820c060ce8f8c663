import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import { writeSkill, writeText } from '../skills/skills.test-helper.js';
import { requireBubblewrap, run, sandboxedConfig, textOf } from './sandboxed-config.test-helper.js';

vi.setConfig({ testTimeout: 60_000 });
beforeAll(requireBubblewrap);

it('lets sandboxed commands run the scripts of an activated skill, and write nothing there', async () => {
  const config = await sandboxedConfig({ shell: { enableInteractiveShell: false } });
  const file = writeSkill(join(config.storage.getGlobalGeminiDir(), 'skills'), 'deploy');
  const script = writeText(join(dirname(file), 'scripts/run.sh'), 'echo from-the-skill\n');
  const command = `sh ${script}; touch ${dirname(file)}/made`;
  await config.whenSkillsAreKnown();
  expect(await textOf(run(config, command))).not.toContain('from-the-skill');
  const activation = config.getSkillActivation();
  const skill = activation.find('deploy');
  if (skill) activation.activate(skill);
  expect(await textOf(run(config, command))).toContain('from-the-skill');
  expect(existsSync(join(dirname(file), 'made'))).toBe(false);
});
