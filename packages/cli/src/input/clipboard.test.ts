import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askTerminalForClipboard, clipboardOfAnswer, copyText, pasteTextFromTools } from './clipboard.js';
import { removeOldImages, saveClipboardImage } from './clipboard-image.js';
import type { RunTool } from './run-tool.js';

const MISSING = { code: undefined, stdout: Buffer.alloc(0), isMissing: true };
const PNG = Buffer.from('89504e470d0a1a0a00ff', 'hex');

/** Tools that are there, by name; the others are missing. */
function tools(answers: Record<string, Buffer | number>): { run: RunTool; calls: [string, string][] } {
  const calls: [string, string][] = [];
  const run: RunTool = async (file, _args, input) => {
    calls.push([file, input?.toString() ?? '']);
    const answer = answers[file];
    if (answer === undefined) return MISSING;
    if (typeof answer === 'number') return { code: answer, stdout: Buffer.alloc(0), isMissing: false };
    return { code: 0, stdout: answer, isMissing: false };
  };
  return { run, calls };
}

describe('copyText', () => {
  it.each<[NodeJS.Platform, Record<string, string>, string]>([
    ['linux', { WAYLAND_DISPLAY: 'w' }, 'wl-copy'],
    ['linux', { DISPLAY: ':0' }, 'xclip'],
    ['linux', { WSL_DISTRO_NAME: 'u' }, 'clip.exe'],
    ['darwin', {}, 'pbcopy'],
    ['win32', {}, 'clip'],
  ])('uses on %s with %j the tool %s', async (platform, env, tool) => {
    const { run } = tools({ [tool]: 0 });
    const writeToTerminal = () => expect.unreachable();
    expect(await copyText('hi', { env, platform, run, writeToTerminal })).toEqual({ by: 'tool', tool });
  });

  it('tries no tool when the terminal is to copy', async () => {
    const { run, calls } = tools({ pbcopy: 0 });
    const written: string[] = [];
    const writeToTerminal = (text: string) => void written.push(text);
    const options = { env: {}, platform: 'darwin' as const, run, writeToTerminal, byTerminal: true };
    expect(await copyText('hi', options)).toEqual({ by: 'terminal' });
    expect([calls, written]).toEqual([[], ['\x1b]52;c;aGk=\x07']]);
  });

  it.each<[Record<string, string>, string]>([
    [{ DISPLAY: ':0' }, '\x1b]52;c;aGk=\x07'],
    [{ SSH_TTY: '/dev/pts/1', DISPLAY: ':0' }, '\x1b]52;c;aGk=\x07'],
    [{ TMUX: 'x' }, '\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\'],
    [{ STY: 'x' }, '\x1bP\x1b]52;c;aGk=\x07\x1b\\'],
  ])('asks the terminal with %j', async (env, expected) => {
    const written: string[] = [];
    const { run, calls } = tools({});
    const writeToTerminal = (sequence: string) => void written.push(sequence);
    expect(await copyText('hi', { env, platform: 'linux', run, writeToTerminal })).toEqual({
      by: 'terminal',
    });
    expect(written).toEqual([expected]);
    if (env['SSH_TTY']) expect(calls).toEqual([]);
  });
});

it('pasteTextFromTools reads with the first tool that has text', async () => {
  const { run } = tools({ xclip: 1, xsel: Buffer.from('grüße') });
  expect(await pasteTextFromTools({ env: { DISPLAY: ':0' }, platform: 'linux', run })).toBe('grüße');
  expect(await pasteTextFromTools({ env: {}, platform: 'linux', run })).toBeUndefined();
});

it('clipboardOfAnswer reads the answer of the terminal', () => {
  const written: string[] = [];
  askTerminalForClipboard({ env: {}, writeToTerminal: (sequence) => void written.push(sequence) });
  expect(written).toEqual(['\x1b]52;c;?\x07']);
  expect(clipboardOfAnswer(`\x1b]52;c;${Buffer.from('grüße').toString('base64')}\x1b\\`)).toBe('grüße');
  expect(clipboardOfAnswer('\x1b]11;rgb:0/0/0\x07')).toBeUndefined();
});

describe('images in the clipboard', () => {
  let directory = '';
  beforeEach(() => {
    directory = join(mkdtempSync(join(tmpdir(), 'clipboard-test-')), 'images');
  });
  afterEach(() => rmSync(join(directory, '..'), { recursive: true, force: true }));
  const save = (platform: NodeJS.Platform, env: Record<string, string>, run: RunTool) =>
    saveClipboardImage({ env, platform, directory, now: () => 1_700_000_000_000, run });

  it.each<[NodeJS.Platform, Record<string, string>, string, Buffer]>([
    ['linux', { WAYLAND_DISPLAY: 'w' }, 'wl-paste', PNG],
    ['linux', { DISPLAY: ':0' }, 'xclip', PNG],
    ['darwin', {}, 'osascript', Buffer.from(`«data PNGf${PNG.toString('hex').toUpperCase()}»\n`)],
    ['win32', {}, 'powershell', Buffer.from(`${PNG.toString('base64')}\r\n`)],
    ['linux', { WSL_DISTRO_NAME: 'u' }, 'powershell.exe', Buffer.from(PNG.toString('base64'))],
  ])('are read on %s with %j by %s', async (platform, env, tool, output) => {
    const saved = await save(platform, env, tools({ [tool]: output }).run);
    const path = join(directory, 'clipboard-1700000000000.png');
    expect(saved).toEqual({ kind: 'image', path, fileName: 'clipboard-1700000000000.png' });
    expect(readFileSync(path)).toEqual(PNG);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('are not found if the clipboard has text', async () => {
    expect(await save('linux', { DISPLAY: ':0' }, tools({ xclip: 1 }).run)).toEqual({ kind: 'none' });
    expect(await save('linux', { DISPLAY: ':0' }, tools({ xclip: Buffer.from('text') }).run)).toEqual({
      kind: 'none',
    });
  });

  it('need a tool, which is named if it is missing', async () => {
    expect(await save('linux', { WAYLAND_DISPLAY: 'w' }, tools({}).run)).toMatchObject({
      kind: 'problem',
      message: expect.stringContaining('wl-clipboard'),
    });
    expect(await save('linux', { DISPLAY: ':0' }, tools({}).run)).toMatchObject({
      message: expect.stringContaining('xclip'),
    });
    expect(await save('linux', {}, tools({}).run)).toMatchObject({
      message: expect.stringContaining('no clipboard'),
    });
  });

  it('are removed after an hour; other files stay', async () => {
    await save('linux', { DISPLAY: ':0' }, tools({ xclip: PNG }).run);
    const old = new Date(1_700_000_000_000 - 3_600_001);
    for (const name of ['clipboard-1.png', 'mine.png']) {
      writeFileSync(join(directory, name), PNG);
      utimesSync(join(directory, name), old, old);
    }
    const recent = new Date(1_700_000_000_000);
    utimesSync(join(directory, 'clipboard-1700000000000.png'), recent, recent);
    removeOldImages(directory, 1_700_000_000_000);
    expect(readdirSync(directory).sort()).toEqual(['clipboard-1700000000000.png', 'mine.png']);
    removeOldImages(join(directory, 'nowhere'), 0);
  });
});
