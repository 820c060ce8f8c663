/** What a prompt may hold: links, embedded resources, pictures, commands. */
import { describe, expect, it } from 'vitest';
import { callTool, scriptedServer, type TestRig, testRig, text, userText } from '../test-utils.js';
import { startEditor } from './editor.js';

const link = (path: string) => ({ type: 'resource_link' as const, name: 'x', uri: `file://${path}` });

/** All text of the last request's message. */
function sent(rig: TestRig): string {
  return userText(rig, rig.model.requests.length - 1);
}

function parts(rig: TestRig) {
  return rig.model.requests.at(-1)?.body.contents.at(-1)?.parts ?? [];
}

describe('content blocks', () => {
  it('reads linked files, keeps other addresses as text, and respects ignore rules', async () => {
    const rig = await testRig({
      files: {
        'src/a b.ts': 'export const a = 1;\n',
        '.geminiignore': 'secret.txt\n',
        'secret.txt': 'hidden',
      },
    });
    rig.model.replies([text('ok')]);
    const editor = await startEditor(rig);
    const blocks = [
      link(rig.path('src/a b.ts').replace(' ', '%20')),
      { type: 'resource_link' as const, name: 'web', uri: 'https://example.com/x' },
      link(rig.path('secret.txt')),
      link(rig.path('missing.txt')),
    ];
    expect((await editor.prompt(await editor.open(), 'look at ', ...blocks)).stopReason).toBe('end_turn');
    const said = sent(rig);
    expect(said).toContain('export const a = 1;');
    expect(said).toContain('@https://example.com/x');
    expect(said).not.toContain('hidden');
    expect(editor.said('agent_thought_chunk')).toMatch(
      /secret\.txt was not read.*ignored[\s\S]*missing\.txt was not read/,
    );
  });

  it('asks about a file outside the workspace', async () => {
    const rig = await testRig({ files: { 'in/x.txt': '' } });
    const outside = rig.write('../outside.txt', 'from outside');
    rig.model.replies([text('ok')], [text('ok')]);
    const answers = ['proceed_once', 'cancel'];
    const editor = await startEditor(rig, { answer: () => answers.shift() });
    const sessionId = await editor.open();
    await editor.prompt(sessionId, 'read ', link(outside));
    expect(editor.permissions[0]?.options.map(({ kind }) => kind)).toEqual(['allow_once', 'reject_once']);
    expect(sent(rig)).toContain('from outside');
    await editor.prompt(sessionId, 'read ', link(outside));
    expect(sent(rig)).toContain('did not allow reading');
    expect(sent(rig)).not.toContain('from outside');
  });

  it('goes on when a linked file cannot be read, and says so', async () => {
    const rig = await testRig();
    rig.model.replies([text('ok')]);
    const editor = await startEditor(rig);
    const { stopReason } = await editor.prompt(await editor.open(), 'read ', link('/dev/zero'));
    expect(stopReason).toBe('end_turn');
    expect(sent(rig)).toContain('could not be read');
    expect(editor.said('agent_thought_chunk')).toContain('Not a regular file');
  });

  it('sends pictures, sound and embedded resources', async () => {
    const rig = await testRig();
    rig.model.replies([text('ok')]);
    const editor = await startEditor(rig);
    await editor.prompt(
      await editor.open(),
      'see',
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      { type: 'audio', mimeType: 'audio/wav', data: 'BBBB' },
      { type: 'resource', resource: { uri: 'file:///tmp/unsaved.ts', text: 'let unsaved;' } },
      { type: 'resource', resource: { uri: 'file:///tmp/a%20b.ts#L10:20', text: 'selected' } },
      { type: 'resource', resource: { uri: 'file:///tmp/c.ts?symbol=f#L7', text: 'one line' } },
      { type: 'resource', resource: { uri: 'mem:x', blob: 'CCCC', mimeType: 'application/pdf' } },
    );
    const media = parts(rig).flatMap((part) => (part['inlineData'] ? [part['inlineData']] : []));
    expect(media).toMatchObject([
      { mimeType: 'image/png', data: 'AAAA' },
      { mimeType: 'audio/wav', data: 'BBBB' },
      { mimeType: 'application/pdf', data: 'CCCC' },
    ]);
    expect(sent(rig)).toContain('--- Content of @/tmp/unsaved.ts ---\nlet unsaved;');
    expect(sent(rig)).toContain('--- Content of @/tmp/a b.ts, lines 10 to 20 ---\nselected');
    expect(sent(rig)).toContain('--- Content of @/tmp/c.ts, line 7 ---\none line');
  });
});

describe('commands', () => {
  it('are announced, run without the model, and become prompts', async () => {
    const rig = await testRig({
      files: {
        '.gemini/commands/hello.toml': 'description = "Greets"\nprompt = "Say hello to {{args}}"\n',
        'GEMINI.md': 'Be brief.\n',
      },
    });
    rig.model.replies([text('hello Ann')], [text('ok')]);
    const editor = await startEditor(rig);
    const sessionId = await editor.open();
    const update = await editor.waitFor(({ sessionUpdate }) => sessionUpdate === 'available_commands_update');
    const commands = update.sessionUpdate === 'available_commands_update' ? update.availableCommands : [];
    expect(commands.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['about', 'extensions', 'help', 'init', 'memory', 'restore', 'hello']),
    );
    expect(commands.find(({ name }) => name === 'memory')?.input?.hint).toContain('show');
    expect(commands.find(({ name }) => name === 'restore')?.input?.hint).toBe('arguments');
    expect((await editor.prompt(sessionId, '/memory show')).stopReason).toBe('end_turn');
    expect(editor.said('agent_message_chunk')).toContain('Be brief.');
    expect(rig.model.requests).toHaveLength(0);
    await editor.prompt(sessionId, '/hello Ann');
    expect(sent(rig)).toContain('Say hello to Ann');
    await editor.prompt(sessionId, '/unknown thing');
    expect(sent(rig)).toContain('/unknown thing');
  });

  it('take the files and pictures that came with them', async () => {
    const rig = await testRig({
      files: {
        '.gemini/commands/review.toml': 'prompt = "Review {{args}} well."\n',
        'a.ts': 'export const a = 1;\n',
      },
    });
    rig.model.replies([text('fine')], [text('fine, too')]);
    const editor = await startEditor(rig);
    const sessionId = await editor.open();
    const picture = { type: 'image' as const, mimeType: 'image/png', data: 'AAAA' };
    await editor.prompt(sessionId, '/review ', link(rig.path('a.ts')), ' for bugs', picture);
    expect(sent(rig)).toMatch(/Review for bugs well\.[\s\S]*a\.ts[\s\S]*export const a = 1;/);
    expect(parts(rig).some((part) => part['inlineData'])).toBe(true);
    await editor.prompt(sessionId, link(rig.path('a.ts')), '/review this');
    expect(sent(rig)).toMatch(/Review this well\.[\s\S]*export const a = 1;/);
    await editor.prompt(sessionId, '/memory show', link(rig.path('a.ts')));
    expect(rig.model.requests).toHaveLength(2);
  });

  it('ask before they run shell commands', async () => {
    const rig = await testRig({
      files: { '.gemini/commands/count.toml': 'prompt = "Result: !{touch made.txt && echo 7}"\n' },
    });
    rig.model.replies([text('seven')]);
    const answers = ['cancel', 'proceed_once'];
    const editor = await startEditor(rig, { answer: () => answers.shift() });
    const sessionId = await editor.open();
    await editor.prompt(sessionId, '/count');
    expect(rig.exists('made.txt')).toBe(false);
    await editor.prompt(sessionId, '/count');
    expect(sent(rig)).toContain('Result: 7');
  });
});

describe('servers and plans', () => {
  it('starts the MCP servers of the client for its session, and waits for them with the first prompt', async () => {
    const rig = await testRig();
    const { command, args } = scriptedServer({ tools: [{ name: 'add' }] });
    rig.model.replies([callTool('mcp_sums_add', {})], [text('done')]);
    const editor = await startEditor(rig, { answer: () => 'proceed_once' });
    const { sessionId } = await editor.connection.newSession({
      cwd: rig.workspace,
      mcpServers: [{ name: 'sums', command, args: [...args], env: [] }],
    });
    expect((await editor.prompt(sessionId, 'add')).stopReason).toBe('end_turn');
    expect(editor.permissions[0]?.options.map(({ optionId }) => optionId)).toEqual([
      'proceed_always_server',
      'proceed_always_tool',
      'proceed_once',
      'cancel',
    ]);
    expect(JSON.stringify(rig.model.requests[1]?.body.contents.at(-1))).toContain('add: {}');
    expect(editor.permissions[0]?.toolCall.title).toBe('add (sums MCP Server)');
  });

  it('shows the todo list as a plan', async () => {
    const rig = await testRig();
    const todos = [
      { description: 'Look', status: 'completed' },
      { description: 'Write', status: 'in_progress' },
      { description: 'Test', status: 'pending' },
    ];
    rig.model.replies([callTool('write_todos', { todos })], [text('ok')]);
    const editor = await startEditor(rig, { args: ['-m', 'gemini-2.5-flash'] });
    await editor.prompt(await editor.open(), 'plan');
    expect(editor.seen('plan')).toEqual([
      {
        sessionUpdate: 'plan',
        entries: [
          { content: 'Look', priority: 'medium', status: 'completed' },
          { content: 'Write', priority: 'medium', status: 'in_progress' },
          { content: 'Test', priority: 'medium', status: 'pending' },
        ],
      },
    ]);
  });

  it('offers one option per choice of a question of the model', async () => {
    const rig = await testRig();
    const questions = [
      {
        header: 'Colour',
        question: 'Which colour?',
        type: 'choice',
        options: [
          { label: 'Red', description: 'warm' },
          { label: 'Blue', description: 'cold' },
        ],
      },
    ];
    rig.model.replies([callTool('ask_user', { questions })], [text('ok')]);
    const editor = await startEditor(rig, { answer: () => 'choice-1' });
    await editor.prompt(await editor.open(), 'ask me');
    expect(editor.permissions[0]?.options.map(({ name }) => name)).toEqual(['Red', 'Blue', 'No answer']);
    expect(JSON.stringify(rig.model.requests[1]?.body.contents.at(-1))).toContain('Blue');
  });

  it('asks about calls of sub-agents, too, and shows how they end', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    const edit = { file_path: 'a.txt', instruction: 'x', old_string: 'one', new_string: 'two' };
    rig.model.replies(
      [callTool('invoke_agent', { agent_name: 'generalist', prompt: 'edit a.txt' })],
      [callTool('replace', edit)],
      [callTool('complete_task', { result: { response: 'edited' } })],
      [text('done')],
    );
    const editor = await startEditor(rig);
    expect((await editor.prompt(await editor.open(), 'go')).stopReason).toBe('end_turn');
    expect(rig.read('a.txt')).toBe('two\n');
    const calls = editor.seen('tool_call');
    expect(calls.map(({ kind }) => kind)).toEqual(['think', 'edit']);
    const ends = editor.seen('tool_call_update').filter(({ status }) => status === 'completed');
    expect(ends.map(({ toolCallId }) => toolCallId).sort()).toEqual(
      calls.map(({ toolCallId }) => toolCallId).sort(),
    );
  });
});
