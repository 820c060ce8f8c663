/** Whole conversations of an editor with the built program, through the reference client of the protocol. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callTool, silence, testRig, text, thought, waitUntil } from '../test-utils.js';
import { startEditor } from './editor.js';

const EDIT = { file_path: 'a.txt', instruction: 'x', old_string: 'one', new_string: 'two' };

describe('a conversation over ACP', () => {
  it('streams thoughts and the answer, and counts tokens', async () => {
    const rig = await testRig();
    rig.model.replies([thought('**Plan** first'), text('Hello '), text('there')]);
    const editor = await startEditor(rig);
    const sessionId = await editor.open();
    const response = await editor.prompt(sessionId, 'hi');
    expect(response.stopReason).toBe('end_turn');
    expect(response._meta).toMatchObject({
      quota: {
        token_count: { input_tokens: 10, output_tokens: 5 },
        model_usage: [{ model: expect.any(String), token_count: { input_tokens: 10, output_tokens: 5 } }],
      },
    });
    expect(editor.said('agent_message_chunk')).toBe('Hello there');
    expect(editor.said('agent_thought_chunk')).toContain('**Plan**');
    expect(editor.seen('usage_update')).toMatchObject([{ used: 15, size: expect.any(Number) }]);
    expect(editor.seen('session_info_update')).toMatchObject([{ title: 'hi' }]);
    expect(await editor.close()).toBe(0);
    expect(editor.stderr).toBe('');
  });

  it('asks before an edit, shows the difference, and edits once the user agrees', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    rig.model.replies([callTool('replace', EDIT)], [text('done')]);
    const editor = await startEditor(rig);
    expect((await editor.prompt(await editor.open(), 'edit it')).stopReason).toBe('end_turn');
    expect(rig.read('a.txt')).toBe('two\n');
    const diff = {
      type: 'diff',
      path: rig.path('a.txt'),
      oldText: 'one\n',
      newText: 'two\n',
      _meta: { kind: 'modify' },
    };
    const [request] = editor.permissions;
    expect(request?.toolCall).toMatchObject({ status: 'pending', kind: 'edit', content: [diff] });
    expect(request?.options.map(({ optionId, kind }) => [optionId, kind])).toEqual([
      ['proceed_always', 'allow_always'],
      ['proceed_once', 'allow_once'],
      ['cancel', 'reject_once'],
    ]);
    const toolCallId = request?.toolCall.toolCallId;
    expect(editor.seen('tool_call')).toMatchObject([
      {
        toolCallId,
        status: 'pending',
        kind: 'edit',
        locations: [{ path: rig.path('a.txt') }],
        content: [diff],
      },
    ]);
    expect(editor.seen('tool_call_update')).toMatchObject([
      { toolCallId, status: 'in_progress' },
      { toolCallId, status: 'completed', content: [diff] },
    ]);
  });

  it('tells the model about a refusal, and the turn continues', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    rig.model.replies([callTool('replace', EDIT)], [text('then not')]);
    const editor = await startEditor(rig, { answer: () => 'cancel' });
    expect((await editor.prompt(await editor.open(), 'edit it')).stopReason).toBe('end_turn');
    expect(rig.read('a.txt')).toBe('one\n');
    expect(editor.seen('tool_call_update').at(-1)).toMatchObject({ status: 'failed' });
    expect(JSON.stringify(rig.model.requests[1]?.body.contents.at(-1))).toContain('did not allow this call');
    expect(editor.said('agent_message_chunk')).toBe('then not');
  });

  it('takes an unknown option for a refusal, and a cancelled request for the end of the turn', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    rig.model.replies([callTool('replace', EDIT)], [text('no')], [callTool('replace', EDIT)]);
    const answers = ['anything', undefined];
    const editor = await startEditor(rig, { answer: () => answers.shift() });
    const sessionId = await editor.open();
    expect((await editor.prompt(sessionId, 'edit it')).stopReason).toBe('end_turn');
    expect((await editor.prompt(sessionId, 'again')).stopReason).toBe('cancelled');
    expect(rig.read('a.txt')).toBe('one\n');
  });

  it('does not ask again after "always"', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n', 'b.txt': 'one\n' } });
    rig.model.replies(
      [callTool('replace', EDIT)],
      [callTool('replace', { ...EDIT, file_path: 'b.txt' })],
      [text('done')],
    );
    const editor = await startEditor(rig, { answer: () => 'proceed_always' });
    await editor.prompt(await editor.open(), 'edit both');
    expect(editor.permissions).toHaveLength(1);
    expect(rig.read('b.txt')).toBe('two\n');
    expect(editor.seen('tool_call')[1]).toMatchObject({ status: 'in_progress' });
    // The answer changes the mode, and the client is told.
    expect(editor.seen('current_mode_update')).toMatchObject([{ currentModeId: 'autoEdit' }]);
  });

  it('ends a prompt that is cancelled in mid tool, with the processes of the tool', async () => {
    const rig = await testRig();
    const command = 'echo $$ > begun.txt; sleep 60 & wait';
    rig.model.replies([callTool('run_shell_command', { command })]);
    const editor = await startEditor(rig);
    const sessionId = await editor.open();
    const answer = editor.prompt(sessionId, 'run it');
    await rig.waitForFile('begun.txt');
    await editor.connection.cancel({ sessionId });
    expect((await answer).stopReason).toBe('cancelled');
    expect(editor.seen('tool_call_update').at(-1)).toMatchObject({ status: 'failed' });
    expect(existsSync(`/proc/${rig.read('begun.txt').trim()}`)).toBe(false);
  });

  it('withdraws a permission request that the user has not answered when the prompt is cancelled', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    rig.model.replies([callTool('replace', EDIT)], [text('later')]);
    let asked: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const editor = await startEditor(rig, {
      answer: () => {
        asked();
        return new Promise(() => undefined);
      },
    });
    const sessionId = await editor.open();
    const answer = editor.prompt(sessionId, 'edit it');
    await isAsked;
    await editor.connection.cancel({ sessionId });
    expect((await answer).stopReason).toBe('cancelled');
    expect((await editor.prompt(sessionId, 'and now?')).stopReason).toBe('end_turn');
  });

  it('cancels a running prompt when the next one comes', async () => {
    const rig = await testRig();
    rig.model.replies([text('first'), silence()], [text('second')]);
    const editor = await startEditor(rig);
    const sessionId = await editor.open();
    const first = editor.prompt(sessionId, 'one');
    await editor.waitFor(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
    const second = editor.prompt(sessionId, 'two');
    expect((await first).stopReason).toBe('cancelled');
    expect((await second).stopReason).toBe('end_turn');
    expect(editor.said('agent_message_chunk')).toBe('firstsecond');
  });

  it('runs two sessions in two folders at once', async () => {
    const rig = await testRig({ files: { 'other/a.txt': 'other\n', 'a.txt': 'mine\n' } });
    rig.writeHome('trustedFolders.json', JSON.stringify({ [rig.workspace]: 'TRUST_FOLDER' }));
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    rig.model.replies([text('one '), waitUntil(released), text('done')], [text('two done')]);
    const editor = await startEditor(rig);
    const one = await editor.open();
    const two = await editor.open(rig.path('other'));
    const first = editor.prompt(one, 'hello one');
    await editor.waitFor(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
    expect((await editor.prompt(two, 'hello two')).stopReason).toBe('end_turn');
    release();
    expect((await first).stopReason).toBe('end_turn');
    expect(editor.said('agent_message_chunk', one)).toBe('one done');
    expect(editor.said('agent_message_chunk', two)).toBe('two done');
    const system = rig.model.requests.map(({ body }) => JSON.stringify(body));
    expect(system[1]).toContain(rig.path('other'));
  });
});
