/** Sessions of other programs are resumed where they ended. */
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, type TestRig, testRig, text } from '../test-utils.js';

const LONG = { timeoutMs: 50_000 };
const ID = '5b1c2f3e-8a4d-4c6b-9e0f-112233445566';
const NAME = 'session-2026-05-04T09-30-5b1c2f3e.jsonl';
const CHATS = 'tmp/my-project/chats';

/** As Gemini CLI 0.61 writes it: context by `$set.messages`, calls inside answers, a time after every message. */
function sessionOf061({ workspace }: TestRig): object[] {
  const path = join(workspace, 'a.txt');
  const at = (minute: number) => `2026-05-04T09:${minute}:00.000Z`;
  const updated = (minute: number) => ({ $set: { lastUpdated: at(minute) } });
  const message = (id: string, minute: number, fields: object) => ({ id, timestamp: at(minute), ...fields });
  const context = message('m0', 30, {
    type: 'user',
    content: [{ text: '<session_context>\nToday is long ago.\n</session_context>' }],
  });
  const tokens = { input: 100, output: 10, cached: 0, thoughts: 5, tool: 0, total: 115 };
  const edit = {
    id: 'replace-1746351060000-1a2b',
    name: 'replace',
    args: { file_path: path, old_string: 'one', new_string: 'two' },
    result: [
      {
        functionResponse: {
          id: 'replace-1746351060000-1a2b',
          name: 'replace',
          response: { output: 'Edited.' },
        },
      },
    ],
    status: 'success',
    timestamp: at(32),
    displayName: 'Edit',
    description: 'a.txt: one => two',
    renderOutputAsMarkdown: true,
    resultDisplay: {
      fileDiff: `--- a.txt\n+++ a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n`,
      fileName: 'a.txt',
      filePath: path,
      originalContent: 'one\n',
      newContent: 'two\n',
      isNewFile: false,
      diffStat: { model_added_lines: 1, model_removed_lines: 1 },
    },
  };
  const todos = {
    id: 'write_todos-1746351300000-3c4d',
    name: 'write_todos',
    args: { todos: [] },
    result: [{ functionResponse: { id: 'x', name: 'write_todos', response: { output: 'Noted.' } } }],
    status: 'success',
    timestamp: at(35),
    resultDisplay: {
      todos: [
        { description: 'make it two', status: 'completed' },
        { description: 'make it three', status: 'in_progress' },
      ],
    },
  };
  const thoughts = [{ subject: 'Editing', description: 'One word only.', timestamp: at(32) }];
  return [
    {
      sessionId: ID,
      projectHash: createHash('sha256').update(workspace).digest('hex'),
      startTime: at(30),
      lastUpdated: at(30),
      kind: 'main',
    },
    { $set: { messages: [context] } },
    message('m1', 31, { type: 'user', content: [{ text: 'make it two' }] }),
    updated(31),
    message('m2', 32, { type: 'gemini', content: 'I change it.', thoughts, tokens, model: 'gemini-2.5-pro' }),
    updated(32),
    message('m2', 32, {
      type: 'gemini',
      content: 'I change it.',
      thoughts,
      tokens,
      model: 'gemini-2.5-pro',
      toolCalls: [edit],
    }),
    updated(33),
    message('m3', 33, { type: 'info', content: 'Request cancelled.' }),
    message('m4', 34, { type: 'user', content: [{ text: '/stats' }] }),
    message('m5', 35, {
      type: 'gemini',
      content: 'It is two now.',
      tokens,
      model: 'gemini-2.5-pro',
      toolCalls: [todos],
    }),
    updated(35),
  ];
}

async function rigWith061(): Promise<TestRig> {
  const rig = await testRig({ files: { 'a.txt': 'two\n' } });
  const lines = sessionOf061(rig).map((line) => `${JSON.stringify(line)}\n`);
  rig.writeHome('projects.json', JSON.stringify({ projects: { [rig.workspace]: 'my-project' } }));
  rig.writeHome('tmp/my-project/.project_root', rig.workspace);
  rig.writeHome(`${CHATS}/${NAME}`, lines.join(''));
  return rig;
}

const chatsOf = (rig: TestRig) => join(rig.home, '.gemini', CHATS);
const recorded = (rig: TestRig) => readFileSync(join(chatsOf(rig), NAME), 'utf8');

describe('A session of Gemini CLI 0.61', { timeout: 120_000 }, () => {
  it('is listed, and continues in its own file with everything that was said', async () => {
    const rig = await rigWith061();
    const before = recorded(rig);
    expect((await rig.cli('--list-sessions')).stdout).toMatch(
      new RegExp(`^ {2}1\\. make it two \\(.* ago\\) \\[${ID}\\]$`, 'm'),
    );
    rig.model.replies([callTool('read_file', { file_path: 'a.txt' })], [text('Still two.')], [text('Yes.')]);
    const run = await rig.cli('-p', 'look again', '--resume', '-o', 'json');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stderr).toBe('');
    expect(run.json()).toMatchObject({ session_id: ID, response: 'Still two.' });

    const [first] = rig.model.requests;
    expect(first?.path).toContain('gemini-2.5-pro');
    const contents = first?.body.contents ?? [];
    const parts = contents.flatMap((content) => content.parts);
    expect(contents.map(({ role }) => role)).toEqual([
      'user',
      'model',
      'user',
      'model',
      'user',
      'model',
      'user',
    ]);
    expect(parts.filter(({ functionCall }) => functionCall)).toMatchObject([
      { functionCall: { name: 'replace', args: { old_string: 'one' } } },
      { functionCall: { name: 'write_todos' } },
    ]);
    expect(parts.filter(({ functionResponse }) => functionResponse)).toMatchObject([
      { functionResponse: { name: 'replace', response: { output: 'Edited.' } } },
      { functionResponse: { name: 'write_todos', response: { output: 'Noted.' } } },
    ]);
    const sent = JSON.stringify(contents);
    for (const said of ['make it two', 'I change it.', 'It is two now.', 'look again'])
      expect(sent).toContain(said);
    for (const not of ['Today is long ago', 'One word only', 'Request cancelled', '/stats'])
      expect(sent).not.toContain(not);

    // The old part stays byte for byte; the new turn follows it, and a third run knows both.
    expect(recorded(rig).startsWith(before)).toBe(true);
    expect(readdirSync(chatsOf(rig)).filter((name) => !name.startsWith('.'))).toEqual([NAME]);
    const third = await rig.cli('-p', 'sure?', '--resume', ID.slice(0, 8), '-o', 'json');
    expect(third.json().session_id).toBe(ID);
    const all = JSON.stringify(rig.model.requests.at(-1)?.body.contents);
    for (const said of ['make it two', 'look again', 'Still two.', 'sure?']) expect(all).toContain(said);
  });

  it('is shown on the screen, and its edits can be undone by their recorded diffs', async () => {
    const rig = await rigWith061();
    const screen = await rig.screen(['--resume', ID], { rows: 50 });
    await screen.waitFor(/> make it two[\s\S]*✦ It is two now\./, LONG);
    await screen.waitFor(/1\/2 completed.*make it three/, LONG);
    await screen.waitFor('/model', LONG);
    screen.type('/rewind');
    await screen.waitFor('> /rewind', LONG);
    screen.press('Enter');
    await screen.waitFor(/● 1\. make it two[\s\S]*a\.txt/, LONG);
    screen.press('Enter');
    await screen.waitFor('Rewind conversation and revert code changes', LONG);
    screen.type('1');
    await screen.waitFor('Rewound 1 prompt', LONG);
    expect(rig.read('a.txt')).toBe('one\n');
    expect(recorded(rig)).toContain('{"$rewindTo":"m1"}');
  });
});

it('a session with wrong values in every field is drawn, searched, exported and resumed', async () => {
  const rig = await rigWith061();
  const wrong = [
    null,
    5,
    [null],
    {},
    { todos: [null] },
    { fileDiff: 5 },
    [[{ text: 5 }]],
    '\u001b]52;c;aGk=\u0007x',
  ];
  const lines = wrong.flatMap((value, at) => [
    { id: `u${at}`, type: 'user', content: value, displayContent: value, timestamp: value },
    {
      id: `g${at}`,
      type: 'gemini',
      content: value,
      thoughts: value,
      tokens: value,
      model: value,
      origin: value,
      toolCalls: [
        { id: value, name: 'edit', args: value, result: value, status: value, resultDisplay: value },
        {
          id: `c${at}`,
          name: 'edit',
          status: 'success',
          displayName: value,
          description: value,
          resultDisplay: value,
        },
      ],
    },
    { id: `t${at}`, type: 'of the future', content: value },
  ]);
  const more = [
    ...lines,
    { $set: { directories: 5, summary: {} } },
    { id: 'z', type: 'gemini', content: 'The end.' },
  ];
  appendFileSync(join(chatsOf(rig), NAME), more.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const screen = await rig.screen(['--resume', ID]);
  await screen.waitFor('✦ The end.', LONG);
  await screen.waitFor('/model', LONG);
  expect(screen.raw().includes('\u001b]52;')).toBe(false);
  rig.model.replies([text('Still here.')]);
  screen.type('hello?\r');
  await screen.waitFor('✦ Still here.', LONG);
  screen.kill('SIGHUP');
  await screen.exit;
  for (const args of [
    ['show', '1'],
    ['search', 'The end'],
    ['export', '1', 'a.html'],
    ['export', '1', 'a.md'],
  ]) {
    const run = await rig.cli('sessions', ...args);
    expect(run.exitCode, `${args.join(' ')}: ${run.stderr}`).toBe(0);
  }
}, 120_000);
