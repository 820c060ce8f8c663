import { callTool, testRig, text } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { ask, command, isReady, LONG, startUi } from './ui.js';

/** Clears the screen, sets the title, queries the terminal, reverses and hides text. */
const EVIL =
  'a\x1b[2J\x1b[3J\x1b]0;PWNED\x07\x1b]52;c;UFdORUQ=\x07\x1b[6n\x1b[?1049h\u202edesrever\u202c\u200bz\x9b31mq\rOVER';
const FORBIDDEN = [
  'PWNED\x07',
  '\x1b]52;c;UFd',
  '\x1b[6n',
  '\x1b[?1049h',
  '\u202e',
  '\u200b',
  '\x9b',
  '\x1b[3J',
];

function expectHarmless(raw: string): void {
  for (const part of FORBIDDEN) expect(raw.includes(part), JSON.stringify(part)).toBe(false);
}

describe('Control and bidi characters have no effect', () => {
  it("in the model's answers", async () => {
    const rig = await testRig();
    rig.model.replies([
      text(
        `${EVIL}\n\n- ${EVIL}\n\n\`${EVIL}\`\n\n\`\`\`js\n${EVIL}\n\`\`\`\n\n| a | b |\n|---|---|\n| ${EVIL} | [x](http://e${EVIL}) |\n\nEND`,
      ),
    ]);
    const screen = await startUi(rig);
    await ask(screen, 'say it', 'END');
    await screen.waitFor(isReady, LONG);
    expectHarmless(screen.raw());
  });

  it('in a command and its output', async () => {
    const rig = await testRig({ files: { 'evil.txt': `${EVIL}\n` } });
    rig.model.replies(
      [callTool('run_shell_command', { command: 'cat evil.txt; echo DONE', description: EVIL })],
      [text('Read.')],
    );
    const screen = await startUi(rig, ['--approval-mode', 'yolo']);
    await ask(screen, 'read', '✦ Read.');
    await screen.waitFor(isReady, LONG);
    expect(screen.history()).toContain('DONE');
    expectHarmless(screen.raw());
  });

  it('in file names', async () => {
    const name = 'x\x1b[2J\x1b]0;PWNED\x07\u202egpj.txt';
    const rig = await testRig({ files: { [name]: 'content' } });
    rig.model.replies(
      [callTool('list_directory', { dir_path: '.' })],
      [callTool('read_file', { file_path: name })],
      [callTool('read_file', { file_path: `no${name}` })],
      [text('Looked.')],
    );
    const screen = await startUi(rig);
    screen.type('see @x');
    await screen.waitFor('> see @x', LONG);
    screen.press('Ctrl+U');
    await screen.waitFor(isReady, LONG);
    await ask(screen, 'look', '✦ Looked.');
    await screen.waitFor(isReady, LONG);
    expectHarmless(screen.raw());
  });

  it('in session names', async () => {
    const rig = await testRig();
    rig.model.replies([text('Hm.')]).otherwise(() => [text(`Name ${EVIL}`)]);
    await rig.cli('-p', `prompt ${EVIL}`);
    const screen = await startUi(rig);
    await command(screen, '/resume');
    await screen.waitFor(/msgs/, LONG);
    screen.type('p');
    screen.press('Enter');
    await screen.waitFor((seen) => isReady(seen) || seen.includes('Sessions'), LONG);
    expectHarmless(screen.raw());
  });

  it('in a paste of binary data', async () => {
    const rig = await testRig();
    rig.model.replies([text('Pasted.')]);
    const screen = await startUi(rig);
    // Zero-width characters are part of many scripts and emoji, so pasted text keeps them.
    screen.paste(`bin${EVIL.replaceAll(/[\r\u200b]/g, '')}\x00\x01\x02\x7f\x80end`);
    await screen.waitFor(/> bin.*end/, LONG);
    expectHarmless(screen.raw());
    screen.press('Enter');
    await screen.waitFor('✦ Pasted.', LONG);
    expectHarmless(screen.raw());
  });
});

describe('A file with mistakes', () => {
  it('in key bindings is reported with the line; the rest is used', async () => {
    const rig = await testRig();
    rig.writeHome(
      'keybindings.json',
      '[\n  { "command": "no.such", "key": "f2" },\n  { "command": "input.newline", "key": "hyper+q" },\n  42,\n  { "command": "input.newline", "key": "alt+n" }\n]\n',
    );
    const screen = await startUi(rig);
    await screen.waitFor(/keybindings\.json/, LONG);
    screen.type('one');
    screen.press('Alt+n');
    screen.type('two');
    await screen.waitFor(/> one\s+two/, LONG);
  });

  it('in key bindings that is not JSON is reported; the default keys are used', async () => {
    const rig = await testRig();
    rig.writeHome('keybindings.json', '{ "command": ');
    const screen = await startUi(rig);
    await screen.waitFor(/keybindings\.json/, LONG);
    screen.type('one');
    screen.press('Ctrl+J');
    screen.type('two');
    await screen.waitFor(/> one\s+two/, LONG);
  });

  it('in a theme: each wrong colour is named; the rest is used', async () => {
    const rig = await testRig({
      settings: {
        ui: {
          theme: 'Mine',
          customThemes: {
            Mine: { type: 'custom', name: 'Mine', text: { primary: 'nocolour', accent: '#12' } },
          },
        },
      },
    });
    const screen = await startUi(rig);
    await screen.waitFor(/text\.primary|nocolour/, LONG);
    screen.type('works');
    await screen.waitFor('> works', LONG);
  });

  it.each(['No Such Theme', '~/nowhere.json', '/etc/passwd'])(
    'the theme %s: a warning, and colours',
    async (theme) => {
      const rig = await testRig({ settings: { ui: { theme } } });
      const screen = await startUi(rig);
      await screen.waitFor(/⚠ /, LONG);
      screen.type('works');
      await screen.waitFor('> works', LONG);
    },
  );
});
