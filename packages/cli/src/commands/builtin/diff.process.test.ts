/** `/diff` and `/undo turn` of a real session: a scripted model, real files and commands, the snapshot worker. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTool, createTestConfig, sendPrompt, startModelServer, text } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plainItem } from '../../history/plain-item.js';
import { builtinCommands } from '../loaders/builtin.js';
import { runCommand } from '../run-command.js';
import { type TestContextOptions, testContext } from '../testing/context.test-helper.js';

const commands = builtinCommands();
const write = (path: string, content: string) => callTool('write_file', { file_path: path, content });
const shell = (command: string) => callTool('run_shell_command', { command });

/** Two prompts: the first writes a.txt, the second changes it by a tool and a command, and makes b.txt. */
async function workedSession() {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const config = await createTestConfig({}, { model });
  const root = config.getTargetDir();
  writeFileSync(join(root, 'a.txt'), 'one\ntwo\n');
  const run = async (line: string, options: TestContextOptions = {}) => {
    const context = testContext({ config, cwd: root, commands, ...options });
    return (await runCommand(line, commands, context)).result;
  };
  const said = async (line: string, options: TestContextOptions = {}) => {
    const result = await run(line, options);
    if (result?.type === 'message') return result.content;
    return result?.type === 'items' ? result.items.map(plainItem).join('\n') : JSON.stringify(result);
  };
  const before = await said('/diff');
  model.replies(
    [write('a.txt', 'one\n2\n')],
    [text('done')],
    [write('a.txt', 'one\n2\n3\n'), shell('echo b > b.txt; echo 4 >> a.txt')],
    [text('done')],
  );
  await sendPrompt(config, 'first');
  await sendPrompt(config, 'second');
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  return { config, root, run, said, read, before };
}

describe('/diff', { timeout: 60_000 }, () => {
  it('shows the net changes of tools and commands in this session, with totals', async () => {
    const { said, before, config, root } = await workedSession();
    expect(before).toBe('Nothing was changed in this session.');
    const all = await said('/diff');
    expect(all).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,4 @@\n one\n-two\n+2\n+3\n+4\n');
    expect(all).toContain('--- /dev/null\n+++ b/b.txt\n');
    expect(all.trimEnd().split('\n').at(-1)).toBe('2 files changed, +4 -1');
    const one = await said('/diff b.txt');
    expect(one).toContain('+b');
    expect(one).not.toContain('a.txt');
    expect(one.trimEnd().split('\n').at(-1)).toBe('1 file changed, +1 -0');
    expect(await said('/diff nope.txt')).toBe('nope.txt was not changed in this session.');
    const { completePath } = await import('./diff.js');
    expect(await completePath(testContext({ config, cwd: root }), 'b')).toEqual(['b.txt']);
    await config.startNewSession('another');
    expect(await said('/diff')).toBe('Nothing was changed in this session.');
  });
});

describe('/undo turn', { timeout: 60_000 }, () => {
  it('undoes everything of the last prompt after a yes, and can be undone', async () => {
    const { run, said, read } = await workedSession();
    const asked = await run('/undo turn');
    if (asked?.type !== 'confirm_action') throw new Error(JSON.stringify(asked));
    expect(asked.prompt).toContain('restore  a.txt');
    expect(asked.prompt).toContain('delete   b.txt');
    expect(asked.originalInvocation.raw).toMatch(/^\/undo turn \w+$/);
    expect(read('a.txt')).toBe('one\n2\n3\n4\n');
    const undone = await said(asked.originalInvocation.raw, { overwriteConfirmed: true });
    expect(undone).toMatch(/^Restored 2 files\.\nTo redo the change: \/undo \w+$/);
    expect(read('a.txt')).toBe('one\n2\n');
    expect(() => read('b.txt')).toThrow('ENOENT');
    const redo = /\/undo \w+$/.exec(undone)?.[0] ?? '';
    await said(redo, { overwriteConfirmed: true });
    expect([read('a.txt'), read('b.txt')]).toEqual(['one\n2\n3\n4\n', 'b\n']);
  });
});
