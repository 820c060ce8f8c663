import { callTool, text } from '@gemini-cli/test-utils';
import { testRig } from '@gemini-cli/test-utils/rig';
import { expect, it } from 'vitest';
import { scripted, speakerOf, writeAgent } from './agents.js';

it('a session killed while its agent works is resumed with the call answered and nothing lost', async () => {
  const rig = await testRig({ files: { 'a.txt': 'A\n' } });
  writeAgent(rig, 'worker', ['read_file', 'run_shell_command']);
  scripted(rig, {
    main: [
      [callTool('invoke_agent', { agent_name: 'worker', prompt: 'do it' })],
      [text('I know what the agent had done.')],
    ],
    worker: [
      [text('I read a.txt first.'), callTool('read_file', { file_path: 'a.txt' })],
      [callTool('run_shell_command', { command: 'touch started; sleep 100' })],
    ],
  });
  const run = rig.spawn('-p', 'let the worker do it', '-y');
  await rig.waitForFile('started');
  run.kill('SIGKILL');
  await run.done;

  const next = await rig.cli('-p', 'go on', '--resume', '-y');
  expect(next.exitCode, next.stderr).toBe(0);
  expect(next.stdout).toContain('I know what the agent had done.');
  const sent = rig.model.requests.filter((request) => speakerOf(request) === 'main').at(-1);
  const responses = sent?.body.contents.flatMap(({ parts }) =>
    parts.flatMap(({ functionResponse }) => (functionResponse ? [functionResponse] : [])),
  );
  expect(responses?.map(({ name }) => name)).toEqual(['invoke_agent']);
  const answer = JSON.stringify(responses);
  expect(answer).toContain('The session was interrupted while the agent worker worked');
  expect(answer).toContain('read_file');
  expect(answer).toContain('touch started');
  expect(answer).toContain('I read a.txt first.');
  const shown = await rig.cli('sessions', 'show', 'latest');
  expect(shown.stdout).toContain('Agent worker');
});
