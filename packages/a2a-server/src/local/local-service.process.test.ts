import { delimiter, join } from 'node:path';
import { TaskState } from '@a2a-js/sdk';
import { tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FolderTaskStore } from '../stores/folder-store.js';
import { textPart } from '../turns/events/event-factory.js';
import { lines, ServiceRig, waitingCall, writeFile } from './service-rig.test-helper.js';

async function folderStore() {
  const folder = tempDir('a2a-store-');
  onTestFinished(() => folder.cleanup());
  return FolderTaskStore.open(folder.path);
}

describe('a turn in this process', () => {
  it('streams the answer and leaves the task waiting for input, with the conversation kept', async () => {
    const rig = await ServiceRig.open(['Hello.', 'You said hi.']);
    const { taskId, events } = await rig.say('hi');
    expect(lines(events)).toEqual([
      'state-change working',
      'text-content working Hello.',
      'state-change input_required',
    ]);
    expect(events.map(({ id, isLast }) => [id, isLast])).toEqual([
      ['1-1', false],
      ['1-2', false],
      ['1-3', true],
    ]);
    await rig.say('what did I say?', taskId);
    expect(JSON.stringify(rig.model.requests[1]?.messages)).toContain('"hi"');
    const { task, turn, model } = await rig.service.get(taskId);
    expect(task.history.map(({ parts }) => parts[0]?.content?.value)).toEqual([
      'hi',
      'Hello.',
      'what did I say?',
      'You said hi.',
    ]);
    expect([turn, task.status?.state, typeof model]).toEqual([
      2,
      TaskState.TASK_STATE_INPUT_REQUIRED,
      'string',
    ]);
  });

  it('ends with input-required where a call needs the user, and runs the call after a yes', async () => {
    const rig = await ServiceRig.open([{ calls: [writeFile('a.txt', 'new')] }, 'Done.']);
    const first = await rig.say('write');
    const call = waitingCall(first.events);
    expect(lines(first.events).slice(-2)).toEqual([
      'tool-call-confirmation working awaiting_approval',
      'state-change input_required',
    ]);
    expect(call).toMatchObject({
      request: { name: 'write_file' },
      confirmationDetails: { type: 'edit', newContent: 'new' },
      tool: { name: 'write_file', kind: 'edit', canUpdateOutput: false },
    });
    expect((await rig.service.get(first.taskId)).pending).toMatchObject([
      { callId: call.request.callId, name: 'write_file' },
    ]);
    expect(rig.file('a.txt')).toBeUndefined();
    const second = await rig.reply(first.taskId, {
      callId: call.request.callId,
      outcome: 'proceed_once',
    });
    expect(lines(second.events)).toEqual([
      'state-change working',
      'tool-call-update working executing',
      'tool-call-update working success',
      'text-content working Done.',
      'state-change input_required',
    ]);
    expect(rig.file('a.txt')).toBe('new');
    expect((await rig.service.get(first.taskId)).pending).toMatchObject([]);
  });

  it('writes the content that comes with the answer, under the field names of the draft, too', async () => {
    const rig = await ServiceRig.open([{ calls: [writeFile('a.txt', 'new')] }, 'Done.']);
    const { taskId, events } = await rig.say('write');
    const { callId } = waitingCall(events).request;
    await rig.reply(taskId, { tool_call_id: callId, selected_option_id: 'proceed_once', newContent: 'mine' });
    expect(rig.file('a.txt')).toBe('mine');
  });

  it('answers an unknown call, a call that is over and an unknown outcome with a text', async () => {
    const rig = await ServiceRig.open([{ calls: [writeFile('a.txt', 'new')] }, 'Done.']);
    const { taskId, events } = await rig.say('write');
    const { callId } = waitingCall(events).request;
    const unknown = await rig.reply(taskId, { callId: 'other', outcome: 'cancel' });
    expect(lines(unknown.events)).toContain(
      'text-content working No tool call waits for an answer under the id other.',
    );
    const outcome = await rig.reply(taskId, { callId, outcome: 'perhaps' });
    expect(lines(outcome.events)[1]).toContain(`Unknown outcome "perhaps" for tool call ${callId}`);
    expect((await rig.service.get(taskId)).pending).toHaveLength(1);
    await rig.reply(taskId, { callId, outcome: 'proceed_once' });
    const again = await rig.reply(taskId, { callId, outcome: 'proceed_once' });
    expect(lines(again.events)[1]).toContain('No tool call waits');
    expect(rig.model.requests).toHaveLength(2);
  });

  it('takes words instead of an answer as a refusal, and tells the model why', async () => {
    const rig = await ServiceRig.open([{ calls: [writeFile('a.txt', 'new')] }, 'I see.']);
    const { taskId } = await rig.say('write');
    const { events } = await rig.say('into b.txt, please', taskId);
    expect(lines(events)).toContain('tool-call-update working cancelled');
    expect(JSON.stringify(rig.model.requests[1]?.messages)).toContain('into b.txt, please');
    expect(rig.file('a.txt')).toBeUndefined();
  });

  it('approves tools by itself with autoExecute, in trusted folders only', async () => {
    const calls = { calls: [writeFile('a.txt', 'new')] };
    const trusted = await ServiceRig.open([calls, 'Done.'], { settings: { autoExecute: true } });
    await trusted.say('write');
    expect(trusted.file('a.txt')).toBe('new');
    const other = await ServiceRig.open([calls, 'Done.'], {
      settings: { autoExecute: true },
      env: { GEMINI_CLI_TRUST_WORKSPACE: 'false' },
    });
    waitingCall((await other.say('write')).events);
    expect(other.file('a.txt')).toBeUndefined();
  });

  it('keeps files from tools that CUSTOM_IGNORE_FILE_PATHS names', async () => {
    const read = { calls: [{ name: 'read_file', args: { file_path: 'secret.txt' } }] };
    const env = { CUSTOM_IGNORE_FILE_PATHS: `one.ignore${delimiter}two.ignore` };
    const rig = await ServiceRig.open([read, 'Done.'], { env });
    rig.write('secret.txt', 'swordfish');
    rig.write('two.ignore', 'secret.txt\n');
    const { events } = await rig.say('read');
    expect(lines(events)).toContain('tool-call-update working error');
    expect(JSON.stringify(rig.model.requests.at(-1))).not.toContain('swordfish');
  });

  it('fails the task where the workspace does not exist or lies outside the root', async () => {
    const missing = await ServiceRig.open([], { settings: { workspacePath: '/does/not/exist' } });
    const { events, taskId } = await missing.say('hi');
    expect(lines(events).at(-1)).toMatch(/^state-change failed The workspace is not a folder/);
    await expect(missing.say('again', taskId)).rejects.toMatchObject({ code: 'unsupported' });
    const outside = await ServiceRig.open([], { settings: { workspacePath: '/' } });
    const inner = await ServiceRig.open([], {
      settings: { workspacePath: '..' },
      runner: { workspaceRoot: join(outside.workspace) },
    });
    expect(lines((await inner.say('hi')).events).at(-1)).toContain('lies outside the folder');
  });
});

describe('messages of a task', () => {
  it('count once for their id', async () => {
    const rig = await ServiceRig.open(['One.']);
    const message = rig.message([textPart('hi')]);
    const first = await rig.service.send(message);
    const second = await rig.service.send(message);
    expect(second).toEqual({ ...first, isDuplicate: true });
    expect(lines(await rig.read(first.taskId, second.after))).toHaveLength(3);
    expect(rig.model.requests).toHaveLength(1);
  });

  it('begin a task of their own where another client has used their id', async () => {
    const rig = await ServiceRig.open(['One.', 'Two.']);
    const first = await rig.turn([textPart('a secret')], { messageId: '1' });
    const other = await rig.turn([textPart('another question')], { messageId: '1' });
    expect(other.taskId).not.toBe(first.taskId);
    expect(lines(other.events)).toContain('text-content working Two.');
  });

  it('run one after the other, each with a turn of its own', async () => {
    const rig = await ServiceRig.open(['One.', 'Two.']);
    const { taskId, after } = await rig.service.send(rig.message([textPart('a')]));
    const next = await rig.service.send(rig.message([textPart('b')], { taskId }));
    expect([after, next.after]).toEqual(['1-0', '2-0']);
    expect(lines(await rig.read(taskId, next.after))).toContain('text-content working Two.');
    expect(lines(await rig.read(taskId, '1-1'))[0]).toBe('text-content working One.');
  });

  it('do not run when the task has failed before their turn', async () => {
    const rig = await ServiceRig.open([], { settings: { workspacePath: '/nowhere' } });
    const { taskId } = await rig.service.send(rig.message([textPart('a')]));
    const next = await rig.service.send(rig.message([textPart('b')], { taskId }));
    expect(lines(await rig.read(taskId, next.after))).toEqual([
      expect.stringMatching(/^state-change failed The workspace is not a folder/),
    ]);
    const { task } = await rig.service.get(taskId);
    expect(task.history.map(({ parts }) => parts[0]?.content?.value)).toEqual(['a']);
  });

  it('are refused for unknown tasks, ended ones, and without parts', async () => {
    const rig = await ServiceRig.open(['One.']);
    await expect(rig.say('hi', 'nothing')).rejects.toMatchObject({ code: 'task_not_found' });
    await expect(rig.turn([])).rejects.toMatchObject({ code: 'invalid' });
    const { taskId } = await rig.say('hi');
    const record = await rig.service.cancel(taskId);
    expect(record.task.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    await expect(rig.say('more', taskId)).rejects.toMatchObject({ code: 'unsupported' });
    await expect(rig.service.cancel(taskId)).rejects.toMatchObject({ code: 'not_cancelable' });
  });
});

describe('a look at a task', () => {
  it('opens the engine of one that rests, which its first turn uses then; never that of one that is over', async () => {
    const rig = await ServiceRig.open(['Hello.']);
    const settings = { kind: 'agent-settings' as const, workspacePath: rig.workspace };
    const { id } = await rig.service.create(settings);
    expect(await rig.service.describe?.(id)).toBeUndefined();
    const looks = await Promise.all([1, 2].map(() => rig.service.describe?.(id, { opens: true })));
    expect(looks[0]?.model).not.toBe('');
    expect(looks[1]?.availableTools.map(({ name }) => name)).toContain('write_file');
    const engine = await rig.runner.engineFor(await rig.service.get(id));
    const [turn] = await Promise.all([rig.say('hi', id), rig.service.describe?.(id, { opens: true })]);
    expect(lines(turn.events)).toContain('text-content working Hello.');
    const kept = await rig.runner.engineFor(await rig.service.get(id));
    expect(kept === engine).toBe(true);
    await rig.service.cancel(id);
    expect(await rig.service.describe?.(id, { opens: true })).toBeUndefined();
    const elsewhere = await rig.service.create({ ...settings, workspacePath: '/nowhere' });
    expect(await rig.service.describe?.(elsewhere.id, { opens: true })).toBeUndefined();
  });
});

describe('a task that is cancelled', () => {
  it('ends its turn with the state canceled while the model answers', async () => {
    const rig = await ServiceRig.open([]);
    let reached = () => {};
    const asked = new Promise<void>((resolve) => {
      reached = resolve;
    });
    rig.model.generateContentStream = async function* (_request, signal?: AbortSignal) {
      yield { candidates: [{ content: { role: 'model', parts: [{ text: 'Once ' }] } }] };
      reached();
      await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    };
    const { taskId, after } = await rig.service.send(rig.message([textPart('tell')]));
    await asked;
    const { task } = await rig.service.cancel(taskId);
    expect(task.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect(lines(await rig.read(taskId, after)).at(-1)).toBe('state-change canceled');
  });

  it('ends at once while it waits for one of the turns that may run, and leaves the next one its place', async () => {
    const rig = await ServiceRig.open([], { limits: { maxRunning: 1 } });
    const answers = [waiting(), waiting()];
    rig.model.generateContentStream = async function* () {
      const answer = answers.shift();
      await answer?.until;
      const content = { role: 'model' as const, parts: [{ text: 'Now.' }] };
      yield { candidates: [{ content, finishReason: 'STOP' }] };
    };
    const [first, second] = answers;
    const runs = await rig.service.send(rig.message([textPart('a')]));
    const waits = await rig.service.send(rig.message([textPart('b')]));
    const next = await rig.service.send(rig.message([textPart('c')]));
    const { task } = await rig.service.cancel(waits.taskId);
    expect(task.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect(lines(await rig.read(waits.taskId, waits.after)).at(-1)).toBe('state-change canceled');
    first?.end();
    expect(lines(await rig.read(runs.taskId, runs.after))).toContain('text-content working Now.');
    second?.end();
    expect(lines(await rig.read(next.taskId, next.after))).toContain('text-content working Now.');
  });
});

function waiting() {
  let end = () => {};
  const until = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { until, end: () => end() };
}

describe('a task after a restart', () => {
  it('continues a call that waits for an answer; nothing that was done is done again', async () => {
    const store = await folderStore();
    const rig = await ServiceRig.open(
      [
        { calls: [{ name: 'read_file', args: { file_path: 'in.txt' } }] },
        { calls: [writeFile('a.txt', 'new')] },
        'Done.',
      ],
      { store },
    );
    rig.write('in.txt', 'before');
    const { taskId, events } = await rig.say('copy');
    const { callId } = waitingCall(events).request;
    await rig.runner.close();
    rig.write('in.txt', 'after');
    await rig.restart();
    const next = await rig.reply(taskId, { callId, outcome: 'proceed_once' });
    expect(lines(next.events)).toEqual([
      'state-change working',
      'tool-call-update working executing',
      'tool-call-update working success',
      'text-content working Done.',
      'state-change input_required',
    ]);
    expect(rig.file('a.txt')).toBe('new');
    const sent = JSON.stringify(rig.model.requests.at(-1)?.messages);
    expect([rig.model.requests.length, sent.includes('before'), sent.includes('after')]).toEqual([
      3,
      true,
      false,
    ]);
    const { task } = await rig.service.get(taskId);
    const kinds = task.history.map(({ metadata }) => metadata?.['coderAgent'].kind);
    expect(kinds).toEqual([
      'agent-settings',
      'tool-call-update',
      'agent-settings',
      'tool-call-update',
      'text-content',
    ]);
  });

  it('continues a turn in the middle; a call without a known end is told to the model as interrupted', async () => {
    const store = await folderStore();
    const calls = [writeFile('a.txt', 'once'), writeFile('b.txt', 'never known')];
    const rig = await ServiceRig.open([{ calls }, 'I will look.'], {
      store,
      settings: { autoExecute: true },
    });
    // The process ends when the second call has begun.
    const save = store.save.bind(store);
    let isDead = false;
    store.save = async (record) => {
      if (isDead) throw new Error('dead');
      await save(record);
      const journal = record.running?.journal ?? {};
      isDead = Object.keys(journal).filter((key) => key.endsWith(':begin')).length === 2;
      if (isDead) throw new Error('dead');
    };
    const { taskId, after } = await rig.service.send(rig.message([textPart('write both')]));
    await rig.read(taskId, after);
    store.save = save;
    await rig.runner.close();
    rig.write('a.txt', 'changed since');
    await rig.restart();
    const events = lines(await rig.read(taskId));
    expect(events).toContain('state-change working Continuing after an interruption.');
    expect(events).toContain('tool-call-update working error');
    expect(events.at(-1)).toBe('state-change input_required');
    expect([rig.file('a.txt'), rig.file('b.txt')]).toEqual(['changed since', undefined]);
    expect(JSON.stringify(rig.model.requests.at(-1)?.messages)).toContain('its outcome is unknown');
    expect(rig.model.requests).toHaveLength(2);
  });

  it('runs the messages that still waited for their turn, in order, each once', async () => {
    const store = await folderStore();
    const rig = await ServiceRig.open(Array<string>(6).fill('Yes.'), { store, limits: { maxRunning: 1 } });
    // The process ends when the first turn has begun, and two more messages have been accepted.
    const save = store.save.bind(store);
    let isDead = false;
    store.save = async (record) => {
      if (isDead) throw new Error('dead');
      await save(record);
    };
    const messages = ['a', 'b', 'c'].map((text) => rig.message([textPart(text)]));
    const [first, ...others] = messages;
    if (!first) throw new Error('There is no first message.');
    const { taskId } = await rig.service.send(first);
    for (const message of others) await rig.service.send({ ...message, taskId });
    isDead = true;
    await rig.read(taskId, '3-0');
    store.save = save;
    await rig.runner.close();
    await rig.restart();
    const again = await rig.service.send({ ...messages[2], taskId } as typeof first);
    expect(again).toMatchObject({ after: '3-0', isDuplicate: true });
    await rig.read(taskId, again.after);
    const { task, turn } = await rig.service.get(taskId);
    expect(turn).toBe(3);
    expect(
      task.history.filter(({ role }) => role === 1).map(({ parts }) => parts[0]?.content?.value),
    ).toEqual(['a', 'b', 'c']);
  });
});
