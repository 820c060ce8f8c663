/** Whole conversations of an editor with the built program, through the reference client of the protocol. */
import { describe, expect, it } from 'vitest';
import { callTool, testRig, text, thought } from '../test-utils.js';
import { startEditor } from './editor.js';

describe('a conversation over ACP', () => {
  it('streams thoughts and the answer, and counts tokens', async () => {
    const rig = await testRig();
    rig.model.replies([thought('**Plan** first'), text('Hello '), text('there')]);
    const editor = await startEditor(rig);
    const sessionId = await editor.open();
    const response = await editor.prompt(sessionId, 'hi');
    expect(response.stopReason).toBe('end_turn');
    expect(response._meta).toMatchObject({ quota: { token_count: { input_tokens: 10, output_tokens: 5 } } });
    expect(editor.said('agent_message_chunk')).toBe('Hello there');
    expect(editor.said('agent_thought_chunk')).toContain('**Plan**');
    expect(editor.seen('usage_update')).toMatchObject([{ used: 15, size: expect.any(Number) }]);
    expect(await editor.close()).toBe(0);
  });

  it('asks before an edit, shows the difference, and edits', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    rig.model.replies(
      [callTool('replace', { file_path: 'a.txt', instruction: 'x', old_string: 'one', new_string: 'two' })],
      [text('done')],
    );
    const editor = await startEditor(rig);
    const response = await editor.prompt(await editor.open(), 'edit it');
    expect(response.stopReason).toBe('end_turn');
    expect(rig.read('a.txt')).toBe('two\n');
    expect(editor.permissions).toHaveLength(1);
  });
});
