/** MCP servers that an agent file names: only that agent has their tools, and they end with the run. */
import { existsSync, readFileSync } from 'node:fs';
import { callTool, scriptedServer, text } from '@gemini-cli/test-utils';
import { testRig } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
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

function writeAgentWith(rig: Awaited<ReturnType<typeof testRig>>, server: object): void {
  const head = ['---', 'name: asker', 'description: Asks.', 'tools: [read_file]'];
  // JSON is YAML.
  const servers = `mcp_servers: ${JSON.stringify({ own: server })}`;
  rig.writeHome('agents/asker.md', [...head, servers, '---', 'You are the agent asker.', ''].join('\n'));
}
