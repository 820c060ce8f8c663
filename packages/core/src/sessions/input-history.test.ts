import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addPrompt, addShellCommand, readPrompts, readShellCommands } from './input-history.js';

let dir: ReturnType<typeof tempDir>;
beforeEach(() => {
  dir = tempDir('input-history-');
});
afterEach(() => dir.cleanup());

const redact = (text: string) => text.replaceAll('hunter2', '[secret]');
const prompt = (text: string, sessionId = 's1') =>
  addPrompt(dir.path, { sessionId, text, timeMs: Date.UTC(2026, 10, 15) }, redact);
const stored = () => JSON.parse(readFileSync(join(dir.path, 'logs.json'), 'utf8'));

describe('the prompt history', () => {
  it('returns prompts of all sessions oldest first, each once', async () => {
    for (const text of ['one', 'two', 'one', '  ']) await prompt(text);
    await prompt('three', 's2');
    expect(readPrompts(dir.path)).toEqual(['two', 'one', 'three']);
  });

  it('writes prompts as Gemini CLI does, numbered within their session', async () => {
    await prompt('one');
    await prompt('two');
    await prompt('other', 's2');
    expect(stored().map(({ messageId }: { messageId: number }) => messageId)).toEqual([0, 1, 0]);
    expect(stored()[0]).toEqual({
      sessionId: 's1',
      messageId: 0,
      timestamp: '2026-11-15T00:00:00.000Z',
      type: 'user',
      message: 'one',
    });
    expect(statSync(join(dir.path, 'logs.json')).mode & 0o077).toBe(0);
  });

  it('contains no secrets and no terminal control characters', async () => {
    await prompt('log in with hunter2\u001b[2J');
    expect(readPrompts(dir.path)).toEqual(['log in with [secret][2J']);
  });

  it('keeps the prompts of two processes that write at once', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => prompt(`prompt ${n}`, `s${n}`)));
    expect(readPrompts(dir.path)).toHaveLength(20);
    expect(readdirSync(dir.path)).toEqual(['logs.json']);
  });

  it('is limited in length and omits long pasted texts', async () => {
    const old = Array.from({ length: 1_500 }, (_, n) => ({ sessionId: 's', type: 'user', message: `m${n}` }));
    writeFileSync(join(dir.path, 'logs.json'), JSON.stringify(old));
    await prompt('newest');
    await prompt('x'.repeat(30_000));
    expect(stored()).toHaveLength(1_000);
    expect(readPrompts(dir.path).at(-1)).toBe('newest');
  });

  it.each(['', 'not json', '{}', '[1, null, {"type":"user"}]', '\u0000\u0001'])(
    'survives a file that holds %j',
    async (content) => {
      writeFileSync(join(dir.path, 'logs.json'), content);
      expect(readPrompts(dir.path)).toEqual([]);
      await prompt('one');
      expect(readPrompts(dir.path)).toEqual(['one']);
    },
  );

  it('renames a file it cannot read instead of overwriting it', async () => {
    writeFileSync(join(dir.path, 'logs.json'), 'work of the user');
    await prompt('one');
    const others = readdirSync(dir.path).filter((name) => name !== 'logs.json');
    expect(others.map((name) => readFileSync(join(dir.path, name), 'utf8'))).toEqual(['work of the user']);
  });

  it('ignores a failure to write', async () => {
    mkdirSync(join(dir.path, 'logs.json'));
    await expect(prompt('one')).resolves.toBeUndefined();
    expect(readPrompts(dir.path)).toEqual([]);
  });
});

describe('the shell history', () => {
  const command = (text: string) => addShellCommand(dir.path, text, redact);

  it('returns the last hundred commands, line breaks included', async () => {
    const lines = Array.from({ length: 120 }, (_, n) => `echo ${n}\n`);
    writeFileSync(join(dir.path, 'shell_history'), lines.join(''));
    await command('for x in 1 2\ndo echo $x\ndone');
    await command('echo hunter2');
    const commands = readShellCommands(dir.path);
    expect(commands).toHaveLength(100);
    expect(commands.slice(-3)).toEqual(['echo 119', 'for x in 1 2\ndo echo $x\ndone', 'echo [secret]']);
    await command('echo 119');
    expect(readShellCommands(dir.path).at(-1)).toBe('echo 119');
    expect(readShellCommands(dir.path).filter((text) => text === 'echo 119')).toHaveLength(1);
  });

  it('is empty when there is no file', () => {
    expect(readShellCommands(join(dir.path, 'nowhere'))).toEqual([]);
  });
});
