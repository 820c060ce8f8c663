import { callTool, type Screen, testRig, text } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { ask, command, isReady, LONG, startUi } from './ui.js';

const edit = callTool('replace', {
  file_path: 'a.txt',
  instruction: 'count on',
  old_string: 'one',
  new_string: 'two',
});

async function question(screen: Screen, prompt: string): Promise<void> {
  await command(screen, prompt);
  await screen.waitFor(/Action Required[\s\S]*1\. Allow once/, LONG);
}

const lastSent = (rig: Awaited<ReturnType<typeof testRig>>) =>
  JSON.stringify(rig.model.requests.at(-1)?.body.contents.at(-1));

describe('A file change', () => {
  it('allowed for this session is not asked about again', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n', 'b.txt': 'one\n' } });
    rig.model.replies(
      [edit],
      [callTool('write_file', { file_path: 'b.txt', content: 'new\n' })],
      [text('Both.')],
    );
    const screen = await startUi(rig);
    await question(screen, 'change it');
    screen.type('2');
    await screen.waitFor('✦ Both.', LONG);
    expect([rig.read('a.txt'), rig.read('b.txt')]).toEqual(['two\n', 'new\n']);
  });

  it('allowed for this project on the second page is not asked about in a later session', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    rig.model.replies([edit], [text('Edited.')]);
    const screen = await startUi(rig);
    await question(screen, 'change it');
    screen.press('Down');
    await screen.waitFor('● 2. Allow for this session', LONG);
    screen.press('Right');
    await screen.waitFor(/Always allow in this project\?[\s\S]*● 1\. All edits in this project/, LONG);
    screen.type('1');
    await screen.waitFor('✦ Edited.', LONG);
    rig.model.replies(
      [callTool('write_file', { file_path: 'new.txt', content: 'x\n' })],
      [callTool('write_file', { file_path: '.env', content: 'x\n' })],
      [text('Written.')],
    );
    const run = await rig.cli('-p', 'write it');
    expect(run.stdout, run.stderr).toContain('Written.');
    expect([rig.read('a.txt'), rig.read('new.txt')]).toEqual(['two\n', 'x\n']);
    // Protected files still ask, which a headless run cannot.
    expect(rig.exists('.env')).toBe(false);
  });

  it('is shown in the colours of its language once the grammar has loaded', async () => {
    const rig = await testRig();
    rig.model.replies([callTool('write_file', { file_path: 'a.ts', content: "const a = 'b';\n" })]);
    const screen = await startUi(rig);
    await question(screen, 'write it');
    const colours = () => {
      const row = screen.cells().find((cells) => /\+ const/.test(cells.map((cell) => cell.text).join('')));
      return new Set(row?.map(({ color }) => color)).size;
    };
    // Border, number, sign and text have four.
    await screen.waitFor(() => colours() > 4, LONG);
    screen.type('4');
  });

  it('is refused with digit 4', async () => {
    const rig = await testRig();
    rig.model.replies([callTool('write_file', { file_path: 'new.txt', content: 'hello\n' })]);
    const screen = await startUi(rig);
    await question(screen, 'write it');
    expect(screen.text()).toMatch(/\+ hello[\s\S]*4\. No, suggest changes \(esc\)/);
    screen.type('4');
    await screen.waitFor('Request cancelled.', LONG);
    await screen.waitFor(isReady, LONG);
    expect(rig.exists('new.txt')).toBe(false);
  });

  it('that is refused with words continues: the model reads them', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    rig.model.replies([edit], [text('Three then.')]);
    const screen = await startUi(rig);
    await question(screen, 'change it');
    screen.press('Tab');
    await screen.waitFor('What should be done instead?', LONG);
    screen.type('use three');
    await screen.waitFor('> use three', LONG);
    screen.press('Enter');
    await screen.waitFor('✦ Three then.', LONG);
    expect(lastSent(rig)).toContain('use three');
    expect(rig.read('a.txt')).toBe('one\n');
  });

  it('with a long diff says how much is hidden, and is shown in full with Ctrl+O', async () => {
    const rig = await testRig();
    const content = Array.from({ length: 60 }, (_, index) => `row ${index}`).join('\n');
    rig.model.replies([callTool('write_file', { file_path: 'long.txt', content })], [text('Written.')]);
    const screen = await startUi(rig);
    await question(screen, 'write much');
    expect(screen.text()).toMatch(/\d+ more/);
    screen.press('Ctrl+O');
    await screen.waitFor((seen) => seen.includes('row 12') && !seen.includes('1. Allow once'), LONG);
    for (let page = 0; page < 5; page++) screen.press('PageDown');
    await screen.waitFor('row 59', LONG);
    screen.press('Ctrl+O');
    await screen.waitFor('1. Allow once', LONG);
    screen.type('1');
    await screen.waitFor('✦ Written.', LONG);
    expect(rig.read('long.txt')).toContain('row 59');
  });

  it('can be edited in the editor first', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    const editor = rig.writeHome(
      'editor.sh',
      '#!/bin/sh\nfor file in "$@"; do last=$file; done\nprintf "edited by hand\\n" > "$last"\n',
    );
    rig.model.replies([edit], [text('As you like.')]);
    const screen = await startUi(rig, [], { env: { EDITOR: `sh ${editor}`, VISUAL: `sh ${editor}` } });
    await question(screen, 'change it');
    screen.type('3');
    await screen.waitFor(/\+ edited by hand[\s\S]*1\. Allow once/, LONG);
    screen.type('1');
    await screen.waitFor('✦ As you like.', LONG);
    expect(rig.read('a.txt')).toBe('edited by hand\n');
  });
});

describe('A command', () => {
  const run = (line: string) => callTool('run_shell_command', { command: line });

  it('is shown in full with its folder, warns about redirection, and runs once', async () => {
    const rig = await testRig();
    rig.model.replies([run('echo hi > out.txt')], [text('Ran.')]);
    const screen = await startUi(rig, [], { cols: 100 });
    await question(screen, 'run');
    const seen = screen.text();
    expect(seen).toContain('redirects');
    expect(seen).toContain(`in ${rig.workspace}`);
    expect(seen).toContain('Allow running echo?');
    screen.press('Enter');
    await screen.waitFor('✦ Ran.', LONG);
    expect(rig.read('out.txt')).toBe('hi\n');
  });

  it('allowed for the session runs again without a question', async () => {
    const rig = await testRig();
    rig.model.replies([run('touch one')], [run('touch two')], [text('Both.')]);
    const screen = await startUi(rig);
    await question(screen, 'run');
    screen.type('2');
    await screen.waitFor('✦ Both.', LONG);
    expect([rig.exists('one'), rig.exists('two')]).toEqual([true, true]);
  });

  it('shows the rule that "for this session" makes, and asks again for anything beyond it', async () => {
    const rig = await testRig();
    rig.model.replies([run('git init -q .')], [run('git init -q sub')], [text('Once.')]);
    const screen = await startUi(rig, [], { cols: 140 });
    await question(screen, 'run');
    await screen.waitFor(`Rule: exactly "git init -q ." in ${rig.workspace}`, LONG);
    screen.type('2');
    await screen.waitFor(/Rule: exactly "git init -q sub"/, LONG);
    expect(rig.exists('.git')).toBe(true);
    screen.press('Esc');
    await screen.waitFor(isReady, LONG);
    expect(rig.exists('sub')).toBe(false);
  });

  it('is not answered by letters, nor by the Enter after them; the next Enter allows it once', async () => {
    const rig = await testRig();
    rig.model.replies([run('touch one')], [text('Ran.')]);
    const screen = await startUi(rig);
    await question(screen, 'run');
    for (const piece of ['j', 'k', 'no ', '2nd try', '\x1b[200~1\r\x1b[201~']) screen.type(piece);
    screen.press('Enter');
    await screen.waitFor('Press Enter again to select · letters do not select', LONG);
    expect(screen.text()).toContain('● 1. Allow once');
    expect(rig.exists('one')).toBe(false);
    screen.press('Down');
    await screen.waitFor('● 2. Allow for this session', LONG);
    screen.press('Up');
    await screen.waitFor(
      (seen) => seen.includes('● 1. Allow once') && seen.includes('Enter to select'),
      LONG,
    );
    screen.type('1. do this\r');
    await screen.waitFor('letters do not select', LONG);
    expect(rig.exists('one')).toBe(false);
    screen.press('Enter');
    await screen.waitFor('✦ Ran.', LONG);
    expect(rig.exists('one')).toBe(true);
  });

  it('is refused with Esc, together with the rest of the batch', async () => {
    const rig = await testRig();
    rig.model.replies([run('touch one'), run('touch two')]);
    const screen = await startUi(rig);
    await question(screen, 'run both');
    await screen.waitFor(/Action Required · 1 of 2[\s\S]*\? Shell\b/, LONG);
    screen.press('Esc');
    await screen.waitFor('Request cancelled.', LONG);
    await screen.waitFor(isReady, LONG);
    expect([rig.exists('one'), rig.exists('two')]).toEqual([false, false]);
  });

  it('with hidden characters makes them visible', async () => {
    const rig = await testRig();
    rig.model.replies([run('echo a\u202eb\x1b[2Jc')]);
    const screen = await startUi(rig);
    await command(screen, 'run');
    await screen.waitFor('Action Required', LONG);
    expect(screen.text()).toContain('Action Required');
    expect(screen.text()).not.toContain('\u202e');
    expect(screen.text()).toMatch(/echo a\S+b\S+c/);
    screen.press('Esc');
    await screen.waitFor(isReady, LONG);
  });
});

it('a file allowed permanently is allowed in this project, not a file of that name elsewhere', async () => {
  const settings = { security: { enablePermanentToolApproval: true } };
  const rig = await testRig({ settings, files: { 'a.txt': 'one\n', 'other/a.txt': 'one\n' } });
  rig.model.replies([edit], [text('Changed.')]);
  const first = await startUi(rig, [], { cols: 120 });
  await question(first, 'change it');
  await first.waitFor(`Rule: replace of ${rig.workspace}/a.txt, in this project`, LONG);
  first.type('3');
  await first.waitFor('✦ Changed.', LONG);
  rig.write('a.txt', 'one\n');
  rig.model.replies([edit], [text('Again.')]);
  const second = await startUi(rig);
  await ask(second, 'change it', '✦ Again.');
  expect(rig.read('a.txt')).toBe('two\n');
  rig.model.replies([edit]);
  const other = await startUi(rig, [], { cwd: `${rig.workspace}/other` });
  await question(other, 'change it');
  other.press('Esc');
  await other.waitFor(isReady, LONG);
  expect(rig.read('other/a.txt')).toBe('one\n');
});

it('a web page is asked about with its address', async () => {
  const rig = await testRig();
  rig.model.replies([callTool('web_fetch', { prompt: 'read http://127.0.0.1:9/page' })]);
  const screen = await startUi(rig);
  await command(screen, 'fetch');
  await screen.waitFor(/http:\/\/127\.0\.0\.1:9\/page[\s\S]*Do you want to proceed\?/, LONG);
  screen.type('3');
  await screen.waitFor('Request cancelled.', LONG);
});

it('approval modes change with Shift+Tab and Ctrl+Y; auto-edit does not ask about edits', async () => {
  const rig = await testRig({ files: { 'a.txt': 'one\n' } });
  rig.model.replies([edit], [text('Accepted.')]);
  const screen = await startUi(rig);
  screen.press('Shift+Tab');
  await screen.waitFor('auto-accept edits', LONG);
  await ask(screen, 'change it', '✦ Accepted.');
  expect(rig.read('a.txt')).toBe('two\n');
  screen.press('Shift+Tab');
  await screen.waitFor(/^ plan/m, LONG);
  screen.press('Shift+Tab');
  await screen.waitFor('Shift+Tab to accept edits', LONG);
  screen.press('Ctrl+Y');
  await screen.waitFor('YOLO', LONG);
});

describe('A question from the model', () => {
  const options = [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cold' },
  ];
  const colour = callTool('ask_user', {
    questions: [{ question: 'Which colour?', header: 'Colour', type: 'choice', options }],
  });

  it('is answered with a digit', async () => {
    const rig = await testRig();
    rig.model.replies([colour], [text('Blue then.')]);
    const screen = await startUi(rig);
    await command(screen, 'paint it');
    await screen.waitFor(
      /Question from the model[\s\S]*Which colour\?[\s\S]*2\. Blue[\s\S]*3\. Type your own answer/,
      LONG,
    );
    screen.type('2');
    await screen.waitFor('✦ Blue then.', LONG);
    expect(lastSent(rig)).toContain('Blue');
  });

  it('is cancelled with Esc, which ends the request', async () => {
    const rig = await testRig();
    rig.model.replies([colour]);
    const screen = await startUi(rig);
    await command(screen, 'paint it');
    await screen.waitFor('2. Blue', LONG);
    screen.press('Esc');
    await screen.waitFor((seen) => isReady(seen) && /[Cc]ancelled/.test(seen), LONG);
  });
});
