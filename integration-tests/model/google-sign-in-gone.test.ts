/** Settings that choose the Google sign-in, which individuals can no longer use. */
import { describe, expect, it } from 'vitest';
import { startOpenAiServer, testRig, text } from '../test-utils.js';

const NO_GOOGLE = { GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined };
const settings = { security: { auth: { selectedType: 'oauth-personal' } } };

describe('The Google sign-in without credentials', () => {
  it('gives way to GEMINI_API_KEY, which is said once', async () => {
    const rig = await testRig({ settings });
    rig.model.replies([text('hello')]);
    const run = await rig.cli('-p', 'x');
    expect(run).toMatchObject({ exitCode: 0, stdout: 'hello\n' });
    expect(run.stderr.match(/oauth-personal.*using GEMINI_API_KEY/g)).toHaveLength(1);
  });

  it("gives way to another provider's key, with a model of that provider", async () => {
    const server = await startOpenAiServer();
    const env = { ...NO_GOOGLE, OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: `${server.url}` };
    const rig = await testRig({ settings, env });
    server.replies([text('hello')]);
    const run = await rig.cli('-p', 'x');
    expect(run, run.stderr).toMatchObject({ exitCode: 0, stdout: 'hello\n' });
    expect(run.stderr).toMatch(/oauth-personal.*using OPENAI_API_KEY with openai\//);
    expect(server.lastRequest().body.model).toMatch(/^gpt-/);
  });

  it('opens the sign-in dialog on the screen, which says what happened', async () => {
    const rig = await testRig({ settings, env: NO_GOOGLE });
    const screen = await rig.screen([]);
    await screen.waitFor((seen) => /oauth-personal/.test(seen) && seen.includes('Use Gemini API Key'));
  });

  it('ends with 41 without any key, and says what works', async () => {
    const rig = await testRig({ settings, env: NO_GOOGLE });
    const run = await rig.cli('-p', 'x');
    expect(run.exitCode).toBe(41);
    expect(run.stderr).toMatch(/oauth-personal.*no longer.*GEMINI_API_KEY/s);
  });
});
