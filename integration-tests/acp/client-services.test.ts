/** Files and terminals of the editor, and what happens when it does not serve them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Client } from '@agentclientprotocol/sdk';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callTool, testRig, text, toolResponses } from '../test-utils.js';
import { startEditor } from './editor.js';

/** An editor with unsaved text in its buffers. */
function buffers(files: Map<string, string>): Partial<Client> {
  return {
    readTextFile: async ({ path }) => {
      const content = files.get(path);
      if (content === undefined) throw new Error(`ENOENT: no such file: ${path}`);
      return { content };
    },
    writeTextFile: async ({ path, content }) => {
      files.set(path, content);
      return {};
    },
  };
}

/** Terminals that are real processes. */
function terminals() {
  const open = new Map<string, { child: ChildProcess; output: string; exit: Promise<number | null> }>();
  const log: string[] = [];
  const find = (id: string) => {
    const found = open.get(id);
    if (!found) throw new Error(`no terminal ${id}`);
    return found;
  };
  const client: Partial<Client> = {
    createTerminal: async ({ command, args = [], cwd }) => {
      const terminalId = `t${open.size + 1}`;
      log.push(`create ${args.at(-1)}`);
      const child = spawn(command, args, { cwd: cwd ?? undefined, stdio: ['ignore', 'pipe', 'pipe'] });
      const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
      const entry = { child, output: '', exit };
      open.set(terminalId, entry);
      child.stdout.on('data', (data) => {
        entry.output += data;
      });
      onTestFinished(async () => {
        child.kill('SIGKILL');
        await exit;
      });
      return { terminalId };
    },
    terminalOutput: async ({ terminalId }) => ({ output: find(terminalId).output, truncated: false }),
    waitForTerminalExit: async ({ terminalId }) => {
      const { child, exit } = find(terminalId);
      return { exitCode: await exit, signal: child.signalCode };
    },
    killTerminal: async ({ terminalId }) => {
      log.push('kill');
      find(terminalId).child.kill('SIGKILL');
      return {};
    },
    releaseTerminal: async () => {
      log.push('release');
      return {};
    },
  };
  return { client, log };
}

describe('files of the editor', () => {
  it('count instead of what is on disk, and take the changes', async () => {
    const rig = await testRig({ files: { 'a.txt': 'on disk\n' } });
    const files = new Map([[rig.path('a.txt'), 'in the buffer\n']]);
    const edit = { file_path: 'a.txt', instruction: 'x', old_string: 'buffer', new_string: 'editor' };
    rig.model.replies(
      [callTool('read_file', { file_path: 'a.txt' })],
      [callTool('replace', edit)],
      [callTool('write_file', { file_path: 'new.txt', content: 'new\n' })],
      [text('done')],
    );
    const editor = await startEditor(rig, { client: buffers(files) });
    await editor.prompt(await editor.open(), 'edit');
    expect(JSON.stringify(rig.model.requests[1]?.body.contents.at(-1))).toContain('in the buffer');
    expect(files.get(rig.path('a.txt'))).toBe('in the editor\n');
    expect(files.get(rig.path('new.txt'))).toBe('new\n');
    expect(rig.read('a.txt')).toBe('on disk\n');
    expect(rig.exists('new.txt')).toBe(false);
  });

  it('are those on disk where the editor has none, and a missing file is missing', async () => {
    const rig = await testRig({ files: { 'b.txt': 'only on disk\n' } });
    rig.model.replies(
      [callTool('read_file', { file_path: 'b.txt' })],
      [callTool('read_file', { file_path: 'c.txt' })],
      [text('done')],
    );
    const editor = await startEditor(rig, { client: buffers(new Map()) });
    await editor.prompt(await editor.open(), 'read');
    expect(JSON.stringify(rig.model.requests[1]?.body.contents.at(-1))).toContain('only on disk');
    expect(JSON.stringify(rig.model.requests[2]?.body.contents.at(-1))).toContain('not found');
  });

  it('are made, with their folders, by an editor that has an empty text for missing ones', async () => {
    const rig = await testRig();
    rig.model.replies(
      [callTool('read_file', { file_path: 'sub/new.txt' })],
      [callTool('write_file', { file_path: 'sub/new.txt', content: 'new\n' })],
      [text('done')],
    );
    const client: Partial<Client> = {
      readTextFile: async ({ path }) => ({ content: existsSync(path) ? readFileSync(path, 'utf8') : '' }),
      writeTextFile: async ({ path, content }) => {
        writeFileSync(path, content);
        return {};
      },
    };
    const editor = await startEditor(rig, { client });
    await editor.prompt(await editor.open(), 'make it');
    expect(toolResponses(rig, 1)[0]?.response.error).toContain('not found');
    expect(rig.read('sub/new.txt')).toBe('new\n');
    const diff = editor.permissions[0]?.toolCall.content?.[0];
    expect(diff).toMatchObject({ type: 'diff', oldText: null, _meta: { kind: 'add' } });
  });

  it('keep the last line end, also where the editor leaves it out', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\ntwo\n' } });
    const written: string[] = [];
    const client: Partial<Client> = {
      readTextFile: async ({ path }) => ({ content: readFileSync(path, 'utf8').split('\n', 2).join('\n') }),
      writeTextFile: async ({ content }) => {
        written.push(content);
        return {};
      },
    };
    const edit = { file_path: 'a.txt', instruction: 'x', old_string: 'two', new_string: 'three' };
    rig.model.replies([callTool('replace', edit)], [text('done')]);
    const editor = await startEditor(rig, { client });
    await editor.prompt(await editor.open(), 'edit it');
    expect(written).toEqual(['one\nthree\n']);
  });

  it('are not written when the editor answers with what went wrong', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    rig.model.replies([callTool('write_file', { file_path: 'a.txt', content: 'two\n' })], [text('done')]);
    const client: Partial<Client> = {
      writeTextFile: async () => 'E212: cannot open file for writing' as never,
    };
    const editor = await startEditor(rig, { client });
    await editor.prompt(await editor.open(), 'edit it');
    expect(toolResponses(rig)[0]?.response.error).toContain('E212');
    expect(editor.seen('tool_call_update').at(-1)?.status).toBe('failed');
  });

  it('are not asked about what is outside of the folder', async () => {
    const rig = await testRig();
    const asked: string[] = [];
    rig.model.replies([callTool('read_file', { file_path: `${rig.home}/x.txt` })], [text('done')]);
    const client: Partial<Client> = {
      readTextFile: async ({ path }) => {
        asked.push(path);
        return { content: 'x' };
      },
    };
    const editor = await startEditor(rig, { client });
    await editor.prompt(await editor.open(), 'read');
    expect(asked).toEqual([]);
    expect(editor.seen('tool_call').at(-1)).toMatchObject({ status: 'failed' });
  });

  it('do not hold up a cancelled prompt when the editor never answers', async () => {
    const rig = await testRig({ files: { 'a.txt': 'on disk' } });
    rig.model.replies([callTool('read_file', { file_path: 'a.txt' })]);
    let isAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const client: Partial<Client> = {
      readTextFile: () => {
        isAsked();
        return new Promise<never>(() => undefined);
      },
    };
    const editor = await startEditor(rig, { client });
    const sessionId = await editor.open();
    const prompt = editor.prompt(sessionId, 'read');
    await asked;
    const cancelledAt = Date.now();
    await editor.connection.cancel({ sessionId });
    expect((await prompt).stopReason).toBe('cancelled');
    expect(Date.now() - cancelledAt).toBeLessThan(5000);
  });
});

describe('terminals of the editor', () => {
  it('run the commands the user approved, and are shown in their tool call', async () => {
    const rig = await testRig();
    const { client, log } = terminals();
    rig.model.replies(
      [callTool('run_shell_command', { command: 'echo from; touch made.txt; exit 3' })],
      [text('done')],
    );
    const editor = await startEditor(rig, { client });
    await editor.prompt(await editor.open(), 'run');
    expect(log).toEqual(['create echo from; touch made.txt; exit 3', 'release']);
    expect(rig.exists('made.txt')).toBe(true);
    expect(editor.seen('tool_call_update').map(({ status, content }) => [status, content])).toEqual([
      ['in_progress', undefined],
      [undefined, [{ type: 'terminal', terminalId: 't1' }]],
      ['completed', [{ type: 'terminal', terminalId: 't1' }]],
    ]);
    const answer = JSON.stringify(rig.model.requests[1]?.body.contents.at(-1));
    expect(answer).toContain('Output: from');
    expect(answer).toContain('Exit Code: 3');
  });

  it('are killed and released when a command never ends and the prompt is cancelled', async () => {
    const rig = await testRig();
    const { client, log } = terminals();
    rig.model.replies([callTool('run_shell_command', { command: 'touch begun.txt; exec sleep 100' })]);
    const editor = await startEditor(rig, { client });
    const sessionId = await editor.open();
    const answer = editor.prompt(sessionId, 'run');
    await rig.waitForFile('begun.txt');
    await editor.connection.cancel({ sessionId });
    expect((await answer).stopReason).toBe('cancelled');
    expect(log.slice(1)).toEqual(['kill', 'release']);
  });

  it('are not needed: a command that the editor cannot start runs here', async () => {
    const rig = await testRig();
    rig.model.replies([callTool('run_shell_command', { command: 'echo here > made.txt' })], [text('done')]);
    const client: Partial<Client> = {
      createTerminal: async () => {
        throw new Error('no terminal today');
      },
    };
    const editor = await startEditor(rig, { client });
    await editor.prompt(await editor.open(), 'run');
    expect(rig.read('made.txt')).toBe('here\n');
  });
});
