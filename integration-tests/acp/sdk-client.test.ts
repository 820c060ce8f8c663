/** `GeminiCliAcpClient` of the SDK with the built program. */
import { GeminiCliAcpClient } from '@gemini-cli/sdk/acp';
import { expect, it, onTestFinished } from 'vitest';
import { BUNDLE, callTool, testRig, text } from '../test-utils.js';

it('starts the program, prompts it, answers its questions, and ends it', async () => {
  const rig = await testRig({ files: { 'a.txt': 'one\n' } });
  const edit = { file_path: 'a.txt', instruction: 'x', old_string: 'one', new_string: 'two' };
  rig.model.replies([callTool('replace', edit)], [text('done')]);
  const client = await GeminiCliAcpClient.spawn({
    command: process.execPath,
    args: [BUNDLE, '--acp'],
    cwd: rig.workspace,
    env: rig.environment(),
  });
  onTestFinished(async () => void (await client.close()));
  const updates: string[] = [];
  let ended: number | null | undefined;
  client
    .on('update', ({ update }) => updates.push(update.sessionUpdate))
    .on('permission', ({ options }) => options.find(({ kind }) => kind === 'allow_once')?.optionId)
    .on('close', (code) => {
      ended = code;
    });
  expect((await client.initialize()).agentInfo?.name).toBe('gemini-cli');
  const { sessionId } = await client.newSession({ cwd: rig.workspace });
  expect((await client.prompt(sessionId, 'edit it')).stopReason).toBe('end_turn');
  expect(rig.read('a.txt')).toBe('two\n');
  expect(updates).toEqual(expect.arrayContaining(['tool_call', 'tool_call_update', 'agent_message_chunk']));
  expect(await client.close()).toBe(0);
  expect(ended).toBe(0);
});
