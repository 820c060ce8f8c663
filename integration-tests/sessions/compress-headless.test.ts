/** `/compress` and `/uncompress` in headless runs change the recorded session. */
import { expect, it } from 'vitest';
import { type TestRig, testRig, text } from '../test-utils.js';

const sent = (rig: TestRig) => JSON.stringify(rig.model.requests.at(-1)?.body.contents);

/** A turn of its own, not a line of the summary. */
const ALPHA = '{"role":"model","parts":[{"text":"Answer alpha."}]}';

it('a headless /compress is saved, and a later /uncompress undoes it', async () => {
  const rig = await testRig();
  const long = (word: string) => `${word} `.repeat(3_000);
  for (const word of ['alpha', 'beta', 'gamma', 'delta']) {
    rig.model.replies([text(`Answer ${word}.`)]);
    const run = await rig.cli('--resume', { stdin: `${word}-question ${long(word)}` });
    expect(run.exitCode, run.stderr).toBe(0);
  }
  const summary = '<state_snapshot><overall_goal>Know the letters.</overall_goal></state_snapshot>';
  rig.model.replies([text(summary)], [text(summary)]);
  const compressed = await rig.cli('--resume', '-p', '/compress');
  expect(compressed.stdout).toContain('compressed from');
  rig.model.replies([text('After it.')]);
  await rig.cli('--resume', '-p', 'what now?');
  expect(sent(rig)).toContain('Know the letters.');
  expect(sent(rig)).not.toContain(ALPHA);
  const undone = await rig.cli('--resume', '-p', '/uncompress');
  expect(undone.exitCode, undone.stderr).toBe(0);
  rig.model.replies([text('As before.')]);
  await rig.cli('--resume', '-p', 'and now?');
  expect(sent(rig)).toContain(ALPHA);
  expect(sent(rig)).toContain('what now?');
});
