/** A one-line edit changes that line and no other byte, whatever the file is made of (row 28). */
import { execFileSync } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { expect } from 'vitest';
import { attack, callOnce, expectFailed } from './attack.js';

const LINES = ['first', 'the old line', 'last'];
const utf16 = (text: string, order: 'le' | 'be') => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};
const latin1 = (text: string) => Buffer.from(text, 'latin1');
/** 你好 and 世界 in GBK, several times: enough to be recognized. */
const GBK = Buffer.from('c4e3bac3cac0bde7a3acd6d0cec4cec4bcfe0a'.repeat(8), 'hex');

const FILES: [string, Buffer, Buffer][] = [
  pair('UTF-8', (text) => Buffer.from(text), '\n'),
  pair('a byte order mark', (text) => Buffer.from(`\ufeff${text}`), '\n'),
  pair('CRLF', (text) => Buffer.from(text), '\r\n'),
  pair('CR', (text) => Buffer.from(text), '\r'),
  pair('UTF-16LE', (text) => utf16(text, 'le'), '\n'),
  pair('UTF-16BE with CRLF', (text) => utf16(text, 'be'), '\r\n'),
  pair('Latin-1', (text) => latin1(`Caf\u00e9 d\u00e9j\u00e0 vu, na\u00efve\n${text}`), '\n'),
  pair('GBK', (text) => Buffer.concat([GBK, Buffer.from(text), GBK]), '\n'),
  pair('no line break at its end', (text) => Buffer.from(text.trimEnd()), '\n'),
  pair('trailing blanks and tabs', (text) => Buffer.from(`a  \t\n\t\n${text}  `), '\n'),
  ['mixed line ends', Buffer.from('a\r\nthe old line\nb\rc\r\n'), Buffer.from('a\r\nthe new line\nb\rc\r\n')],
  [
    'a NUL-free form feed and DEL',
    Buffer.from('\f\x7f\nthe old line\n\x1b[0m\n'),
    Buffer.from('\f\x7f\nthe new line\n\x1b[0m\n'),
  ],
];
for (const [what, before, after] of FILES) {
  attack(28, `replace in a file with ${what}`, async (rig) => {
    const path = rig.write('a.txt', before);
    chmodSync(path, 0o640);
    const args = { file_path: 'a.txt', old_string: 'the old line', new_string: 'the new line' };
    const { answer } = await callOnce(rig, 'replace', args, { mode: 'auto_edit' });
    expect(answer.error).toBeUndefined();
    expect(rig.readBytes('a.txt').toString('hex')).toBe(after.toString('hex'));
    expect(statSync(path).mode & 0o777).toBe(0o640);
    await rig.cli('undo', '--yes');
    expect(rig.readBytes('a.txt').toString('hex')).toBe(before.toString('hex'));
  });
}

attack(28, 'a binary file is not edited', async (rig) => {
  const bytes = Buffer.concat([Buffer.from([0, 255, 254, 0, 1, 2, 0]), Buffer.from('the old line\n')]);
  rig.write('a.bin', bytes);
  const args = { file_path: 'a.bin', old_string: 'the old line', new_string: 'x' };
  expectFailed(await callOnce(rig, 'replace', args, { mode: 'yolo' }), /binary/i);
  expect(rig.readBytes('a.bin').equals(bytes)).toBe(true);
});

attack(28, 'a named pipe that turns up among the files of a search stops nothing', async (rig) => {
  rig.write('a.txt', 'needle\n');
  execFileSync('mkfifo', [rig.path('pipe')]);
  const { answer } = await callOnce(rig, 'grep_search', { pattern: 'needle' });
  expect(answer.output).toContain('a.txt');
});

function pair(what: string, encode: (text: string) => Buffer, lineEnd: string): [string, Buffer, Buffer] {
  const file = (lines: string[]) => encode(lines.map((line) => line + lineEnd).join(''));
  return [what, file(LINES), file(LINES.map((line) => line.replace('old', 'new')))];
}
