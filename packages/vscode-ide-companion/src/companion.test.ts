import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Companion, startCompanion } from './companion.js';
import type { Discovery, IdeContext } from './protocol.js';
import { plainRequest, TestClient } from './testing/client.test-helper.js';
import { FakeEditor, FakeUri } from './testing/fake-editor.test-helper.js';

describe('The companion', () => {
  let folder: string;
  let editor: FakeEditor;
  let companion: Companion | undefined;
  let clients: TestClient[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'companion-'));
    editor = new FakeEditor();
    editor.folders = [workspaceFolder('one')];
    clients = [];
  });
  afterEach(async () => {
    for (const client of clients) await client.close();
    await companion?.stop();
    for (const subscription of editor.context.subscriptions) subscription.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const workspaceFolder = (name: string) => ({ name, uri: FakeUri.file(join(folder, name)) });
  const file = () => join(folder, `gemini/ide/gemini-ide-server-${process.ppid}-${companion?.port}.json`);
  const discovery = (): Discovery => JSON.parse(readFileSync(file(), 'utf8'));

  async function start(environment: Record<string, string> = {}): Promise<void> {
    companion = await startCompanion(editor.api, editor.asContext(), environment, folder);
  }

  async function connect(): Promise<TestClient> {
    const { port, authToken } = discovery();
    const client = new TestClient({ port, token: authToken });
    clients.push(client);
    return client.connect();
  }

  async function nextContext(client: TestClient): Promise<IdeContext['workspaceState']> {
    return ((await client.next('ide/contextUpdate')).params as IdeContext).workspaceState;
  }

  it('announces itself by a file and by the variables of new terminals', async () => {
    await start();
    expect(discovery()).toEqual({
      port: companion?.port,
      workspacePath: join(folder, 'one'),
      authToken: expect.stringMatching(/^.{36}$/),
      ideInfo: { name: 'vscode', displayName: 'VS Code' },
    });
    expect(Object.fromEntries(editor.variables)).toEqual({
      GEMINI_CLI_IDE_SERVER_PORT: String(companion?.port),
      GEMINI_CLI_IDE_WORKSPACE_PATH: join(folder, 'one'),
      GEMINI_CLI_IDE_AUTH_TOKEN: discovery().authToken,
    });
    expect(editor.context.environmentVariableCollection.persistent).toBe(false);
  });

  it('withdraws both when it ends', async () => {
    await start();
    const path = file();
    await companion?.stop();
    companion = undefined;
    expect(existsSync(path)).toBe(false);
    expect(editor.variables.size).toBe(0);
  });

  it('names all roots, and none when no folder is open', async () => {
    editor.folders = [workspaceFolder('one'), workspaceFolder('two')];
    await start();
    expect(discovery().workspacePath).toBe([join(folder, 'one'), join(folder, 'two')].join(delimiter));
    editor.folders = [];
    editor.events.folders.fire(undefined);
    expect(discovery().workspacePath).toBe('');
    expect(editor.variables.get('GEMINI_CLI_IDE_WORKSPACE_PATH')).toBe('');
  });

  it('tells connected programs when the user trusts the workspace', async () => {
    editor.isTrusted = false;
    await start();
    const client = await connect();
    expect((await nextContext(client)).isTrusted).toBe(false);
    editor.isTrusted = true;
    editor.events.trust.fire();
    expect((await nextContext(client)).isTrusted).toBe(true);
  });

  it('tells what is selected', async () => {
    await start();
    const client = await connect();
    expect((await nextContext(client)).openFiles).toEqual([]);
    editor.openFile('/a.ts', 'const one = 1;');
    editor.select({ line: 0, character: 6 }, { line: 0, character: 9 });
    expect((await nextContext(client)).openFiles).toMatchObject([
      { path: '/a.ts', isActive: true, cursor: { line: 1, character: 10 }, selectedText: 'one' },
    ]);
  });

  it('sends an accepted diff and a rejected one to the program that asked', async () => {
    await start();
    const [client, other] = [await connect(), await connect()];
    const filePath = join(folder, 'a.txt');
    await client.call('openDiff', { filePath, newContent: 'one' });
    editor.diffDocument().text = 'one and mine';
    await editor.run('gemini.diff.accept');
    expect((await client.next('ide/diffAccepted')).params).toEqual({ filePath, content: 'one and mine' });
    await client.call('openDiff', { filePath, newContent: 'two' });
    await editor.run('gemini.diff.cancel');
    expect((await client.next('ide/diffRejected')).params).toEqual({ filePath });
    expect(existsSync(filePath)).toBe(false);
    expect(other.left().filter((method) => method.startsWith('ide/diff'))).toEqual([]);
  });

  it('closes the diffs of a program that leaves', async () => {
    await start();
    const client = await connect();
    await client.call('openDiff', { filePath: join(folder, 'a.txt'), newContent: 'one' });
    await client.leave();
    await expect.poll(() => editor.tabs).toEqual([]);
  });

  it('leaves the editor to the companion of Gemini CLI, which has the same commands', async () => {
    editor.extensions.push('google.gemini-cli-vscode-ide-companion');
    await start();
    expect(companion).toBeUndefined();
    expect(() => editor.run('gemini.diff.accept')).toThrow('There is no command');
    expect([editor.variables.size, existsSync(join(folder, 'gemini')), editor.messages]).toEqual([
      0,
      false,
      [],
    ]);
    expect(editor.lines.join('\n')).toContain('serves programs');
  });

  it('works by the variables alone when the folder of the file cannot be made', async () => {
    writeFileSync(join(folder, 'gemini'), 'not a folder');
    await start();
    const port = Number(editor.variables.get('GEMINI_CLI_IDE_SERVER_PORT'));
    const token = editor.variables.get('GEMINI_CLI_IDE_AUTH_TOKEN') ?? '';
    const client = new TestClient({ port, token });
    clients.push(client);
    await client.connect();
    expect(editor.lines.join('\n')).toContain('Programs in new terminals only can connect');
  });

  it('says once that it is installed, and never in a cloud editor', async () => {
    await start();
    await companion?.stop();
    for (const subscription of editor.context.subscriptions.splice(0)) subscription.dispose();
    await start();
    expect(editor.messages).toEqual([expect.stringContaining('is installed')]);
    await companion?.stop();

    editor = new FakeEditor();
    await start({ CLOUD_SHELL: 'true' });
    expect(editor.messages).toEqual([]);
  });

  it('writes details to its channel only when the user asks for them', async () => {
    await start();
    const address = () => ({ port: discovery().port, token: 'wrong' });
    await plainRequest(address());
    expect(editor.lines).toEqual([]);
    editor.settings['gemini-cli.debug.logging.enabled'] = true;
    await plainRequest(address());
    expect(editor.lines.join('\n')).toMatch(/POST \/mcp: 401/);
    expect(editor.lines.join('\n')).not.toContain(discovery().authToken);
  });

  describe('Gemini CLI: Run', () => {
    it('opens a terminal in the folder and starts the program', async () => {
      await start();
      await editor.run('gemini-cli.runGeminiCLI');
      expect(editor.terminals).toEqual([
        { name: 'Gemini CLI (one)', cwd: join(folder, 'one'), sent: ['gemini'] },
      ]);
    });

    it('waits until the program can find the window', async () => {
      const starting = start();
      await editor.run('gemini-cli.runGeminiCLI');
      expect(editor.terminals).toHaveLength(1);
      expect(readdirSync(join(folder, 'gemini/ide'))).toHaveLength(1);
      await starting;
    });

    it('asks which folder when there are several', async () => {
      editor.folders = [workspaceFolder('one'), workspaceFolder('two')];
      await start();
      await editor.run('gemini-cli.runGeminiCLI');
      expect(editor.terminals).toEqual([]);
      editor.pickFolder = (folders) => folders[1];
      await editor.run('gemini-cli.runGeminiCLI');
      expect(editor.terminals.map(({ name }) => name)).toEqual(['Gemini CLI (two)']);
    });

    it('says that a folder is needed', async () => {
      editor.folders = [];
      await start();
      await editor.run('gemini-cli.runGeminiCLI');
      expect(editor.terminals).toEqual([]);
      expect(editor.messages.at(-1)).toContain('Open a folder');
    });
  });

  it('opens the notices of its libraries', async () => {
    await start();
    await editor.run('gemini-cli.showNotices');
    const [command, uri] = editor.executed.at(-1) as [string, FakeUri];
    expect([command, uri.path]).toEqual(['vscode.open', '/extension/NOTICES.txt']);
  });

  it('leaves no file of its own in the temporary folder', async () => {
    await start();
    await companion?.stop();
    expect(readdirSync(join(folder, 'gemini/ide'))).toEqual([]);
    companion = undefined;
  });
});
