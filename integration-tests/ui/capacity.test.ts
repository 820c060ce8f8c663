/** What the screen says and asks when the model's server has no room, no quota left, or does not answer. */
import { apiError, testRig, text } from '@gemini-cli/test-utils/rig';
import { expect, it } from 'vitest';
import { command, isReady, LONG, startUi } from './ui.js';

const busy = (retryDelay: string) => apiError(503, 'The model is overloaded.', { retryDelay });
const BUSY = busy('0.02s');

it('"Keep trying" asks the same model until it answers, also without another model', async () => {
  const rig = await testRig({ settings: { general: { maxAttempts: 2 } } });
  // A question that comes while the user types is not answered by the keys: this one comes later.
  rig.model.replies([busy('0.8s')], [BUSY], [BUSY], [BUSY], [text('There you are.')]);
  const screen = await startUi(rig, ['-m', 'my-custom-model']);
  await command(screen, 'hello');
  await screen.waitFor((seen) => seen.includes('1. Keep trying') && seen.includes('2. Stop'), LONG);
  expect(rig.model.requests).toHaveLength(2);
  screen.press('Enter');
  await screen.waitFor((seen) => seen.includes('There you are.') && isReady(seen), LONG);
  expect(rig.model.requests).toHaveLength(5);
}, 60_000);

it('a retry keeps countdown, attempt and Esc in 60 columns', async () => {
  const rig = await testRig();
  rig.model.replies([apiError(503, 'The model is overloaded. '.repeat(9), { retryDelay: '20s' })]);
  const screen = await startUi(rig, [], { cols: 60 });
  await command(screen, 'hello');
  await screen.waitFor(/Server error 503 · retrying in \d+s \(2\/\d+\) · esc to cancel/, LONG);
  screen.press('Esc');
  await screen.waitFor('Request cancelled.', LONG);
}, 60_000);

it('a used-up quota is said once, with its end and the words of the screen', async () => {
  const rig = await testRig();
  rig.model.replies([apiError(429, 'You exceeded your current quota.', { retryDelay: '7200s' })]);
  const screen = await startUi(rig, ['-m', 'my-custom-model'], { cols: 120 });
  await command(screen, 'hello');
  await screen.waitFor(/Quota used up until [\d: -]+\. Switch models with \/model/, LONG);
  const seen = screen.text();
  expect(seen).not.toContain('--model');
  expect(seen.match(/\/model;/g)).toHaveLength(1);
}, 60_000);

it('F12 lists a failed request in full, and the footer counts it when asked to', async () => {
  const rig = await testRig({ settings: { ui: { errorVerbosity: 'full' } } });
  rig.model.replies([apiError(400, 'This request is wrong.')]);
  const screen = await startUi(rig, [], { cols: 140, rows: 40 });
  await screen.waitFor('gemini-api-key  /auth', LONG);
  await command(screen, 'hello');
  await screen.waitFor(/ 1 error \(F12 for details\)/, LONG);
  screen.press('F12');
  await screen.waitFor(/Errors of this session\s+\S+ \[API Error: This request is wrong\. \(HTTP 400/, LONG);
}, 60_000);
