/** Commands that run without a question are contained; the user's permission lifts that. */
import { existsSync } from 'node:fs';
import { callTool, testRig, text } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { command, LONG, startUi } from './ui.js';

const canHold = process.platform === 'linux' && existsSync('/usr/bin/bwrap');
const lastSent = (rig: Awaited<ReturnType<typeof testRig>>) =>
  JSON.stringify(rig.model.requests.at(-1)?.body.contents.at(-1));

describe.runIf(canHold)('A command that counts as harmless', () => {
  it('runs contained and without a question', async () => {
    const rig = await testRig({ files: { 'a.txt': 'hello\n' } });
    rig.model.replies(
      [callTool('run_shell_command', { command: 'cat a.txt; echo "locks=$GIT_OPTIONAL_LOCKS"' })],
      [text('Seen.')],
    );
    const screen = await startUi(rig);
    await command(screen, 'look');
    await screen.waitFor('✦ Seen.', LONG);
    expect(lastSent(rig)).toContain('hello\\nlocks=0');
  });

  it('asks when containment makes it fail, and after a yes runs without it', async () => {
    const rig = await testRig({ files: { 'log.txt': 'touch: x: Read-only file system\n' } });
    const failing = 'cat log.txt; echo "locks=$GIT_OPTIONAL_LOCKS."; false';
    rig.model.replies([callTool('run_shell_command', { command: failing })], [text('Seen.')]);
    const screen = await startUi(rig);
    await command(screen, 'look');
    await screen.waitFor(/again without these limits\?[\s\S]*1\. Allow once/, LONG);
    screen.type('1');
    await screen.waitFor('✦ Seen.', LONG);
    expect(lastSent(rig)).toContain('locks=.');
  });

  it('after a refusal with words tells the model how it ran and what the user said', async () => {
    const rig = await testRig({ files: { 'log.txt': 'touch: x: Read-only file system\n' } });
    rig.model.replies([callTool('run_shell_command', { command: 'cat log.txt; false' })], [text('Seen.')]);
    const screen = await startUi(rig);
    await command(screen, 'look');
    await screen.waitFor(/again without these limits\?[\s\S]*1\. Allow once/, LONG);
    screen.press('Tab');
    await screen.waitFor('What should be done instead?', LONG);
    screen.type('leave it');
    await screen.waitFor('> leave it', LONG);
    screen.press('Enter');
    await screen.waitFor('✦ Seen.', LONG);
    expect(lastSent(rig)).toMatch(/therefore contained.*leave it/);
  });

  it('runs without containment when the user typed it or a rule allows it', async () => {
    const rig = await testRig({ settings: { tools: { allowed: ['run_shell_command(echo)'] } } });
    rig.model.replies(
      [callTool('run_shell_command', { command: 'echo "locks=$GIT_OPTIONAL_LOCKS."' })],
      [text('Seen.')],
    );
    const screen = await startUi(rig);
    await command(screen, 'look');
    await screen.waitFor('✦ Seen.', LONG);
    expect(lastSent(rig)).toContain('locks=.');
  });
});
