/** A proposed edit is shown in the editor and in the terminal: the first answer decides. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CompanionOptions, Screen } from '../test-utils.js';
import { callTool, text, toolResponses } from '../test-utils.js';
import { command, LONG, startUi } from '../ui/ui.js';
import { type EditorRig, editorRig } from './editor.js';

const PROPOSED = 'two\n';

/** The model proposes to replace `one` with `two`, and the diff is open. */
async function proposal(
  options: Partial<CompanionOptions> = {},
  file = 'one\n',
  externalEditor = 'true',
): Promise<EditorRig & { screen: Screen }> {
  const editor = await editorRig(options, { files: { 'a.txt': file } });
  const { rig, companion } = editor;
  const edit = { file_path: 'a.txt', instruction: 'count on', old_string: 'one', new_string: 'two' };
  rig.model.replies([callTool('replace', edit)], [text('all done')]);
  const program = join(editor.tmp, 'my-editor');
  writeFileSync(program, `#!/bin/sh\n${externalEditor}\n`, { mode: 0o755 });
  const screen = await startUi(rig, [], { env: { VISUAL: program } });
  await companion.untilConnected();
  await command(screen, 'count on');
  await screen.waitFor('Apply this change?', LONG);
  if (!options.refusesDiffs) {
    const shown = await companion.shownDiff();
    expect(shown).toEqual({ filePath: rig.path('a.txt'), content: PROPOSED });
  }
  return { ...editor, screen };
}

it('applies what the user accepts in the editor', { timeout: 60_000 }, async () => {
  const { rig, companion, screen } = await proposal();
  await companion.accept();
  await screen.waitFor('all done', LONG);
  expect(rig.read('a.txt')).toBe('two\n');
});

it('applies the content as the user changed it in the editor, and tells the model', {
  timeout: 60_000,
}, async () => {
  const { rig, companion, screen } = await proposal();
  await companion.accept('two and a half\n');
  await screen.waitFor('all done', LONG);
  expect(rig.read('a.txt')).toBe('two and a half\n');
  expect(toolResponses(rig)[0]?.response.output).toContain('The user changed the proposed content');
});

it.each([
  ['CR LF', '\r\n', ''],
  ['a byte order mark', '\n', '\uFEFF'],
])('keeps %s of a file that the user changed in the editor', { timeout: 60_000 }, async (_, end, mark) => {
  const { rig, companion, screen } = await proposal({}, `${mark}one${end}`);
  await companion.accept('two and\na half\n');
  await screen.waitFor('all done', LONG);
  expect(rig.read('a.txt')).toBe(`${mark}two and${end}a half${end}`);
});

it('is shown again with what an external editor has made of it', { timeout: 60_000 }, async () => {
  const { rig, companion, screen } = await proposal({}, 'one\n', 'echo three > "$1"');
  screen.type('3');
  await screen.waitFor('+ three', LONG);
  await expect.poll(() => companion.diff?.content).toBe('three\n');
  await companion.accept();
  await screen.waitFor('all done', LONG);
  expect(rig.read('a.txt')).toBe('three\n');
});

it('applies nothing that the user rejects in the editor', { timeout: 60_000 }, async () => {
  const { rig, companion, screen } = await proposal();
  await companion.reject();
  await screen.waitFor('all done', LONG);
  expect(rig.read('a.txt')).toBe('one\n');
  expect(toolResponses(rig)[0]?.response.error).toContain('did not allow');
});

it('closes the diff when the user answers in the terminal, and takes what it showed', {
  timeout: 60_000,
}, async () => {
  const { rig, companion, screen } = await proposal();
  (await companion.shownDiff()).content = 'two, changed in the editor\n';
  screen.type('1');
  await companion.untilClosed();
  await screen.waitFor('all done', LONG);
  expect(rig.read('a.txt')).toBe('two, changed in the editor\n');
});

it('closes the diff and applies nothing when the user refuses in the terminal', {
  timeout: 60_000,
}, async () => {
  const { rig, companion, screen } = await proposal();
  screen.press('Esc');
  await companion.untilClosed();
  await screen.waitFor('Request cancelled', LONG);
  expect(rig.read('a.txt')).toBe('one\n');
});

it('is answered in the terminal when the editor dies in the middle of the question', {
  timeout: 60_000,
}, async () => {
  const { rig, companion, screen } = await proposal();
  companion.kill();
  screen.type('1');
  await screen.waitFor('all done', LONG);
  expect(rig.read('a.txt')).toBe('two\n');
});

it('is answered in the terminal when the editor cannot show the diff', { timeout: 60_000 }, async () => {
  const { rig, screen } = await proposal({ refusesDiffs: true });
  screen.type('1');
  await screen.waitFor('all done', LONG);
  expect(rig.read('a.txt')).toBe('two\n');
});

it('is answered in the terminal when the editor hangs', { timeout: 60_000 }, async () => {
  const { rig, screen } = await proposal({ hangsOnDiffs: true });
  screen.type('1');
  await screen.waitFor('all done', LONG);
  expect(rig.read('a.txt')).toBe('two\n');
});

it('does not overwrite a file that was changed while the diff was open', { timeout: 60_000 }, async () => {
  const { rig, companion, screen } = await proposal();
  writeFileSync(rig.path('a.txt'), 'one, and more of another program\n');
  await companion.accept();
  await screen.waitFor('all done', LONG);
  expect(rig.read('a.txt')).toBe('one, and more of another program\n');
  expect(toolResponses(rig)[0]?.response.error).toContain('changed after the user was asked');
});

it('does not restore a file that was deleted while the diff was open', { timeout: 60_000 }, async () => {
  const { rig, companion, screen } = await proposal();
  rmSync(rig.path('a.txt'));
  await companion.accept();
  await screen.waitFor('all done', LONG);
  expect(rig.exists('a.txt')).toBe(false);
});

it('ignores what the editor accepts for another file', { timeout: 60_000 }, async () => {
  const { rig, companion, screen } = await proposal();
  await companion.tell('ide/diffAccepted', { filePath: rig.path('b.txt'), content: 'evil' });
  await companion.tell('ide/diffAccepted', { filePath: rig.path('a.txt') });
  await companion.accept('good\n');
  await screen.waitFor('all done', LONG);
  expect([rig.read('a.txt'), rig.exists('b.txt')]).toEqual(['good\n', false]);
});

it('opens one diff at a time: the next one when the first is answered', { timeout: 60_000 }, async () => {
  const { rig, companion } = await editorRig({}, { files: {} });
  rig.model.replies(
    [
      callTool('write_file', { file_path: 'a.txt', content: 'a\n' }, 'one'),
      callTool('write_file', { file_path: 'b.txt', content: 'b\n' }, 'two'),
    ],
    [text('all done')],
  );
  const screen = await startUi(rig);
  await companion.untilConnected();
  await command(screen, 'write both');
  expect((await companion.shownDiff()).filePath).toBe(rig.path('a.txt'));
  await companion.accept();
  expect((await companion.shownDiff()).filePath).toBe(rig.path('b.txt'));
  expect(companion.opened).toHaveLength(2);
  await companion.accept();
  await screen.waitFor('all done', LONG);
  expect([rig.read('a.txt'), rig.read('b.txt')]).toEqual(['a\n', 'b\n']);
});

it('shows no diff for edits that need no approval, and none outside the workspace', {
  timeout: 60_000,
}, async () => {
  const { rig, companion } = await editorRig({}, { files: { 'a.txt': 'one\n' } });
  rig.model.replies(
    [
      callTool('write_file', { file_path: 'a.txt', content: 'two\n' }),
      callTool('write_file', { file_path: '/etc/outside.txt', content: 'evil' }),
    ],
    [text('all done')],
  );
  const screen = await startUi(rig, ['--approval-mode', 'auto_edit']);
  await companion.untilConnected();
  await command(screen, 'write');
  await screen.waitFor('all done', LONG);
  expect(companion.opened).toEqual([]);
  expect(rig.read('a.txt')).toBe('two\n');
});
