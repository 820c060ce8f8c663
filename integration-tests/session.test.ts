import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sendPrompt } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callTool, createTestConfig, executeCommand, startModelServer, text } from './test-utils.js';

describe('The engine without the program', () => {
  it('executes a simple command', async () => {
    const config = await createTestConfig();
    const result = await executeCommand(config, 'echo "hello"');
    expect(result.output).toContain('hello');
    expect(result.error).toBeUndefined();
  });

  it('turns a prompt into a stream of events, from its start to its end', async () => {
    const model = await startModelServer();
    onTestFinished(() => model.close());
    model.replies([callTool('read_file', { file_path: 'a.txt' }, 'call-1')], [text('It says A.')]);
    const config = await createTestConfig({}, { model });
    writeFileSync(join(config.getTargetDir(), 'a.txt'), 'A');
    const events = await sendPrompt(config, 'read a.txt');
    expect(events[0]).toMatchObject({ type: 'turn_started', model: 'gemini-2.5-flash' });
    expect(events.at(-1)).toEqual({
      type: 'turn_finished',
      reason: 'completed',
      agent: { id: 'main', name: 'main' },
    });
    expect(events.filter(({ type }) => type === 'tool_finished')).toMatchObject([
      { call: { status: 'success', request: { name: 'read_file', args: { file_path: 'a.txt' } } } },
    ]);
    expect(events.flatMap((event) => (event.type === 'content' ? [event.text] : [])).join('')).toBe(
      'It says A.',
    );
  });

  it('keeps the conversation over several prompts', async () => {
    const model = await startModelServer();
    onTestFinished(() => model.close());
    model.replies([text('first answer')], [text('second answer')]);
    const config = await createTestConfig({}, { model });
    await sendPrompt(config, 'one');
    await sendPrompt(config, 'two');
    expect(model.lastRequest().body.contents.map(({ role }) => role)).toEqual(['user', 'model', 'user']);
    expect(JSON.stringify(model.lastRequest().body.contents)).toMatch(/one.*first answer.*two/);
  });
});
