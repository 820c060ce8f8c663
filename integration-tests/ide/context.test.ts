/** What the model learns about the editor. */
import { expect, it } from 'vitest';
import { callTool, text, userText } from '../test-utils.js';
import { ask, command, LONG, startUi } from '../ui/ui.js';
import { editorRig } from './editor.js';

it('gets the open files and the selection with the first prompt of a headless run', async () => {
  const { rig, companion } = await editorRig({}, { files: { 'a.ts': 'one\n' } });
  await companion.update({
    openFiles: [
      {
        path: rig.path('a.ts'),
        timestamp: 2,
        isActive: true,
        cursor: { line: 1, character: 2 },
        selectedText: 'one',
      },
      { path: rig.path('b.ts'), timestamp: 1 },
    ],
  });
  rig.model.replies([text('done')]);
  const run = await rig.cli('-p', 'explain this');
  expect(run.stdout).toContain('done');
  const told = userText(rig);
  expect(told).toContain('"selectedText": "one"');
  expect(told).toContain(rig.path('b.ts'));
  expect(told).toMatch(/explain this$/);
});

it('reaches the editor from a sandbox around the whole program, by the variables of the terminal', async () => {
  const { rig, companion } = await editorRig({
    state: { openFiles: [{ path: '/project/a.ts', timestamp: 1, isActive: true }] },
  });
  rig.model.replies([text('done')]);
  const env = { GEMINI_SANDBOX: 'bwrap', ...companion.addressVariables };
  const run = await rig.cli('-p', 'hello', '--sandbox', { env });
  expect([run.exitCode, run.stderr]).toEqual([0, '']);
  expect(userText(rig)).toContain('/project/a.ts');
});

it('does not get what is selected in a file that it may not read', async () => {
  const { rig, companion } = await editorRig(
    {},
    { files: { '.geminiignore': 'private.txt\n', 'private.txt': 'x' } },
  );
  const path = rig.path('private.txt');
  await companion.update({
    openFiles: [{ path, timestamp: 1, isActive: true, selectedText: 'for my eyes' }],
  });
  rig.model.replies([text('done')]);
  await rig.cli('-p', 'explain this');
  expect(userText(rig)).toContain('private.txt');
  expect(userText(rig)).not.toContain('for my eyes');
});

it('gets everything at first, then only what has changed', { timeout: 60_000 }, async () => {
  const { rig, companion } = await editorRig({}, { files: { 'a.ts': 'one\n' } });
  const file = { path: rig.path('a.ts'), timestamp: 2, isActive: true, cursor: { line: 1, character: 1 } };
  await companion.update({ openFiles: [file] });
  rig.model.replies([text('first answer')], [text('second answer')], [text('third answer')]);
  const screen = await startUi(rig);
  await screen.waitFor('1 open file (F4 to view)');
  await ask(screen, 'hello', 'first answer');
  await ask(screen, 'again', 'second answer');
  await companion.update({ openFiles: [{ path: rig.path('b.ts'), timestamp: 3 }, file] });
  await screen.waitFor('2 open files (F4 to view)');
  await ask(screen, 'more', 'third answer');
  expect(userText(rig, 0)).toContain('"activeFile"');
  expect(userText(rig, 1)).toBe('again');
  expect(userText(rig, 2)).toContain('"filesOpened"');
  expect(userText(rig, 2)).not.toContain('"otherOpenFiles"');
});

it('is told nothing between a call and its response, and all of it in a new conversation', {
  timeout: 60_000,
}, async () => {
  const { rig, companion } = await editorRig({}, { files: { 'a.txt': 'one\n', 'b.txt': 'x' } });
  const a = { path: rig.path('a.txt'), timestamp: 1, isActive: true };
  const b = { path: rig.path('b.txt'), timestamp: 2, isActive: true, selectedText: 'x' };
  await companion.update({ openFiles: [a] });
  const edit = { file_path: 'a.txt', instruction: 'count on', old_string: 'one', new_string: 'two' };
  rig.model.replies(
    [callTool('replace', edit)],
    [text('all done')],
    [text('second done')],
    [text('third done')],
  );
  const screen = await startUi(rig);
  await screen.waitFor('1 open file');
  await command(screen, 'count on');
  await companion.shownDiff();
  await companion.update({ openFiles: [b, a] });
  await companion.accept();
  await screen.waitFor('all done', LONG);
  const parts = rig.model.requests[1]?.body.contents.at(-1)?.parts ?? [];
  expect(parts.map((part) => Object.keys(part))).toEqual([['functionResponse']]);
  await ask(screen, 'next', 'second done');
  expect(userText(rig, 2)).toContain('"filesOpened"');
  expect(userText(rig, 2)).toContain('"selectedText": "x"');
  await command(screen, '/clear');
  await ask(screen, 'again', 'third done');
  expect(userText(rig, 3)).toContain('"otherOpenFiles"');
});
