import { callTool, text } from '@gemini-cli/test-utils';
import { type TestRig, testRig } from '@gemini-cli/test-utils/rig';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startAgentServer,
  type TestServer,
} from '../../packages/core/src/agents/remote/a2a-server.test-helper.js';
import { command, LONG, startUi } from '../ui/ui.js';

let server: TestServer;
beforeAll(async () => {
  server = await startAgentServer();
});
afterAll(() => server.close());

const invoke = (prompt: string) => callTool('invoke_agent', { agent_name: 'reviewer', prompt });

function writeReviewer(rig: TestRig, ...more: string[]): void {
  const head = [
    'kind: remote',
    'name: reviewer',
    'description: Our reviewer.',
    `agent_card_url: ${server.cardUrl}`,
  ];
  rig.writeHome('agents/reviewer.md', `---\n${[...head, ...more].join('\n')}\n---\n`);
}

function allow(rig: TestRig): void {
  rig.writeHome(
    'policies/reviewer.toml',
    '[[rule]]\ntoolName = "reviewer"\ndecision = "allow"\npriority = 100\n',
  );
}

/** What the model read of the calls, in order. */
function answersIn(rig: TestRig): unknown[] {
  return rig.model
    .lastRequest()
    .body.contents.flatMap(({ parts }) =>
      parts.flatMap(({ functionResponse }) => (functionResponse ? [functionResponse.response] : [])),
    );
}

describe('an agent on a server', () => {
  it('is described by its card, and continues its task when it waited for input', async () => {
    const rig = await testRig();
    writeReviewer(rig);
    allow(rig);
    rig.model.replies(
      [invoke('ask about it')],
      [invoke('the main branch')],
      [invoke('stream')],
      [text('done')],
    );
    const run = await rig.cli('-p', 'review it');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stderr).not.toContain('reviewer');
    const [first] = rig.model.requests;
    const system = JSON.stringify(first?.body['systemInstruction']);
    expect(system).toContain(
      "Our reviewer.\\nThe agent's card says: Reviews changes.\\nSkills:\\n- Review: Reads a diff",
    );
    const [asked, answered, streamed] = answersIn(rig);
    expect(asked).toEqual({
      output:
        '<untrusted_context>\nWhich branch?\n</untrusted_context>\n\n' +
        'The remote agent reviewer waits for input. Invoke it again with the answer to continue the task.',
    });
    expect(answered).toEqual({
      output: '<untrusted_context>\nYou answered: the main branch\n</untrusted_context>',
    });
    expect(JSON.stringify(streamed)).toContain('Artifact: report.md\\nLine one, line two');
    expect(server.messages.map(({ isContinued }) => isContinued)).toEqual([false, true, false]);
  });

  it('is not called in a headless run without a rule that allows it', async () => {
    const rig = await testRig();
    writeReviewer(rig);
    rig.model.replies([invoke('hello')], [text('refused')]);
    const before = server.messages.length;
    const run = await rig.cli('-p', 'review it');
    expect(run.stdout).toContain('refused');
    expect(server.messages).toHaveLength(before);
  });

  it('that fails is an error of its call, marked as untrusted', async () => {
    const rig = await testRig();
    writeReviewer(rig);
    allow(rig);
    rig.model.replies([invoke('fail')], [text('it failed')]);
    const run = await rig.cli('-p', 'review it', '-o', 'stream-json');
    const lines = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ type }) => type === 'agent')).toMatchObject([
      { event: 'started', agent: { name: 'reviewer', parent_id: 'main' } },
      { event: 'finished', terminate_reason: 'ERROR' },
    ]);
    expect(lines.at(-1)).toMatchObject({ stats: { agents: { reviewer: { runs: 1 } } } });
    expect(answersIn(rig)).toEqual([
      {
        error:
          '<untrusted_context>\nIt broke\n</untrusted_context>\n\nThe task of the remote agent reviewer failed.',
      },
    ]);
  });

  it('without a card is reported once, and the session continues', async () => {
    const rig = await testRig();
    rig.writeHome(
      'agents/gone.md',
      '---\nkind: remote\nname: gone\ndescription: Gone.\nagent_card_url: http://127.0.0.1:1/card.json\n---\n',
    );
    rig.model.replies([text('fine')]);
    const run = await rig.cli('-p', 'hello');
    expect(run.stdout).toContain('fine');
    expect(run.stderr.match(/The remote agent gone is not available yet/g)).toHaveLength(1);
  });

  it('is called in the terminal after a question that names it and the message; Esc cancels its task', async () => {
    const rig = await testRig();
    writeReviewer(rig);
    const cancelled = server.cancelled.length;
    rig.model.replies([invoke('wait for the user')], [text('over')]);
    const screen = await startUi(rig);
    await command(screen, 'review it');
    await screen.waitFor(/reviewer[\s\S]*wait for the user[\s\S]*1\. /, LONG);
    screen.press('Enter');
    await screen.waitFor('Waiting', LONG);
    screen.press('Esc');
    await screen.waitFor('ancelled', LONG);
    await expect.poll(() => server.cancelled.length, LONG_POLL).toBe(cancelled + 1);
  });
});

const LONG_POLL = { timeout: 10_000 };
