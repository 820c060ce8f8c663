import { testRig } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { callTool, text, toolResponses } from '../test-utils.js';
import { command, isReady, LONG, startUi } from './ui.js';

const skill = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: Does ${name}\n---\n\n${body}\n`;

describe('Skills on the screen', () => {
  it('are asked about with description and folder tree, and a built-in one is not', async () => {
    const rig = await testRig();
    rig.writeHome('skills/deploy/SKILL.md', skill('deploy', 'Step 1.'));
    rig.writeHome('skills/deploy/scripts/run.sh', 'x');
    rig.model.replies(
      [callTool('activate_skill', { name: 'skill-creator' })],
      [callTool('activate_skill', { name: 'deploy' })],
      [text('Deployed.')],
    );
    const screen = await startUi(rig);
    await screen.waitFor('1 skill', LONG);
    await command(screen, 'deploy it');
    await screen.waitFor(
      /Action Required[\s\S]*Does deploy[\s\S]*deploy\/[\s\S]*SKILL\.md[\s\S]*1\. Allow once/,
      LONG,
    );
    expect(toolResponses(rig, 1)[0]?.response.output).toContain('<activated_skill name="skill-creator">');
    screen.type('1');
    await screen.waitFor('✦ Deployed.', LONG);
    expect(toolResponses(rig)[0]?.response.output).toContain('Step 1.');
  });

  it('appear as commands after /skills reload, and the user is not asked about a typed one', async () => {
    const rig = await testRig();
    const screen = await startUi(rig);
    await command(screen, '/skills');
    await screen.waitFor('No skills.', LONG);
    rig.writeHome('skills/late/SKILL.md', skill('late', 'Be late.'));
    await command(screen, '/skills reload');
    await screen.waitFor('1 added, 0 removed', LONG);
    await screen.waitFor(isReady, LONG);
    rig.model.replies([text('Later.')]);
    await command(screen, '/late now');
    await screen.waitFor('✦ Later.', LONG);
    expect(toolResponses(rig)[0]?.response.output).toContain('Be late.');
    await screen.waitFor(isReady, LONG);
    await command(screen, '/skills');
    await screen.waitFor(/late\s+\(?active/, LONG);
  });

  it('can be linked after a question', async () => {
    const rig = await testRig();
    rig.write('source/linked/SKILL.md', skill('linked', 'x'));
    const screen = await startUi(rig);
    await command(screen, '/skills link source --scope user');
    await screen.waitFor(/Linking a skill from source[\s\S]*linked: Does linked/, LONG);
    screen.press('Enter');
    await screen.waitFor('Linked "linked".', LONG);
  });
});
