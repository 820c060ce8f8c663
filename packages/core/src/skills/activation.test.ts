import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../protocol/messages.js';
import { activatedIn } from './activated-text.js';
import { SkillActivation } from './activation.js';
import { SkillManager } from './manager.js';
import { writeSkill, writeText } from './skills.test-helper.js';

let dir: { path: string; cleanup: () => void };
let root: string;
beforeEach(() => {
  dir = tempDir();
  root = join(dir.path, 'home/.gemini/skills');
});
afterEach(() => dir.cleanup());

async function activationOf(): Promise<SkillActivation> {
  const manager = new SkillManager({ roots: () => [{ dir: root, source: 'user' }] });
  await manager.loadSkills();
  return new SkillActivation({ manager, privateFolders: [join(dir.path, 'home')] });
}

describe('activating a skill', () => {
  it('gives the instructions and the folder tree, and the same text again', async () => {
    const file = writeSkill(root, 'a', { body: 'Line 1\n  Line 2' });
    writeText(join(root, 'a/scripts/run.sh'), '');
    writeText(join(root, 'a/<b>&.txt'), '');
    const activation = await activationOf();
    const skill = activation.find('A');
    const text = skill && activation.activate(skill);
    expect(text).toBe(
      `<activated_skill name="a">
  <instructions>
    Line 1
  Line 2
  </instructions>

  <available_resources>
    ${dirname(file)}/
    ├── &lt;b&gt;&amp;.txt
    ├── SKILL.md
    └── scripts/
        └── run.sh
  </available_resources>
</activated_skill>`,
    );
    writeSkill(root, 'a', { body: 'changed' });
    expect(skill && activation.activate(skill)).toBe(text);
    expect(activation.isActive('a')).toBe(true);
    expect(activation.readableFolders()).toEqual([dirname(file)]);
    activation.reset();
    expect(activation.isActive('a')).toBe(false);
    expect(activation.readableFolders()).toEqual([]);
  });

  it('ends when the skill is disabled: its folder is no longer readable', async () => {
    writeSkill(root, 'a');
    const kept = writeSkill(root, 'b');
    const manager = new SkillManager({ roots: () => [{ dir: root, source: 'user' }] });
    await manager.loadSkills();
    const activation = new SkillActivation({ manager, privateFolders: [] });
    for (const skill of manager.getSkills()) activation.activate(skill);
    manager.disableSkill('a');
    activation.forgetMissing();
    expect(activation.isActive('a')).toBe(false);
    expect(activation.readableFolders()).toEqual([dirname(kept)]);
  });

  it('never makes a folder readable that holds the home folder', async () => {
    writeText(join(dir.path, 'SKILL.md'), '---\nname: wide\ndescription: d\n---\nBody');
    mkdirSync(root, { recursive: true });
    symlinkSync(dir.path, join(root, 'wide'));
    const activation = await activationOf();
    const skill = activation.find('wide');
    expect(skill && activation.activate(skill)).toContain('(only this file)');
    expect(activation.readableFolders()).toEqual([]);
  });

  it('of a skill that only the user activates needs the user’s request', async () => {
    writeText(
      join(root, 'a/SKILL.md'),
      '---\nname: a\ndescription: d\ndisable-model-invocation: true\n---\n',
    );
    const activation = await activationOf();
    expect(activation.listed()).toEqual([]);
    expect(activation.find('a')).toBeUndefined();
    activation.request('A');
    expect(activation.find('a')?.name).toBe('a');
  });

  it('is found again in a conversation, also after a summary, and can be restored', async () => {
    const file = writeSkill(root, 'a');
    const first = await activationOf();
    const skill = first.find('a');
    const text = (skill && first.activate(skill)) ?? '';
    const response: Message = {
      role: 'user',
      origin: 'tool_response',
      parts: [
        { functionResponse: { name: 'activate_skill', response: { output: text } } },
        { functionResponse: { name: 'activate_skill', response: { error: 'no' } } },
        { functionResponse: { name: 'read_file', response: { output: text.replace('"a"', '"b"') } } },
      ],
    };
    const reminder: Message = { role: 'user', origin: 'reminder', parts: [{ text: 'Rules' }, { text }] };
    const prompt: Message = { role: 'user', origin: 'prompt', parts: [{ text }] };
    expect(activatedIn([response])).toEqual(new Map([['a', text]]));
    expect(activatedIn([reminder])).toEqual(new Map([['a', text]]));
    expect(activatedIn([prompt])).toEqual(new Map());
    const resumed = await activationOf();
    resumed.restore(activatedIn([response]));
    expect(resumed.isActive('a')).toBe(true);
    expect(resumed.readableFolders()).toEqual([dirname(file)]);
  });
});
