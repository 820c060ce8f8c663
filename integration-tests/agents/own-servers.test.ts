/** MCP servers that an agent file names: only that agent has their tools, and they end with the run. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTool, scriptedServer, text } from '@gemini-cli/test-utils';
import { type TestRig, testRig } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { command, LONG, startUi } from '../ui/ui.js';
import { scripted, speakerOf } from './agents.js';

describe('An agent with mcp_servers', () => {
  it('calls their tools; the main agent is never offered them', async () => {
    const rig = await testRig();
    const log = rig.path('log');
    writeAgentWith(rig, { ...scriptedServer({ log }), env: { LOOKUP_TOKEN: 'token-of-the-agent-file' } });
    scripted(rig, {
      main: [[callTool('invoke_agent', { agent_name: 'asker', prompt: 'Ask' })], [text('done')]],
      asker: [
        [callTool('mcp_own_environment', {})],
        [callTool('mcp_own_echo', { text: 'hi' })],
        [callTool('complete_task', { result: 'asked' })],
      ],
    });
    const run = await rig.cli('--yolo', '-p', 'go', '-o', 'stream-json');
    expect(run, run.stderr).toMatchObject({ exitCode: 0, stderr: '' });
    const requests = rig.model.requests.filter((request) => speakerOf(request) === 'asker');
    expect(JSON.stringify(requests[0]?.body.tools)).toContain('"mcp_own_echo"');
    expect(JSON.stringify(requests[2]?.body.contents)).toContain('echo: {\\"text\\":\\"hi\\"}');
    for (const request of rig.model.requests.filter((one) => speakerOf(one) === 'main'))
      expect(JSON.stringify(request.body.tools)).not.toContain('mcp_own_');
    expect(JSON.stringify(requests[2]?.body.contents)).toContain('LOOKUP_TOKEN');
    expect(run.stdout + JSON.stringify(requests[2]?.body)).not.toContain('token-of-the-agent-file');
    expect(existsSync(log) && readFileSync(log, 'utf8').match(/^start$/gm)).toHaveLength(1);
  });

  it('runs without one that cannot be started, and says which', async () => {
    const rig = await testRig();
    writeAgentWith(rig, { command: 'no-such-program' });
    scripted(rig, {
      main: [[callTool('invoke_agent', { agent_name: 'asker', prompt: 'Ask' })], [text('done')]],
      asker: [[callTool('complete_task', { result: 'alone' })]],
    });
    const run = await rig.cli('--yolo', '-p', 'go');
    expect(run).toMatchObject({ exitCode: 0, stdout: 'done\n' });
    expect(run.stderr).toContain('MCP server "own": ');
    expect(run.stderr).toContain('no-such-program');
  });
});

const rule = (body: string, decision: string, priority = 500) =>
  `[[rule]]\n${body}\ndecision = "${decision}"\npriority = ${priority}\n`;
const MAY_ASK = rule('toolName = "invoke_agent"', 'allow');

/** One headless run without yolo mode, in which the agent calls `echo` of its own server. */
async function callsEcho(
  rig: TestRig,
  rules: string[],
  server: object,
): Promise<{ declared: string; answer: string }> {
  rig.writeHome('policies/rules.toml', [MAY_ASK, ...rules].join('\n'));
  writeAgentWith(rig, server);
  scripted(rig, {
    main: [[callTool('invoke_agent', { agent_name: 'asker', prompt: 'Ask' })], [text('done')]],
    asker: [[callTool('mcp_own_echo', { text: 'hi' })], [callTool('complete_task', { result: 'asked' })]],
  });
  const before = rig.model.requests.length;
  const run = await rig.cli('-p', 'go');
  expect(run, run.stderr).toMatchObject({ exitCode: 0, stdout: 'done\n' });
  const [first, second] = rig.model.requests.slice(before).filter((one) => speakerOf(one) === 'asker');
  return {
    declared: JSON.stringify(first?.body.tools),
    answer: JSON.stringify(second?.body.contents.at(-1)),
  };
}

describe('Rules and the own servers of an agent', { timeout: 60_000 }, () => {
  it('a rule or trust for a server of the session does not allow the server of an agent', async () => {
    const rig = await testRig({
      settings: {
        mcpServers: { own: { ...scriptedServer(), trust: true } },
        mcp: { allowed: ['own'], autoAllowInHeadless: true },
        tools: { allowed: ['mcp_own_echo'] },
      },
    });
    const rules = [rule('mcpName = "own"', 'allow'), rule('toolName = "mcp_own_*"', 'allow')];
    const { declared, answer } = await callsEcho(rig, rules, scriptedServer());
    expect(declared).not.toContain('mcp_own_echo');
    expect(answer).not.toContain('echo: ');
  });

  it('a rule that names the agent allows it, and one without the agent forbids it', async () => {
    const rig = await testRig();
    const own = rule('mcpName = "own"\nsubagent = "asker"', 'allow');
    expect((await callsEcho(rig, [own], scriptedServer())).answer).toContain('echo: ');
    const denied = await callsEcho(
      rig,
      [own, rule('mcpName = "own"\ntoolName = "echo"', 'deny', 600)],
      scriptedServer(),
    );
    expect(denied.answer).not.toContain('echo: ');
  });

  it('trust in an agent file of the user is a rule for its runs, which a stronger rule overrules', async () => {
    const rig = await testRig();
    const trusted = { ...scriptedServer(), trust: true };
    expect((await callsEcho(rig, [], trusted)).answer).toContain('echo: ');
    const denied = await callsEcho(rig, [rule('toolName = "mcp_own_echo"', 'deny')], trusted);
    expect(denied.answer).not.toContain('echo: ');
  });

  it('the server of an agent hides that of the session with the same name, in its runs only', async () => {
    const tool = (name: string) => ({ name, description: 'd', inputSchema: { type: 'object' } });
    const session = { ...scriptedServer({ tools: [tool('of_session')] }), trust: true };
    const rig = await testRig({ settings: { mcpServers: { own: session } } });
    const own = { ...scriptedServer({ tools: [tool('echo')] }), trust: true };
    const { declared } = await callsEcho(rig, [], own);
    expect(declared).toContain('mcp_own_echo');
    expect(declared).not.toContain('mcp_own_of_session');
    const main = rig.model.requests.filter((one) => speakerOf(one) === 'main');
    for (const { body } of main) expect(JSON.stringify(body.tools)).toContain('mcp_own_of_session');
  });

  it('an "always" answer holds for this agent, not for a server of the session with that name', async () => {
    const rig = await testRig({ settings: { security: { enablePermanentToolApproval: true } } });
    rig.writeHome('policies/rules.toml', MAY_ASK);
    writeAgentWith(rig, scriptedServer());
    scripted(rig, {
      main: [[callTool('invoke_agent', { agent_name: 'asker', prompt: 'Ask' })], [text('All done.')]],
      asker: [
        [callTool('mcp_own_echo', { text: '1' })],
        [callTool('mcp_own_echo', { text: '2' })],
        [callTool('complete_task', { result: 'asked' })],
      ],
    });
    const screen = await startUi(rig, [], { cols: 110, rows: 40 });
    await command(screen, 'go');
    await screen.waitFor(/Allow the tool "echo" of the MCP server "own"\?[\s\S]*future sessions/, LONG);
    screen.type(/(\d)\. Allow tool for all future/.exec(screen.text())?.[1] ?? '');
    await screen.waitFor('All done.', LONG);
    await command(screen, '/quit');
    await screen.exit;
    const saved = readFileSync(join(rig.home, '.gemini/policies/auto-saved.toml'), 'utf8');
    expect(saved).toContain('subagent = "asker"');

    const { answer } = await callsEcho(rig, [], scriptedServer());
    expect(answer).toContain('echo: ');
    rig.writeHome('settings.json', JSON.stringify({ mcpServers: { own: scriptedServer() } }));
    scripted(rig, { main: [[callTool('mcp_own_echo', {})], [text('refused')]] });
    expect(await rig.cli('-p', 'go')).toMatchObject({ stdout: 'refused\n' });
    expect(JSON.stringify(rig.model.lastRequest().body.contents.at(-1))).not.toContain('echo: ');
  });
});

function writeAgentWith(rig: TestRig, server: object): void {
  const head = ['---', 'name: asker', 'description: Asks.', 'tools: [read_file, mcp_own_*]'];
  // JSON is YAML.
  const servers = `mcp_servers: ${JSON.stringify({ own: server })}`;
  rig.writeHome('agents/asker.md', [...head, servers, '---', 'You are the agent asker.', ''].join('\n'));
}
