import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  callTool,
  type Responder,
  type ScreenCell,
  type TestRig,
  testRig,
  text,
} from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { ask, command, countOf, isReady, LONG, startUi } from './ui.js';

const textOf = (cells: readonly ScreenCell[]) => cells.map(({ text }) => text).join('');
const userSettings = (rig: TestRig) =>
  JSON.parse(readFileSync(join(rig.home, '.gemini/settings.json'), 'utf8'));

/** The model names earlier sessions in the background: their own topic. */
const nameOr =
  (answer: string): Responder =>
  ({ body }) => {
    const asked = JSON.stringify(body.contents);
    const topic = /User: (an old question|about \w+)/.exec(asked)?.[1];
    return [text(topic ?? answer)];
  };

/** Each command, and part of its dialog. */
const DIALOGS = [
  ['/auth', 'Get started'],
  ['/theme', 'Select Theme'],
  ['/editor', 'Select Editor'],
  ['/privacy', 'collects no usage statistics'],
  ['/settings', 'Search: '],
  ['/resume', 'Sessions'],
  ['/chat', 'Sessions'],
  ['/model', 'Select Model'],
  ['/permissions trust', 'Permissions of this folder'],
  ['/rewind', 'Rewind'],
  ['/undo', 'Nothing was changed yet.'],
  ['/footer', 'git-branch: '],
  ['/memory inbox', 'Memory inbox'],
] as const;

it('every dialog opens with its command, closes with Esc, and the prompt returns', async () => {
  const rig = await testRig({ settings: { experimental: { autoMemory: true } } });
  const screen = await startUi(rig);
  for (const [line, sight] of DIALOGS) {
    await command(screen, line);
    await screen.waitFor((seen) => seen.includes(sight) && !seen.includes(`> ${line}`), LONG);
    screen.press('Esc');
    await screen.waitFor((seen) => isReady(seen) && !seen.includes('╰─'), LONG);
  }
  screen.type('typing works');
  await screen.waitFor('> typing works', LONG);
}, 60_000);

describe('The dialog of', () => {
  it('/theme previews themes, and Enter saves one', async () => {
    const rig = await testRig();
    const screen = await startUi(rig);
    const colours = () => {
      const row = screen.cells().find((cells) => textOf(cells).includes('def count'));
      return JSON.stringify(row?.map(({ color }) => color));
    };
    await command(screen, '/theme');
    // The code gets its colours once the grammar has loaded.
    await screen.waitFor(
      (seen) => seen.includes('●  4. Default') && new Set(colours().split(',')).size > 4,
      LONG,
    );
    const before = colours();
    screen.press('Down');
    await screen.waitFor((seen) => seen.includes('●  5. Dracula') && colours() !== before, LONG);
    screen.press('Up');
    await screen.waitFor((seen) => seen.includes('●  4. Default') && colours() === before, LONG);
    screen.press('Down', 'Enter');
    await screen.waitFor(isReady, LONG);
    expect(userSettings(rig)).toMatchObject({ ui: { theme: 'Dracula' } });
  });

  it('/settings searches by words and toggles a setting', async () => {
    const rig = await testRig();
    const screen = await startUi(rig);
    await command(screen, '/settings');
    await screen.waitFor('Search: ', LONG);
    screen.type('/line numbers');
    await screen.waitFor('Search: line numbers', LONG);
    screen.press('Enter');
    await screen.waitFor(/● .*Show Line Numbers \.+ true/, LONG);
    screen.press('Enter');
    await screen.waitFor(/Show Line Numbers \.+ false/, LONG);
    screen.press('Esc');
    await screen.waitFor(isReady, LONG);
    expect(userSettings(rig)).toMatchObject({ ui: { showLineNumbers: false } });
  });

  it('/model switches the model at once', async () => {
    const rig = await testRig();
    rig.model.replies([text('From 2.5.')]);
    const screen = await startUi(rig);
    await command(screen, '/model');
    await screen.waitFor('3. Manual', LONG);
    screen.type('3');
    await screen.waitFor('Select Model · Manual', LONG);
    screen.type('8');
    await screen.waitFor((seen) => isReady(seen) && /gemini-2\.5-pro\s*$/.test(seen), LONG);
    await ask(screen, 'who are you', '✦ From 2.5.');
    expect(rig.model.requests[0]?.model).toBe('gemini-2.5-pro');
  });

  it('/footer adds an item', async () => {
    const rig = await testRig();
    const screen = await startUi(rig, [], { cols: 110 });
    await command(screen, '/footer');
    await screen.waitFor('session-id: ', LONG);
    for (let step = 0; step < 7; step++) screen.press('Down');
    await screen.waitFor('● [ ] session-id', LONG);
    screen.type(' ');
    await screen.waitFor('● [x] session-id', LONG);
    screen.press('Enter');
    await screen.waitFor((seen) => isReady(seen) && /\/model.*session/.test(seen), LONG);
    expect(userSettings(rig).ui.footer.items).toContain('session-id');
  });

  it('/permissions removes the trust', async () => {
    const rig = await testRig();
    const screen = await startUi(rig);
    await command(screen, '/permissions trust');
    await screen.waitFor("3. Don't trust", LONG);
    screen.type('3');
    await screen.waitFor((seen) => isReady(seen) && seen.includes('untrusted'), LONG);
    const rules = readFileSync(join(rig.home, '.gemini/trustedFolders.json'), 'utf8');
    expect(JSON.parse(rules)).toEqual({ [rig.workspace]: 'DO_NOT_TRUST' });
  });

  it('/editor saves the editor', async () => {
    const rig = await testRig({ files: { 'bin/micro': '#!/bin/sh\n' } });
    chmodSync(rig.path('bin/micro'), 0o755);
    const env = { PATH: `${rig.path('bin')}:${process.env['PATH']}` };
    const screen = await startUi(rig, [], { rows: 30, env });
    await command(screen, '/editor');
    await screen.waitFor(/\d\. micro /, LONG);
    // How many other editors are installed differs from machine to machine.
    screen.type(/(\d)\. micro /.exec(screen.text())?.[1] ?? '');
    await screen.waitFor(isReady, LONG);
    expect(userSettings(rig)).toMatchObject({ general: { preferredEditor: 'micro' } });
  });

  it('/resume opens an earlier session', async () => {
    const rig = await testRig();
    rig.model.otherwise(nameOr('New answer.'));
    rig.model.replies([text('Old answer.')]);
    await rig.cli('-p', 'an old question');
    const screen = await startUi(rig);
    await command(screen, '/resume');
    await screen.waitFor('an old question', LONG);
    screen.press('Enter');
    await screen.waitFor(/> an old question[\s\S]*✦ Old answer\./, LONG);
    await screen.waitFor(isReady, LONG);
    await ask(screen, 'go on', '✦ New answer.');
    expect(JSON.stringify(rig.model.requests.at(-1)?.body.contents)).toContain('Old answer.');
  });

  it('/rewind restores conversation and files and returns the prompt to the input', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    const edit = { file_path: 'a.txt', instruction: 'x', old_string: 'one', new_string: 'two' };
    rig.model.replies([callTool('replace', edit)], [text('Changed.')], [text('Second try.')]);
    const screen = await startUi(rig, ['--approval-mode', 'auto_edit']);
    await ask(screen, 'change a', '✦ Changed.');
    await screen.waitFor(isReady, LONG);
    await command(screen, '/rewind');
    await screen.waitFor(/1\. change a[\s\S]*\+1 -1/, LONG);
    screen.press('Enter');
    await screen.waitFor('1. Rewind conversation and revert code changes', LONG);
    screen.press('Enter');
    await screen.waitFor(/Restored 1 file\.[\s\S]*> change a/, LONG);
    expect(screen.text()).not.toContain('✦ Changed.');
    expect(rig.read('a.txt')).toBe('one\n');
    screen.press('Enter');
    await screen.waitFor('✦ Second try.', LONG);
    expect(JSON.stringify(rig.model.requests[2]?.body.contents)).not.toContain('Changed.');
  });

  it('/undo shows what will be restored, and reports it once', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    const edit = { file_path: 'a.txt', instruction: 'x', old_string: 'one', new_string: 'two' };
    rig.model.replies([callTool('replace', edit)], [text('Changed.')]);
    const screen = await startUi(rig, ['--approval-mode', 'auto_edit']);
    await ask(screen, 'change a', '✦ Changed.');
    await screen.waitFor(isReady, LONG);
    await command(screen, '/undo');
    await screen.waitFor('1. a.txt: one => two', LONG);
    screen.press('Enter');
    await screen.waitFor(/- two[\s\S]*\+ one[\s\S]*Restore these files\?/, LONG);
    screen.press('Enter');
    await screen.waitFor((seen) => seen.includes('Restored 1 file.') && isReady(seen), LONG);
    expect(rig.read('a.txt')).toBe('one\n');
    expect(countOf(screen.text(), 'Restored 1 file.')).toBe(1);
  });

  it('/resume searches, previews, renames and deletes sessions', async () => {
    const rig = await testRig();
    rig.model.replies([text('A.')], [text('B.')]).otherwise(nameOr(''));
    await rig.cli('-p', 'about apples');
    await rig.cli('-p', 'about bananas');
    const screen = await startUi(rig);
    await command(screen, '/resume');
    await screen.waitFor((seen) => seen.includes('about apples') && seen.includes('about bananas'), LONG);
    screen.type('/apples');
    await screen.waitFor('Search: apples', LONG);
    screen.press('Enter');
    await screen.waitFor((seen) => seen.includes('about apples') && !seen.includes('about bananas'), LONG);
    screen.type('n');
    await screen.waitFor('New name: ', LONG);
    screen.press('Ctrl+U');
    screen.type('Fruit \x1b]0;evil\x07salad');
    screen.press('Enter');
    await screen.waitFor(/Renamed to: Fruit .*salad/, LONG);
    screen.type('x');
    await screen.waitFor('Delete this session?', LONG);
    screen.type('2');
    await screen.waitFor((seen) => seen.includes('Deleted.') && !seen.includes('Fruit'), LONG);
    screen.press('Esc');
    await screen.waitFor(isReady, LONG);
    expect((await rig.cli('--list-sessions')).stdout).not.toContain('apples');
  });
});

it('keys typed while /theme opens and saves reach it, and then the prompt, in order', async () => {
  const rig = await testRig();
  const screen = await startUi(rig);
  screen.type('/theme\r\x1b[B\rhello');
  await screen.waitFor((seen) => seen.includes('> hello') && !seen.includes('Select Theme'), LONG);
  expect(userSettings(rig)).toMatchObject({ ui: { theme: 'Dracula' } });
}, 60_000);
