/** Two programs talk over A2A: `gemini` with a remote agent, which is the server of another workspace. */
import { testRig } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { callTool, text } from '../test-utils.js';
import { a2aRig, startServer } from './a2a-rig.js';

describe('a remote agent that is this program, too', { timeout: 90_000 }, () => {
  it('asks for permission across the wire, writes after it was given, and keeps the conversation', async () => {
    const remote = await a2aRig({ files: { 'a.txt': 'old\n' } });
    const server = await startServer(remote, {
      CODER_AGENT_WORKSPACE_PATH: remote.workspace,
      CODER_AGENT_AUTH_TOKEN: 'shared-secret',
    });
    const local = await testRig({ env: { WORKER_TOKEN: 'shared-secret' } });
    local.writeHome(
      'agents/worker.md',
      `---\nkind: remote\nname: worker\ndescription: Works elsewhere.\nagent_card_url: ${server.origin}/.well-known/agent-card.json\nauth:\n  type: http\n  scheme: Bearer\n  token: $WORKER_TOKEN\n---\n`,
    );
    local.writeHome(
      'policies/worker.toml',
      '[[rule]]\ntoolName = "worker"\ndecision = "allow"\npriority = 100\n',
    );
    remote.model.replies(
      [callTool('write_file', { file_path: 'a.txt', content: 'new\n' }, 'remote-1')],
      [text('It is written.')],
    );
    const invoke = (prompt: string) => callTool('invoke_agent', { agent_name: 'worker', prompt });
    local.model.replies(
      [invoke('Write new into a.txt')],
      (request) => {
        const said = JSON.stringify(request.body.contents.at(-1));
        expect(remote.read('a.txt')).toBe('old\n');
        expect(said).toContain('It asks for permission to run write_file');
        const callId = /callId\\+":\\+"([^"\\]+)/.exec(said)?.[1];
        return [invoke(JSON.stringify({ callId, outcome: 'proceed_once' }))];
      },
      [text('All done.')],
    );
    const run = await local.cli('-p', 'let the worker do it');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toContain('All done.');
    expect(remote.read('a.txt')).toBe('new\n');
    expect(JSON.stringify(local.model.lastRequest().body.contents.at(-1))).toContain('It is written.');
    expect(remote.model.requests).toHaveLength(2);
  });
});
