import { callTool, text, together } from '@gemini-cli/test-utils';
import { testRig } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { scripted, speakerOf, writeAgent } from './agents.js';

const REVIEWERS = ['security', 'style', 'tests'] as const;

const invoke = (name: string) =>
  callTool('invoke_agent', { agent_name: name, prompt: `Review a.ts for ${name}.` }, `call-${name}`);

describe('three agents that review one change', () => {
  it('work side by side, and their reports are gathered in order', async () => {
    const rig = await testRig({ files: { 'a.ts': 'export const a = 1;\n' } });
    for (const name of REVIEWERS) writeAgent(rig, name);
    scripted(rig, {
      main: [[together(...REVIEWERS.map(invoke))], [text('All three agree.')]],
      ...Object.fromEntries(
        REVIEWERS.map((name) => [
          name,
          [
            [callTool('read_file', { file_path: 'a.ts' }, `read-${name}`)],
            [callTool('complete_task', { result: `${name} is fine` }, `done-${name}`)],
          ],
        ]),
      ),
    });
    const run = await rig.cli('-p', 'review the change', '-o', 'stream-json');
    expect(run.exitCode, run.stderr).toBe(0);
    const lines = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const ofAgents = lines.filter(({ type }) => type === 'agent');
    expect(ofAgents.filter(({ event }) => event === 'finished')).toHaveLength(3);
    expect(new Set(ofAgents.map(({ agent }) => agent.name))).toEqual(new Set(REVIEWERS));
    // All have begun before the first has ended.
    const firstEnd = ofAgents.findIndex(({ event }) => event === 'finished');
    expect(ofAgents.slice(0, firstEnd).filter(({ event }) => event === 'started')).toHaveLength(3);
    const results = lines
      .filter(({ type }) => type === 'tool_result')
      .map(({ tool_id, output }) => [tool_id, output]);
    expect(results).toHaveLength(3);
    const last = rig.model.requests.filter((request) => speakerOf(request) === 'main').at(-1);
    const answers = last?.body.contents
      .at(-1)
      ?.parts.map(({ functionResponse }) => functionResponse?.response);
    expect(answers).toEqual(
      REVIEWERS.map((name) => ({
        output: `Subagent '${name}' finished.\nTermination Reason: GOAL\nResult: ${name} is fine`,
      })),
    );
    expect(lines.at(-1)).toMatchObject({
      type: 'result',
      stats: { agents: { style: { runs: 1, tool_calls: 2 } } },
    });

    const shown = await rig.cli('sessions', 'show', 'latest');
    for (const name of REVIEWERS) expect(shown.stdout).toContain(`${name} is fine`);
    expect(shown.stdout).toMatch(/Agent security \(security-\w+\):\n {2}ReadFile \(success\) a\.ts/);
    const page = await rig.cli('sessions', 'export', 'latest', '--format', 'html');
    expect(page.stdout).toContain('Agent style');
    const markdown = await rig.cli('sessions', 'export', 'latest', '--format', 'md');
    expect(markdown.stdout).toContain('# Agent tests');
    const json = JSON.parse((await rig.cli('sessions', 'export', 'latest', '--format', 'json')).stdout);
    expect(json.agents.map(({ agentName }: { agentName: string }) => agentName).sort()).toEqual([
      ...REVIEWERS,
    ]);

    const fork = await rig.cli('sessions', 'fork', 'latest');
    expect(fork.exitCode, fork.stderr).toBe(0);
    const [, id = ''] = /([0-9a-f]{8}-[\w-]+)/.exec(fork.stdout) ?? [];
    const copy = await rig.cli('sessions', 'show', id);
    expect(copy.stdout).toContain(id.slice(0, 8));
    expect(copy.stdout).toMatch(/Agent security \(security-\w+\):\n {2}ReadFile \(success\) a\.ts/);
  });

  it('are named with @ in a prompt', async () => {
    const rig = await testRig();
    writeAgent(rig, 'style');
    scripted(rig, { main: [[text('done')]] });
    const run = await rig.cli('-p', 'ask @style about it');
    expect(run.exitCode, run.stderr).toBe(0);
    const sent = JSON.stringify(rig.model.lastRequest().body);
    expect(sent).toContain('ask @style about it');
    expect(sent).toMatch(
      /<system_note>\\nThe user chose a sub-agent for this: call `invoke_agent` with agent_name/,
    );
    expect(sent).toContain('<available_subagents>');
  });
});

it('without agents nothing of them is in the request', async () => {
  const rig = await testRig({ settings: { experimental: { enableAgents: false } } });
  rig.model.replies([text('done')]);
  await rig.cli('-p', 'hello');
  expect(JSON.stringify(rig.model.lastRequest().body)).not.toMatch(/invoke_agent|available_subagents/);
});
