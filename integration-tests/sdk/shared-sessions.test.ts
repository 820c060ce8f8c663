/** A session of the SDK belongs to `gemini`, too, and the other way round. */
import { callTool, testRig, text } from '@gemini-cli/test-utils/rig';
import { GeminiCliAgent } from '@google/gemini-cli-sdk';
import { describe, expect, it, onTestFinished } from 'vitest';

async function both() {
  const rig = await testRig();
  const env = {
    PATH: process.env['PATH'],
    HOME: rig.home,
    GEMINI_CLI_HOME: rig.home,
    GEMINI_API_KEY: 'test-key',
    GOOGLE_GEMINI_BASE_URL: rig.model.url,
    GEMINI_MODEL: 'gemini-2.5-flash',
  };
  const agent = () => {
    const made = new GeminiCliAgent({ cwd: rig.workspace, env, trust: true });
    onTestFinished(() => made.dispose());
    return made;
  };
  return { rig, agent };
}

describe('stored sessions', () => {
  it('of the SDK are listed, continued and exported by gemini', async () => {
    const { rig, agent } = await both();
    rig.write('a.txt', 'content of a');
    rig.model.replies([callTool('read_file', { file_path: 'a.txt' })], [text('I read it.')]);
    const mine = agent();
    const { sessionId } = await mine.send('read the file, please');
    await mine.dispose();
    const listed = await rig.cli('--list-sessions');
    expect(listed.stdout + listed.stderr).toContain('read the file, please');
    rig.model.replies([text('You asked me to read a file.')]);
    const { stdout, stderr } = await rig.cli('-p', 'what did I ask?', '--resume', sessionId);
    expect(stdout, stderr).toBe('You asked me to read a file.\n');
    const sent = JSON.stringify(rig.model.requests.at(-1)?.body);
    expect(sent).toContain('read the file, please');
    expect(sent).toContain('content of a');
    const exported = await rig.cli('-p', '/export talk.md', '--resume', sessionId);
    expect(exported.exitCode, exported.stdout + exported.stderr).toBe(0);
    expect(rig.read('talk.md')).toContain('read the file, please');
  });

  it('of gemini are listed and continued by the SDK', async () => {
    const { rig, agent } = await both();
    rig.model.replies([text('Hello from gemini.')]);
    await rig.cli('-p', 'remember the number 7');
    const mine = agent();
    const [stored] = await mine.listSessions();
    expect(stored?.firstUserMessage).toBe('remember the number 7');
    const session = await mine.resumeSession(stored?.id ?? '');
    expect(JSON.stringify(session.transcript)).toContain('Hello from gemini.');
    rig.model.replies([text('It was 7.')]);
    expect((await session.send('which number?')).text).toBe('It was 7.');
    expect(JSON.stringify(rig.model.requests.at(-1)?.body)).toContain('remember the number 7');
  });
});
