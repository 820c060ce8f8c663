import { type Screen, silence, testRig, text } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { ask, command, countOf, isReady, LONG, startUi } from './ui.js';

const inInput = (prompt: string) => (seen: string) => new RegExp(`▄\\n\\s*> ${prompt}\\s*\\n`).test(seen);

async function cancelled(screen: Screen): Promise<void> {
  await screen.waitFor('esc to cancel', LONG);
  screen.press('Esc');
  await screen.waitFor('Request cancelled.', LONG);
}

describe('A prompt that the model has not got', () => {
  it('returns to the input when it is cancelled before anything came back', async () => {
    const rig = await testRig();
    rig.model.replies([text('First answer.')], [silence()], [text('Second answer.')]);
    const screen = await startUi(rig);
    await ask(screen, 'first question', 'First answer.');
    await screen.waitFor(isReady, LONG);
    await command(screen, 'second question');
    await cancelled(screen);
    await screen.waitFor(inInput('second question'), LONG);
    expect(countOf(screen.history(), 'second question')).toBe(1);
    expect(countOf(screen.history(), 'first question')).toBe(1);
    screen.type(' better\r');
    await screen.waitFor('Second answer.', LONG);
    const sent = JSON.stringify(rig.model.requests.at(-1)?.body.contents);
    expect(countOf(sent, 'second question')).toBe(1);
    expect(countOf(screen.history(), '> second question better')).toBe(1);
  });

  it('stays in the conversation when a part of the answer was there', async () => {
    const rig = await testRig();
    rig.model.replies([text('A beginning'), silence()]);
    const screen = await startUi(rig);
    await ask(screen, 'tell me', 'A beginning');
    await cancelled(screen);
    await screen.waitFor(isReady, LONG);
    expect(screen.text()).toContain('> tell me');
  });

  it('returns above a text that was queued meanwhile', async () => {
    const rig = await testRig();
    rig.model.replies([silence()]);
    const screen = await startUi(rig);
    await command(screen, 'one');
    await screen.waitFor('esc to cancel', LONG);
    await command(screen, 'two');
    await screen.waitFor('queued: two', LONG);
    screen.press('Esc');
    await screen.waitFor(
      (seen) => /> one *\n *\n +two/.test(seen) && seen.includes('Request cancelled.'),
      LONG,
    );
  });

  it('returns to the input when a path behind @ is refused', async () => {
    const rig = await testRig();
    const screen = await startUi(rig);
    screen.type('what is in @/etc/hostname ');
    await screen.waitFor('/etc/hostname', LONG);
    screen.press('Enter');
    await screen.waitFor('is outside the workspace. Read it', LONG);
    screen.press('Esc');
    await screen.waitFor('Nothing was sent.', LONG);
    await screen.waitFor(inInput('what is in @/etc/hostname'), LONG);
    expect(countOf(screen.text(), 'what is in')).toBe(1);
    expect(rig.model.requests).toHaveLength(0);
  });
});
