import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type CommandId,
  changeBindings,
  commandHelp,
  commandIds,
  defaultBindings,
  isCommand,
  keysOf,
  setBindings,
} from './bindings.js';
import { parseChord } from './chord.js';
import type { Key } from './key.js';
import { KeyParser } from './parse.js';

afterEach(() => setBindings(defaultBindings()));

function keyOf(bytes: string): Key {
  const parser = new KeyParser({ platform: 'linux' });
  const [event] = [...parser.feed(bytes), ...parser.flush()];
  if (event?.kind !== 'key') throw new Error(`${JSON.stringify(bytes)} is not a key`);
  return event;
}

/** Each row: a command, and what a legacy terminal, modifyOtherKeys or Kitty sends for each of its keys. */
const TABLE: [CommandId, ...string[]][] = [
  ['basic.confirm', '\r', '\x1b[13u'],
  ['basic.cancel', '\x1b', '\x1b[27u', '\x1b[91;5u', '\x1b[27;5;91~'],
  ['basic.quit', '\x03', '\x1b[99;5u', '\x1b[27;5;99~'],
  ['basic.exit', '\x04', '\x1b[100;5u'],
  ['cursor.home', '\x01', '\x1b[97;5u', '\x1b[H', '\x1bOH', '\x1b[1~'],
  ['cursor.end', '\x05', '\x1b[101;5u', '\x1b[F', '\x1bOF', '\x1b[4~'],
  ['cursor.up', '\x1b[A', '\x1bOA', '\x1b[57419u'],
  ['cursor.down', '\x1b[B', '\x1bOB'],
  ['cursor.left', '\x1b[D', '\x1bOD'],
  ['cursor.right', '\x1b[C', '\x1bOC', '\x06', '\x1b[102;5u'],
  ['cursor.wordLeft', '\x1b[1;5D', '\x1bOd', '\x1b[1;3D', '\x1b\x1b[D', '\x1bb', '\x1b[98;3u'],
  ['cursor.wordRight', '\x1b[1;5C', '\x1bOc', '\x1b[1;3C', '\x1bf', '\x1b[102;3u'],
  ['edit.deleteRightAll', '\x0b', '\x1b[107;5u'],
  ['edit.deleteLeftAll', '\x15', '\x1b[117;5u'],
  ['edit.clear', '\x03'],
  ['edit.deleteWordLeft', '\x1b[127;5u', '\x1b[27;5;127~', '\x1b\x7f', '\x1b[127;3u', '\x17', '\x1b[119;5u'],
  ['edit.deleteWordRight', '\x1b[3;5~', '\x1b[3^', '\x1b[3;3~', '\x1bd', '\x1b[100;3u'],
  ['edit.deleteLeft', '\x7f', '\x1b[127u', '\x08', '\x1b[104;5u'],
  ['edit.deleteRight', '\x1b[3~', '\x04'],
  ['edit.yank', '\x1by', '\x1b[121;3u'],
  ['edit.undo', '\x1bz', '\x1b[122;3u', '\x1b[122;9u'],
  ['edit.redo', '\x1b[122;6u', '\x1b[27;6;90~', '\x1b[122;10u', '\x1b[122;4u', '\x1bZ'],
  ['scroll.up', '\x1b[1;2A', '\x1b[a'],
  ['scroll.down', '\x1b[1;2B', '\x1b[b'],
  ['scroll.home', '\x1b[1;5H', '\x1b[1;2H', '\x1b[7^'],
  ['scroll.end', '\x1b[1;5F', '\x1b[1;2F', '\x1b[8$'],
  ['scroll.pageUp', '\x1b[5~'],
  ['scroll.pageDown', '\x1b[6~'],
  ['history.previous', '\x10', '\x1b[112;5u'],
  ['history.next', '\x0e', '\x1b[110;5u'],
  ['history.search.start', '\x12', '\x1b[114;5u'],
  ['history.search.submit', '\r'],
  ['history.search.accept', '\t'],
  ['nav.up', '\x1b[A'],
  ['nav.down', '\x1b[B'],
  ['nav.dialog.up', '\x1b[A', 'k'],
  ['nav.dialog.down', '\x1b[B', 'j'],
  ['nav.dialog.next', '\t', '\x1b[9u'],
  ['nav.dialog.previous', '\x1b[Z', '\x1b[9;2u'],
  ['suggest.accept', '\t', '\r'],
  ['suggest.focusPrevious', '\x1b[A', '\x10'],
  ['suggest.focusNext', '\x1b[B', '\x0e'],
  ['suggest.expand', '\x1b[C'],
  ['suggest.collapse', '\x1b[D'],
  ['input.submit', '\r', '\x1bOM', '\x1b[57414u'],
  ['input.queueMessage', '\t'],
  [
    'input.newline',
    ...[
      '\x1b[13;5u',
      '\x1b[27;5;13~',
      '\x1b[13;9u',
      '\x1b\r',
      '\x1b[13;3u',
      '\x1b[13;2u',
      '\x1b[27;2;13~',
      '\n',
    ],
  ],
  ['input.openExternalEditor', '\x07', '\x1b[103;5u', '\x1b[103;6u'],
  ['input.deprecatedOpenExternalEditor', '\x18', '\x1b[120;5u'],
  ['input.paste', '\x16', '\x1b[118;5u', '\x1b[118;9u', '\x1bv'],
  ['app.showErrorDetails', '\x1b[24~'],
  ['app.showFullTodos', '\x14'],
  ['app.showIdeContextDetail', '\x1bOS', '\x1b[14~', '\x1b[S'],
  ['app.toggleMarkdown', '\x1bm', '\x1b[109;3u'],
  ['app.toggleCopyMode', '\x1b[20~'],
  ['app.toggleMouseMode', '\x13'],
  ['app.toggleYolo', '\x19'],
  ['app.cycleApprovalMode', '\x1b[Z', '\x1b[9;2u'],
  ['app.showMoreLines', '\x0f'],
  ['app.expandPaste', '\x0f'],
  ['app.focusShellInput', '\t'],
  ['app.unfocusShellInput', '\x1b[Z'],
  ['app.showShellUnfocusWarning', '\t'],
  ['app.clearScreen', '\x0c'],
  ['app.restart', 'r', 'R'],
  ['app.suspend', '\x1a', '\x1b[122;5u'],
  ['app.voiceModePTT', ' '],
  ['background.toggle', '\x02'],
  ['background.toggleList', '\x0c'],
  ['background.kill', '\x0b'],
  ['background.escape', '\x1b'],
  ['background.select', '\r'],
  ['background.unfocus', '\x1b[Z'],
  ['background.unfocusList', '\t'],
  ['background.unfocusWarning', '\t'],
  ['app.dumpFrame', '\x1b[19~'],
  ['app.startRecording', '\x1b[17~'],
  ['app.stopRecording', '\x1b[18~'],
  ['extension.update', 'i'],
  ['extension.link', 'l'],
];

describe('The default keys', () => {
  it('cover every command of this table', () => {
    expect(TABLE.map(([command]) => command).sort()).toEqual(commandIds().sort());
  });

  it.each(TABLE)('run %s', (command, ...sequences) => {
    setBindings(defaultBindings('linux'));
    for (const bytes of sequences) expect([bytes, isCommand(keyOf(bytes), command)]).toEqual([bytes, true]);
    const other = commandIds().filter((id) => sequences.some((bytes) => isCommand(keyOf(bytes), id)));
    expect(other).toContain(command);
  });

  it('require exactly their modifiers', () => {
    expect(isCommand(keyOf('\x1b[13;2u'), 'input.submit')).toBe(false);
    expect(isCommand(keyOf('\x1b[97;6u'), 'cursor.home')).toBe(false);
    expect(isCommand(keyOf('K'), 'nav.dialog.up')).toBe(false);
  });

  it('use Ctrl+Z to suspend, and to undo where the platform cannot suspend', () => {
    setBindings(defaultBindings('linux'));
    expect([isCommand(keyOf('\x1a'), 'edit.undo'), isCommand(keyOf('\x1a'), 'app.suspend')]).toEqual([
      false,
      true,
    ]);
    setBindings(defaultBindings('win32'));
    expect([isCommand(keyOf('\x1a'), 'edit.undo'), isCommand(keyOf('\x1a'), 'app.suspend')]).toEqual([
      true,
      false,
    ]);
  });

  it('are listed for help', () => {
    expect(keysOf('cursor.wordLeft', 'linux')).toEqual(['Ctrl+Left', 'Alt+Left', 'Alt+B']);
    expect(keysOf('edit.redo', 'darwin')).toEqual(['Ctrl+Shift+Z', 'Cmd+Shift+Z', 'Option+Shift+Z']);
    expect(commandHelp('linux').find(({ command }) => command === 'basic.cancel')?.keys).toEqual([
      'Esc',
      'Ctrl+[',
    ]);
  });
});

describe('parseChord', () => {
  it.each([
    ['ctrl+a', { name: 'a', ctrl: true }],
    ['Ctrl+Shift+Z', { name: 'z', ctrl: true, shift: true }],
    ['option+b', { name: 'b', alt: true }],
    ['meta+z', { name: 'z', cmd: true }],
    ['ctrl++', { name: '+', ctrl: true }],
    ['+', { name: '+' }],
    ['numpad_add', { name: 'numpad_add' }],
    ['F35', { name: 'f35' }],
    ['é', { name: 'é' }],
    ['😀', { name: '😀' }],
    ['esc', { name: 'escape' }],
  ])('reads %s', (text, expected) => {
    expect(parseChord(text)).toEqual({ ctrl: false, alt: false, shift: false, cmd: false, ...expected });
  });

  it.each(['', 'ctrl+', 'hyper+a', 'ctrl+hello', 'f36', 'ab'])('refuses %j and says why', (text) => {
    expect(parseChord(text)).toEqual(expect.any(String));
  });
});

it('the user can add keys and remove one or all', () => {
  const chord = { name: 'u', ctrl: false, alt: true, shift: false, cmd: false };
  const added = changeBindings(defaultBindings('linux'), [{ command: 'edit.undo', chord, remove: false }]);
  setBindings(added);
  expect(keysOf('edit.undo', 'linux')).toEqual(['Alt+U', 'Alt+Z', 'Meta+Z']);
  setBindings(changeBindings(added, [{ command: 'edit.undo', chord, remove: true }]));
  expect(keysOf('edit.undo', 'linux')).toEqual(['Alt+Z', 'Meta+Z']);
  setBindings(changeBindings(added, [{ command: 'edit.undo', remove: true }]));
  expect(keysOf('edit.undo', 'linux')).toEqual([]);
});

it('every command that is listed is handled somewhere, and the reserved ones are not', () => {
  const ui = fileURLToPath(new URL('..', import.meta.url));
  const sources = readdirSync(ui, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test') && !path.endsWith('keys/commands.ts'))
    .map((path) => readFileSync(join(ui, path), 'utf8'))
    .join('\n');
  const listed = new Set(commandHelp('linux').map(({ command }) => command));
  for (const command of commandIds())
    expect(sources.includes(`'${command}'`), command).toBe(listed.has(command));
});

it('docs/keys.md describes every command with its keys', () => {
  setBindings(defaultBindings('linux'));
  const page = readFileSync(new URL('../../../../../docs/keys.md', import.meta.url), 'utf8');
  for (const { command, keys } of commandHelp('linux')) {
    expect(page).toContain(`| \`${command}\` | ${keys.map((key) => `\`${key}\``).join(', ')} |`);
  }
});
