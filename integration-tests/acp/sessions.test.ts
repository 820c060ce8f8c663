/** Sessions over ACP: stored ones, modes, models, options, and what is refused. */
import { describe, expect, it } from 'vitest';
import { apiError, blocked, callTool, testRig, text, thought } from '../test-utils.js';
import { startEditor } from './editor.js';

const EDIT = { file_path: 'a.txt', instruction: 'x', old_string: 'one', new_string: 'two' };

describe('stored sessions', () => {
  it('replays a session before the response to session/load, and continues it', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    rig.model.replies(
      [thought('**Look** at it'), text('I edit. '), callTool('replace', EDIT)],
      [text('done')],
      [text('still here')],
    );
    const first = await startEditor(rig);
    const sessionId = await first.open();
    await first.prompt(sessionId, 'edit it');
    expect(await first.close()).toBe(0);

    const second = await startEditor(rig);
    const { sessions } = await second.connection.listSessions({ cwd: rig.workspace });
    expect(sessions).toMatchObject([
      { sessionId, cwd: rig.workspace, title: 'edit it', updatedAt: expect.any(String) },
    ]);
    const loaded = await second.connection.loadSession({ sessionId, cwd: rig.workspace, mcpServers: [] });
    expect(loaded.modes?.currentModeId).toBe('default');
    expect(second.said('user_message_chunk')).toBe('edit it');
    expect(second.said('agent_thought_chunk')).toContain('**Look**');
    expect(second.said('agent_message_chunk')).toBe('I edit. done');
    expect(second.seen('tool_call')).toMatchObject([
      { status: 'completed', kind: 'edit', content: [{ type: 'diff', newText: 'two\n' }] },
    ]);
    await second.prompt(sessionId, 'and?');
    expect(second.said('agent_message_chunk')).toBe('I edit. donestill here');
    expect(JSON.stringify(rig.model.requests[2]?.body.contents)).toContain('edit it');
  });

  it('resumes without a replay, forks under a new id, and closes', async () => {
    const rig = await testRig();
    rig.model.replies([text('one')], [text('two')], [text('three')]);
    const editor = await startEditor(rig);
    const sessionId = await editor.open();
    await editor.prompt(sessionId, 'hello');
    await editor.connection.closeSession({ sessionId });
    await expect(editor.prompt(sessionId, 'again')).rejects.toMatchObject({ code: -32602 });

    const before = editor.updates.length;
    await editor.connection.resumeSession({ sessionId, cwd: rig.workspace, mcpServers: [] });
    expect(editor.updates.slice(before).map(({ update }) => update.sessionUpdate)).not.toContain(
      'user_message_chunk',
    );
    await editor.prompt(sessionId, 'more');

    const forked = await editor.connection.extMethod('session/fork', {
      sessionId,
      cwd: rig.workspace,
      mcpServers: [],
    });
    const copy = String(forked['sessionId']);
    expect(copy).not.toBe(sessionId);
    await editor.prompt(copy, 'in the copy');
    const contents = JSON.stringify(rig.model.requests[2]?.body.contents);
    expect(contents).toContain('hello');
    expect(contents).toContain('in the copy');
    const { sessions } = await editor.connection.listSessions({});
    expect(sessions.map((one) => one.sessionId).sort()).toEqual([copy, sessionId].sort());
  });

  it('deletes sessions, also an open one, and succeeds for one that is gone', async () => {
    const rig = await testRig();
    rig.model.replies([text('one')], [text('two')]);
    const first = await startEditor(rig);
    const old = await first.open();
    await first.prompt(old, 'old');
    await first.connection.closeSession({ sessionId: old });
    const open = await first.open();
    await first.prompt(open, 'open');

    const second = await startEditor(rig);
    const { connection } = second;
    await connection.deleteSession({ sessionId: old });
    const listed = async () => (await connection.listSessions({})).sessions.map((one) => one.sessionId);
    expect(await listed()).toEqual([open]);
    await expect(connection.deleteSession({ sessionId: open })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('open in another process'),
    });
    await first.connection.deleteSession({ sessionId: open });
    expect(await listed()).toEqual([]);
    await expect(first.prompt(open, 'again')).rejects.toMatchObject({ code: -32602 });
    for (const sessionId of [open, '../../etc/passwd']) await connection.deleteSession({ sessionId });
  });

  it('keeps the id of the client when the session is open in another process, and says that it is a copy', async () => {
    const rig = await testRig();
    rig.model.replies([text('first')]);
    const first = await startEditor(rig);
    const sessionId = await first.open();
    await first.prompt(sessionId, 'remember me');
    for (const method of ['loadSession', 'resumeSession'] as const) {
      rig.model.replies([text(`with ${method}`)]);
      const second = await startEditor(rig);
      await second.connection[method]({ sessionId, cwd: rig.workspace, mcpServers: [] });
      expect(second.said('agent_thought_chunk', sessionId)).toMatch(
        /^This session is open in another process\. What follows is kept in a copy of it, session [\w-]+\.$/,
      );
      expect(await second.prompt(sessionId, 'go on')).toMatchObject({ stopReason: 'end_turn' });
      expect(second.said('agent_message_chunk', sessionId)).toContain(`with ${method}`);
      await second.close();
    }
    rig.model.replies([text('of the first')]);
    await first.prompt(sessionId, 'and here?');
    expect(JSON.stringify(rig.model.requests.at(-1)?.body.contents)).not.toContain('go on');
  });

  it('refuses unknown sessions, folders and cursors with -32602, and other failures with a sentence', async () => {
    const rig = await testRig();
    const editor = await startEditor(rig);
    const { connection } = editor;
    const sessionId = 'a7c1f4c4-0000-4000-8000-000000000000';
    const cwd = rig.workspace;
    const refused = { code: -32602 };
    await expect(connection.loadSession({ sessionId, cwd, mcpServers: [] })).rejects.toMatchObject(refused);
    await expect(connection.resumeSession({ sessionId, cwd, mcpServers: [] })).rejects.toMatchObject(refused);
    await expect(connection.closeSession({ sessionId })).rejects.toMatchObject(refused);
    await expect(connection.setSessionMode({ sessionId, modeId: 'plan' })).rejects.toMatchObject(refused);
    await expect(editor.prompt(sessionId, 'x')).rejects.toMatchObject(refused);
    await expect(connection.newSession({ cwd: 'relative', mcpServers: [] })).rejects.toMatchObject(refused);
    await expect(connection.newSession({ cwd: rig.path('missing'), mcpServers: [] })).rejects.toMatchObject(
      refused,
    );
    await expect(connection.listSessions({ cursor: 'x' })).rejects.toMatchObject(refused);
    await expect(connection.extMethod('session/unknown', {})).rejects.toMatchObject({ code: -32601 });
    await connection.cancel({ sessionId });
    expect(await editor.open()).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('modes, models and options', () => {
  it('lists them, changes them and tells the client', async () => {
    const rig = await testRig();
    rig.model.replies([text('hello')]);
    const editor = await startEditor(rig);
    const { sessionId, modes, configOptions, ...rest } = await editor.connection.newSession({
      cwd: rig.workspace,
      mcpServers: [],
    });
    expect(modes?.availableModes.map(({ id }) => id)).toEqual(['default', 'autoEdit', 'plan', 'yolo']);
    const models = rest as { models?: { availableModels: { modelId: string }[]; currentModelId: string } };
    expect(models.models?.currentModelId).toBe('auto');
    expect(models.models?.availableModels[0]?.modelId).toBe('auto');
    expect(models.models?.availableModels.length).toBeGreaterThan(2);
    expect(configOptions?.map(({ id, category }) => [id, category])).toEqual([
      ['mode', 'mode'],
      ['model', 'model'],
    ]);
    await editor.connection.setSessionMode({ sessionId, modeId: 'plan' });
    expect(editor.seen('current_mode_update')).toEqual([
      { sessionUpdate: 'current_mode_update', currentModeId: 'plan' },
    ]);
    await expect(editor.connection.setSessionMode({ sessionId, modeId: 'wild' })).rejects.toMatchObject({
      code: -32602,
    });
    const changed = await editor.connection.setSessionConfigOption({
      sessionId,
      configId: 'mode',
      value: 'default',
    });
    expect(changed.configOptions[0]).toMatchObject({ id: 'mode', currentValue: 'default' });
    await editor.connection.extMethod('session/set_model', { sessionId, modelId: 'gemini-2.5-flash' });
    await editor.prompt(sessionId, 'hi');
    expect(rig.model.requests[0]?.path).toContain('gemini-2.5-flash');
  });

  it('hides yolo and "always" in a folder that is not trusted', async () => {
    const rig = await testRig({ trust: false });
    const editor = await startEditor(rig);
    const { modes } = await editor.connection.newSession({ cwd: rig.workspace, mcpServers: [] });
    expect(modes?.availableModes.map(({ id }) => id)).not.toContain('yolo');
  });
});

it('a sandbox that only a setting asks for is never left out silently', async () => {
  const rig = await testRig({ settings: { tools: { sandbox: 'bwrap' } } });
  const editor = await startEditor(rig);
  await expect(editor.open()).rejects.toMatchObject({
    code: -32603,
    message: expect.stringContaining('gemini --sandbox --acp'),
  });
});

describe('how prompts end', () => {
  it('answers with the status of the API as the error code', async () => {
    const rig = await testRig();
    rig.model.replies([apiError(400, 'Bad thing')], [apiError(401, 'Bad key')]);
    const editor = await startEditor(rig);
    const sessionId = await editor.open();
    for (const [code, problem] of [
      [400, 'Bad thing'],
      [401, 'Bad key'],
    ])
      await expect(editor.prompt(sessionId, 'x')).rejects.toMatchObject({
        code,
        message: expect.stringContaining(String(problem)),
      });
  });

  it('is "refusal" when the service blocks the prompt, and "max_turn_requests" at the limit of turns', async () => {
    const rig = await testRig({ files: { 'a.txt': 'x' }, settings: { model: { maxSessionTurns: 1 } } });
    rig.model.replies([blocked('SAFETY')], [callTool('read_file', { file_path: 'a.txt' })]);
    const editor = await startEditor(rig);
    expect((await editor.prompt(await editor.open(), 'x')).stopReason).toBe('refusal');
    expect((await editor.prompt(await editor.open(), 'x')).stopReason).toBe('max_turn_requests');
  });
});

describe('signing in', () => {
  it('is needed first where nothing is configured, takes a key of the client, and is remembered', async () => {
    const rig = await testRig({ env: { GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined } });
    const editor = await startEditor(rig);
    await expect(editor.open()).rejects.toMatchObject({ code: -32000 });
    await expect(editor.connection.authenticate({ methodId: 'none' })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(editor.connection.authenticate({ methodId: 'gemini-api-key' })).rejects.toMatchObject({
      code: -32000,
    });
    await editor.connection.authenticate({
      methodId: 'gemini-api-key',
      _meta: { 'api-key': 'of-the-client' },
    });
    expect(await editor.open()).toBeTruthy();
    const { readFileSync } = await import('node:fs');
    const settings = JSON.parse(readFileSync(`${rig.home}/.gemini/settings.json`, 'utf8'));
    expect(settings.security.auth.selectedType).toBe('gemini-api-key');
  });

  it('takes a gateway of the client, and refuses one that is malformed', async () => {
    const rig = await testRig({ env: { GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined } });
    rig.model.replies([text('through the gateway')]);
    const editor = await startEditor(rig);
    const { connection } = editor;
    for (const gateway of ['x', { baseUrl: 'ftp://x' }, { headers: { a: 1 } }])
      await expect(
        connection.authenticate({ methodId: 'gateway', _meta: { gateway } }),
      ).rejects.toMatchObject({
        code: -32602,
      });
    const gateway = { baseUrl: rig.model.url, headers: { 'X-Team': 'red' } };
    await connection.authenticate({ methodId: 'gateway', _meta: { gateway } });
    await editor.prompt(await editor.open(), 'hi');
    expect(editor.said('agent_message_chunk')).toBe('through the gateway');
    expect(rig.model.requests[0]?.headers['x-team']).toBe('red');
  });
});
