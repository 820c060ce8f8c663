import { createHash } from 'node:crypto';
import { apiError, callTool, chunks, cut, silence, testRig, text } from '@gemini-cli/test-utils/rig';
import { expect, it } from 'vitest';
import { ask, command, countOf, isReady, LONG, startUi } from './ui.js';

it('of 2,000 chunks every word is shown once, in order', async () => {
  const rig = await testRig();
  const words = Array.from({ length: 2000 }, (_, index) => `w${index}`);
  const pieces = words.map((word, index) => (index % 25 === 24 ? `${word}\n\n` : `${word} `));
  rig.model.replies([chunks(pieces)]);
  const screen = await startUi(rig);
  await command(screen, 'much');
  await screen.waitFor((seen) => seen.includes('w1999') && isReady(seen), LONG);
  expect(screen.history().match(/\bw\d+\b/g)).toEqual(words);
});

it('no key typed during streaming is lost', async () => {
  const rig = await testRig();
  let release: () => void = () => undefined;
  const typed = new Promise<void>((resolve) => {
    release = resolve;
  });
  const lines = Array.from({ length: 300 }, (_, index) => `line ${index} of it\n\n`);
  rig.model.replies([chunks(lines.slice(0, 200)), { do: 'wait', until: typed }, chunks(lines.slice(200))]);
  const screen = await startUi(rig);
  await command(screen, 'stream');
  const note = 'typed while the answer is coming in';
  for (const key of note) screen.type(key);
  await screen.waitFor(`> ${note}`, LONG);
  release();
  await screen.waitFor((seen) => seen.includes('line 299 of it') && seen.includes(`> ${note}`), LONG);
  const all = screen.history();
  for (const index of [0, 57, 199, 200, 299]) expect(countOf(all, `line ${index} of it`)).toBe(1);
});

it('a line of 1 MB from the model is shown to its end', async () => {
  const rig = await testRig();
  // No two parts are alike, because a repeating answer is stopped.
  let line = '';
  for (let index = 0; line.length < 1024 * 1024; index++)
    line += createHash('sha256').update(`${index}`).digest('hex');
  rig.model.replies([text(`START${line}`), text('FINISHED')]);
  const screen = await startUi(rig);
  await command(screen, 'one long line');
  await screen.waitFor((seen) => seen.includes('FINISHED') && isReady(seen), { timeoutMs: 28_000 });
  screen.type('still here');
  await screen.waitFor('> still here', LONG);
}, 60_000);

it('a line of 1 MB from a command breaks neither the box nor the prompt', async () => {
  const rig = await testRig();
  rig.model.replies(
    [callTool('run_shell_command', { command: `head -c 1048576 /dev/zero | tr '\\0' x; echo END` })],
    [text('Seen.')],
  );
  const screen = await startUi(rig, ['--approval-mode', 'yolo']);
  await ask(screen, 'run it', '✦ Seen.');
  await screen.waitFor(isReady, LONG);
  expect(screen.history()).toContain('END');
});

it('queued messages are sent together when the answer is complete', async () => {
  const rig = await testRig();
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  rig.model.replies([text('Working'), { do: 'wait', until }, text(' done.')], [text('Both read.')]);
  const screen = await startUi(rig);
  await ask(screen, 'begin', '✦ Working');
  screen.type('second thing');
  await screen.waitFor('> second thing', LONG);
  screen.press('Tab');
  await screen.waitFor('queued: second thing', LONG);
  await command(screen, 'third thing');
  await screen.waitFor('queued: third thing', LONG);
  release();
  await screen.waitFor('✦ Both read.', LONG);
  expect(JSON.stringify(rig.model.requests[1]?.body.contents.at(-1))).toContain(
    'second thing\\n\\nthird thing',
  );
});

it('commands wait while the model works; harmless ones run', async () => {
  const rig = await testRig();
  rig.model.replies([text('Working'), silence()]);
  const screen = await startUi(rig);
  await ask(screen, 'begin', '✦ Working');
  await command(screen, '/compress');
  await screen.waitFor('cannot be queued', LONG);
  screen.press('Ctrl+C');
  await screen.waitFor((seen) => !seen.includes('> /compress'), LONG);
  await command(screen, '/about');
  await screen.waitFor('About Gemini CLI', LONG);
  screen.press('Esc');
  await screen.waitFor('Request cancelled.', LONG);
});

it('Up on an empty prompt returns the queue to the input', async () => {
  const rig = await testRig();
  rig.model.replies([text('Working'), silence()]);
  const screen = await startUi(rig);
  await ask(screen, 'begin', '✦ Working');
  await command(screen, 'changed my mind');
  await screen.waitFor('queued: changed my mind', LONG);
  screen.press('Up');
  await screen.waitFor((seen) => !seen.includes('queued:') && seen.includes('> changed my mind'), LONG);
});

it('an API error is shown with what to do, and the next prompt works', async () => {
  const rig = await testRig();
  rig.model.replies([apiError(401, 'API key not valid.')], [text('Better.')]);
  const screen = await startUi(rig);
  await ask(screen, 'first', /✕ .*API key not valid[\s\S]*GEMINI_API_KEY/);
  await screen.waitFor(isReady, LONG);
  await ask(screen, 'second', '✦ Better.');
});

it('a connection lost in the middle does not end the session', async () => {
  const rig = await testRig({ settings: { general: { maxAttempts: 1 } } });
  rig.model.replies([text('Half an ans'), cut()], [text('A whole one.')]);
  const screen = await startUi(rig);
  await command(screen, 'go');
  await screen.waitFor((seen) => isReady(seen) && /A whole one|✕|⚠/.test(seen), LONG);
});
