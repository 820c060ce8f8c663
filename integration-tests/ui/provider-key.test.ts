/** A key of another provider, pasted in `/auth`: checked, saved, and used from then on. */
import { startOpenAiServer, testRig, text } from '@gemini-cli/test-utils/rig';
import { expect, it, onTestFinished } from 'vitest';
import { ask, command, isReady, LONG, startUi } from './ui.js';

it('a key pasted in /auth answers at once and in a later headless run', async () => {
  const server = await startOpenAiServer();
  onTestFinished(() => server.close());
  server.models = ['gpt-small'];
  const rig = await testRig({
    env: { OPENAI_BASE_URL: `${server.origin}/v1`, GEMINI_FORCE_FILE_STORAGE: 'true' },
  });
  server.replies([text('From the provider.')], [text('Headless, too.')]);
  const screen = await startUi(rig);
  await command(screen, '/auth');
  await screen.waitFor('Another provider or local server', LONG);
  screen.type('4');
  await screen.waitFor('1. OpenAI: paste a key', LONG);
  screen.type('1');
  await screen.waitFor(/stored in [\s\S]*gemini-credentials\.json/, LONG);
  screen.paste('sk-of-the-user');
  await screen.waitFor('**************', LONG);
  screen.press('Enter');
  await screen.waitFor('1. openai/gpt-small', LONG);
  expect(screen.text()).toMatch(/The OpenAI key works \(1 model\)\. Saved in .*gemini-credentials\.json/);
  screen.type('1');
  await screen.waitFor(
    (seen) => /\/model[\s\S]*openai\/gpt-small/.test(seen) && seen.includes('Type your'),
    LONG,
  );
  await ask(screen, 'hello', '✦ From the provider.');
  const run = await rig.cli('-p', 'hi');
  expect(run.stdout, run.stderr).toBe('Headless, too.\n');
  expect(server.lastRequest().headers['authorization']).toBe('Bearer sk-of-the-user');
  expect(screen.text()).not.toContain('sk-of-the-user');
});

it("a key pasted in /auth does not go to the address in the project's .env file", async () => {
  const server = await startOpenAiServer();
  onTestFinished(() => server.close());
  server.models = ['gpt-small'];
  const rig = await testRig({
    files: { '.env': `OPENAI_BASE_URL=${server.origin}/v1\n` },
    // The provider itself cannot be reached: nothing listens at this proxy.
    env: { GEMINI_FORCE_FILE_STORAGE: 'true', HTTPS_PROXY: 'http://127.0.0.1:1' },
  });
  const screen = await startUi(rig);
  await command(screen, '/auth');
  await screen.waitFor('Another provider or local server', LONG);
  screen.type('4');
  await screen.waitFor('1. OpenAI: paste a key', LONG);
  screen.type('1');
  await screen.waitFor(/stored in [\s\S]*gemini-credentials\.json/, LONG);
  screen.paste('sk-of-the-user');
  await screen.waitFor('**************', LONG);
  screen.press('Enter');
  await screen.waitFor(/The OpenAI key (?:could not be checked|works)/, LONG);
  expect(screen.text()).toContain('The OpenAI key could not be checked');
});

it('/auth signout asks whether to sign in again or to leave', async () => {
  const rig = await testRig({ env: { GEMINI_FORCE_FILE_STORAGE: 'true' } });
  const screen = await startUi(rig);
  await command(screen, '/auth signout');
  await screen.waitFor((seen) => seen.includes('1. Sign in') && seen.includes('2. Exit'), LONG);
  expect(screen.text()).toContain('Signed out: saved credentials are removed');
  screen.press('Enter');
  await screen.waitFor('How would you like to work?', LONG);
  screen.press('Esc');
  await screen.waitFor(isReady, LONG);
  await command(screen, '/auth signout');
  await screen.waitFor('2. Exit', LONG);
  screen.press('Esc');
  await screen.waitFor(isReady, LONG);
  await command(screen, '/auth signout');
  await screen.waitFor('2. Exit', LONG);
  screen.press('2');
  expect((await screen.exit).exitCode).toBe(0);
});
