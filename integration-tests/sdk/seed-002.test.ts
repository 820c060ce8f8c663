/** Runs every printed example against the scripted model server. ACP has a test of its own. */
import { execFile } from 'node:child_process';
import { callTool, text } from '@gemini-cli/test-utils/rig';
import { GeminiCliAgent } from '@google/gemini-cli-sdk';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contents, sdkRig, system, toolNames } from './sdk-rig.js';

const SKILL = (name: string) => `---\nname: ${name}\ndescription: Knows ${name}.\n---\n\nBe ${name}.\n`;

async function sent(agent: GeminiCliAgent, prompt = 'hello'): Promise<string> {
  onTestFinished(() => agent.dispose());
  return (await agent.send(prompt)).text;
}

describe('seed 002', () => {
  it('simple example', async () => {
    const { model, printed } = await sdkRig();
    model.replies([text('It is a test.')]);
    await import('./seed-002/simple.js');
    expect(contents(model.requests[0])).toContain('what does this project do?');
    expect(printed.map(([event]) => event)).toContainEqual({ type: 'content', value: 'It is a test.' });
  });

  it('system instructions', async () => {
    const { model } = await sdkRig();
    model.replies([text('one')], [text('two')]);
    const { agent, dynamicAgent } = await import('./seed-002/instructions.js');
    await sent(agent);
    await sent(dynamicAgent);
    expect(system(model.requests[0])).toContain('This is a static string instruction');
    expect(system(model.requests[1])).toMatch(/The current time is \d{4}-.* in session [\w-]+\./);
  });

  it('custom tools', async () => {
    const { model, printed } = await sdkRig();
    model.replies([callTool('add', { a: 23, b: 79 })], [text('23 + 79 is 102.')]);
    await import('./seed-002/tools.js');
    expect(toolNames(model.requests[0])).toContain('add');
    expect(contents(model.requests[1])).toContain('102');
    expect(printed).toEqual([['23 + 79 is 102.']]);
  });

  it('custom hooks', async () => {
    const { model, read, folder } = await sdkRig();
    model.replies([callTool('write_file', { file_path: 'a.ts', content: 'let a = 1' })], [text('done')]);
    const { agent } = await import('./seed-002/hooks.js');
    // The printed agent was made before the test had a folder.
    await sent(new GeminiCliAgent({ ...agent.options, cwd: folder }));
    expect(read('a.ts')).toBe('let a = 1;\n');
    expect(contents(model.requests[1])).toContain(
      'Reformatted file a.ts, read again before modifying further.',
    );
  });

  it('a hook as a standalone script', async () => {
    const { folder } = await sdkRig();
    const input = {
      session_id: 's',
      transcript_path: '',
      cwd: folder,
      hook_event_name: 'BeforeTool',
      timestamp: new Date().toISOString(),
      tool_name: 'write_file',
      tool_input: { file_path: 'secrets.env', content: '' },
    };
    const here = import.meta.dirname;
    const tsconfig = `${here}/tsconfig.json`;
    const args = ['--conditions=gemini-source', '--import', 'tsx', `${here}/seed-002/hook-command.ts`];
    const stdout = await new Promise<string>((resolve, reject) => {
      const env = { ...process.env, TSX_TSCONFIG_PATH: tsconfig };
      const child = execFile(process.execPath, args, { cwd: `${here}/../..`, env }, (error, out) =>
        error ? reject(error) : resolve(out),
      );
      child.stdin?.end(JSON.stringify(input));
    });
    expect(JSON.parse(stdout)).toEqual({ decision: 'deny', reason: 'Never write .env files.' });
  });

  it('custom skills', async () => {
    const { model, write, folder } = await sdkRig();
    write('my-skill/SKILL.md', SKILL('single'));
    write('skills-collection/first/SKILL.md', SKILL('first'));
    write('skills-collection/second/SKILL.md', SKILL('second'));
    model.replies([text('ok')]);
    const { agent } = await import('./seed-002/skills.js');
    await sent(new GeminiCliAgent({ ...agent.options, cwd: folder }));
    for (const name of ['single', 'first', 'second'])
      expect(system(model.requests[0])).toContain(`Knows ${name}.`);
  });

  it('sub-agents', async () => {
    const { model, folder } = await sdkRig();
    model.replies(
      [callTool('invoke_agent', { agent_name: 'my-subagent', prompt: 'a' })],
      [callTool('complete_task', { result: 'first report' })],
      [callTool('invoke_agent', { agent_name: 'dynamic-subagent', prompt: 'b' })],
      [callTool('complete_task', { result: 'second report' })],
      [callTool('invoke_agent', { agent_name: 'full-subagent', prompt: 'c' })],
      [text('third report')],
      [text('all done')],
    );
    const { agent } = await import('./seed-002/subagents.js');
    expect(await sent(new GeminiCliAgent({ ...agent.options, cwd: folder }))).toBe('all done');
    expect(system(model.requests[1])).toContain('the instructions');
    expect(system(model.requests[3])).toContain('can also be dynamic with context: b in ');
    expect(system(model.requests[5])).toContain('I am a whole agent.');
    expect(contents(model.requests[6])).toMatch(/first report.*second report.*third report/s);
  });

  it('extensions', async () => {
    const { model, write, folder } = await sdkRig();
    write('my-skill/SKILL.md', SKILL('single'));
    model.replies([callTool('ping')], [text('ok')]);
    const { agent } = await import('./seed-002/extensions.js');
    await sent(new GeminiCliAgent({ ...agent.options, cwd: folder }));
    const instructions = system(model.requests[0]);
    expect(instructions).toMatch(/Of the agent\.\s+THESE ARE CONCATENATED WITH OTHER AGENT INSTRUCTIONS/);
    expect(instructions).toContain('Knows single.');
    expect(instructions).toContain('helper');
    expect(contents(model.requests[1])).toContain('pong');
  });

  it('the session context fits the printed interfaces', async () => {
    const { folder } = await sdkRig();
    const { asPrinted } = await import('./seed-002/session-context.js');
    const agent = new GeminiCliAgent({ cwd: folder });
    onTestFinished(() => agent.dispose());
    const session = agent.session();
    await session.initialize();
    const ctx = asPrinted(session.context());
    await ctx.fs.writeFile('a.txt', 'written');
    expect(await ctx.fs.readFile('a.txt')).toBe('written');
    expect(ctx.session.id).toBe(ctx.sessionId);
  });

  it('SDK integration of seed 003', async () => {
    const { model, folder, printed } = await sdkRig();
    model.replies([text('stored')], [text('Hi!')], [text('Me, too.')]);
    const earlier = new GeminiCliAgent({ cwd: folder });
    const { sessionId } = await earlier.send('remember me');
    await earlier.dispose();
    process.env['EXISTING_ID'] = sessionId;
    await import('./seed-002/sdk-integration.js');
    delete process.env['EXISTING_ID'];
    expect(printed.map(([event]) => event)).toContainEqual({ type: 'content', value: 'Hi!' });
    expect(contents(model.requests[2])).toContain('remember me');
  });
});
