import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testRig, text } from '@gemini-cli/test-utils/rig';
import { describe, expect, it, vi } from 'vitest';
import { LONG, startUi } from './ui.js';

describe('A prompt with @', () => {
  it('shows what was attached and warns about a wrong path', async () => {
    const rig = await testRig({ files: { 'README.md': 'one\ntwo\nthree\n' } });
    rig.model.replies([text('Seen.')]);
    const screen = await startUi(rig);
    screen.type('look at @README.md and @nope.txt now\r');
    await screen.waitFor('Seen.', LONG);
    expect(screen.text()).toMatch(/✓ +Attached +README\.md \(3 lines\)/);
    expect(screen.text()).toContain('@nope.txt: no such file; sent as text');
    expect(JSON.stringify(rig.model.requests[0]?.body.contents)).toContain('@nope.txt');
  });

  it('asks before a file outside the workspace is read', async () => {
    const rig = await testRig();
    const path = join(rig.home, 'note.txt');
    writeFileSync(path, 'from outside\n');
    rig.model.replies([text('Seen.')]);
    const screen = await startUi(rig, [], { cols: 120 });
    screen.type(`look at @${path} now\r`);
    await screen.waitFor('is outside the workspace. Read it', LONG);
    expect(rig.model.requests).toHaveLength(0);
    // An Enter right after the typing is not taken for an answer.
    const answered = () => {
      screen.press('Enter');
      expect(screen.text()).toContain('Seen.');
    };
    await vi.waitFor(answered, { timeout: LONG.timeoutMs, interval: 700 });
    expect(JSON.stringify(rig.model.requests[0]?.body.contents)).toContain('from outside');
  });
});
