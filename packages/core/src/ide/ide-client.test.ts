import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CompanionOptions, startCompanion } from '@gemini-cli/test-utils/rig';
import { describe, expect, it, onTestFinished } from 'vitest';
import { VERSION } from '../platform/version.js';
import { readServerFiles } from './discovery/server-file.js';
import { editor, endless, reason, until } from './ide-client.test-helper.js';

const ANOTHER_PID = 2 ** 22 + 7;

it('connects to the companion that has the folder open, and hears the context', async () => {
  const { client, companion, cwd } = await editor({ state: { isTrusted: true } });
  await client.connect();
  expect(client.status).toEqual({ kind: 'connected', ide: { name: 'vscode', displayName: 'VS Code' } });
  await client.ready();
  expect(client.context).toEqual({ openFiles: [], isTrusted: true });
  await companion.update({ openFiles: [{ path: join(cwd, 'a'), timestamp: 1, isActive: true }] });
  await until(() => client.context?.openFiles.length === 1);
  expect(client.showsDiffs).toBe(true);
});

it.each([
  ['of another version than this program brings', 'gemini-cli-companion', '0.0.1', { companion: '0.0.1' }],
  ['of the version that this program brings', 'gemini-cli-companion', VERSION, {}],
  ['that is not ours', 'another-companion', '0.0.1', {}],
])('tells which version a companion has: one %s', async (_what, name, version, told) => {
  const { client } = await editor({ serverInfo: { name, version } });
  await client.connect();
  expect(client.status).toEqual({
    kind: 'connected',
    ide: { name: 'vscode', displayName: 'VS Code' },
    ...told,
  });
});

it('sends the token and no origin with every request', async () => {
  const { client, companion } = await editor();
  await client.connect();
  await client.disconnect();
  const heads = companion.requests.map(({ headers }) => [headers.authorization, headers.origin]);
  expect(heads.length).toBeGreaterThan(3);
  expect(new Set(heads.map(String))).toEqual(new Set([String(heads[0])]));
  expect(heads[0]?.[0]).toMatch(/^Bearer ./);
});

it('works with a companion that answers in JSON', async () => {
  const { client, companion, cwd } = await editor({ answersJson: true });
  await client.connect();
  const { answer } = client.openDiff(join(cwd, 'a'), 'new');
  await companion.accept('newer');
  expect(await answer).toEqual({ status: 'accepted', content: 'newer' });
  const diff = client.openDiff(join(cwd, 'b'), 'next');
  await companion.shownDiff();
  expect(await diff.close()).toBe('next');
});

it('goes to the companion directly, also where a proxy is set', async () => {
  const { client } = await editor({}, { proxy: 'http://127.0.0.1:9' });
  await client.connect();
  expect(client.status.kind).toBe('connected');
});

it('uses the address in the variables where there is no file', async () => {
  const hidden = await editor({ isHidden: true }, { withAddress: true });
  await hidden.client.connect();
  expect(hidden.client.status.kind).toBe('connected');
});

it('finds the file through a link that the user has made', async () => {
  const { client, companion } = await editor();
  const folder = join(companion.discoveryFile, '..', '..');
  renameSync(folder, `${folder}-real`);
  symlinkSync(`${folder}-real`, folder);
  await client.connect();
  expect(client.status.kind).toBe('connected');
});

it('prefers the window that the variables name among several windows of the folder', async () => {
  const { client, companion, cwd } = await editor({}, { withAddress: true });
  const other = await startCompanion({ tmpdir: cwd, roots: [cwd], pid: process.pid });
  await client.connect();
  expect([companion.isConnected, other.isConnected]).toEqual([true, false]);
});

it('takes another window of the folder when the newest does not answer', async () => {
  const { client, companion, cwd } = await editor();
  const dead = await startCompanion({ tmpdir: cwd, roots: [cwd] });
  dead.kill();
  await client.connect();
  expect([client.status.kind, companion.isConnected]).toEqual(['connected', true]);
});

it("prefers the editor of this terminal among several editors' windows", async () => {
  const { client, companion, cwd } = await editor(
    { pid: ANOTHER_PID },
    { isAlive: () => true, ancestors: async () => [{ pid: process.pid, command: 'editor' }] },
  );
  const other = await startCompanion({ tmpdir: cwd, roots: [cwd], pid: process.pid });
  await client.connect();
  expect([companion.isConnected, other.isConnected]).toEqual([false, true]);
});

describe('does not connect', () => {
  const cases: [string, Partial<CompanionOptions>, RegExp][] = [
    [
      'a file of another folder',
      { roots: ['/somewhere/else'] },
      /not open in VS Code. Open there: \/somewhere\/else/,
    ],
    ['a window without a folder', { roots: [] }, /VS Code has no folder open/],
    ['a root that is not absolute', { roots: ['.'] }, /VS Code has no folder open/],
    ['a file of a process that has ended', { pid: ANOTHER_PID }, /was not found/],
    [
      'a file that others can write',
      { mode: 0o666 },
      /not found. \S+\.json is ignored: other users can change it. Install/,
    ],
    [
      'a file that is not JSON',
      { rawFile: '{"port":' },
      /was not found. \S+ is ignored: \S.*JSON.*\. Install/,
    ],
    ['a file with a list', { rawFile: '[1]' }, /is ignored: it is not a JSON object/],
    ['a file without a port', { file: { port: 0 } }, /is ignored: it has no valid port/],
    [
      'a file with a token that cannot be sent',
      { file: { authToken: 'a\r\nx: y' } },
      /is ignored: its authToken cannot be sent/,
    ],
    ['a huge file', { rawFile: ' '.repeat(300_000) }, /is ignored: it is larger than 256 KB/],
    ['a companion that refuses the token', { token: 'another' }, /refused our token/],
    ['a closed port', { file: { port: 9 } }, /cannot be reached/],
    [
      'a companion that answers with no protocol',
      { before: (_, response) => !!response.end('hello') },
      /does not speak the protocol/,
    ],
    [
      'a companion that leads to another address',
      { before: (_, response) => !!response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end() },
      /sent us to another address/,
    ],
    ['a companion that sends 100 MB', { before: endless('application/json') }, /more than 32 MB/],
    [
      'a companion that sends an event of 100 MB',
      { before: endless('text/event-stream') },
      /more than 32 MB/,
    ],
  ];

  it.each(cases)('%s', async (_what, options, why) => {
    const { client } = await editor(options);
    await client.connect();
    expect(client.status.kind).toBe('disconnected');
    expect(reason(client)).toMatch(why);
  });

  it('a companion that refuses with a million words, of which a line is shown', async () => {
    const error = { code: -32_000, message: 'no '.repeat(1_000_000) };
    const { client } = await editor({
      before: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        return !!response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, error }));
      },
    });
    await client.connect();
    expect(reason(client)).toContain('no no no');
    expect(reason(client).length).toBeLessThan(1_000);
  });

  it("another user's file", async () => {
    const { client } = await editor({}, { userId: (process.getuid?.() ?? 0) + 1 });
    await client.connect();
    expect(reason(client)).toMatch(/was not found/);
  });

  it("a file in another user's folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gemini-ide-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const companion = await startCompanion({ tmpdir: folder, roots: [] });
    const others = join(folder, 'gemini');
    const mine = process.getuid?.() ?? 0;
    const isRoot = mine === 0;
    if (isRoot) chownSync(others, 65_534, 65_534);
    const { files, ignored } = readServerFiles(join(companion.discoveryFile, '..'), isRoot ? mine : mine + 1);
    expect(files).toEqual([]);
    expect(ignored.map(({ path }) => path)).toEqual([others]);
  });

  it.each([
    ['a file', (path: string) => writeFileSync(path, '')],
    ['a link that leads to itself', (path: string) => symlinkSync(path, path)],
  ])('in a terminal where the folder is %s', async (_what, put) => {
    const { client, companion } = await editor();
    const folder = join(companion.discoveryFile, '..', '..');
    rmSync(folder, { recursive: true });
    put(folder);
    await client.connect();
    rmSync(folder);
    expect(reason(client)).toMatch(/was not found/);
  });

  it.each([
    ['in a folder that all users can change', 0o777, /ide is ignored: all users can change it/],
    ['in a folder that all users can add to', 0o1777, /not open in VS Code/],
  ])('a file of another folder %s', async (_what, mode, why) => {
    const { client, companion } = await editor({ roots: ['/elsewhere'] });
    chmodSync(join(companion.discoveryFile, '..'), mode);
    await client.connect();
    expect(reason(client)).toMatch(why);
  });

  it('a file whose editor has a name that would change the screen', async () => {
    const { client } = await editor({
      roots: ['/elsewhere'],
      file: { ideInfo: { name: 'vscode', displayName: 'VS\u001b[2JCode' } },
    });
    await client.connect();
    expect(reason(client)).toContain('not open in VS Code');
  });

  it('a link to a file', async () => {
    const { client, companion } = await editor();
    const [name = ''] = readdirSync(join(companion.discoveryFile, '..'));
    const kept = `${companion.discoveryFile}.kept`;
    rmSync(companion.discoveryFile);
    const elsewhere = await startCompanion({ tmpdir: kept, roots: [] });
    symlinkSync(elsewhere.discoveryFile, join(companion.discoveryFile, '..', name));
    await client.connect();
    expect(reason(client)).toMatch(/was not found/);
  });

  it.each([
    [
      { TERM_PROGRAM: 'vscode', CURSOR_TRACE_ID: '1' },
      /in Cursor was not found. Install it with \/ide install/,
    ],
    [
      { TERM_PROGRAM: 'zed' },
      /No companion was found in Zed. .* Agent Client Protocol .* \/docs editors\/zed/,
    ],
    [{ TERMINAL_EMULATOR: 'JetBrains-JediTerm' }, /in JetBrains IDE. .* \/docs editors\/jetbrains/],
    [{ TERM_PROGRAM: 'sublime' }, /in Sublime Text. .* \/docs editors\/others/],
  ])('where there is none, and says what to do: %j', async (variables, why) => {
    const { client } = await editor({ isHidden: true }, { variables });
    await client.connect();
    expect(reason(client)).toMatch(why);
  });

  it('in a terminal that is in no editor', async () => {
    const { client } = await editor({ isHidden: true }, { variables: { TERM_PROGRAM: 'xterm' } });
    await client.connect();
    expect(reason(client)).toMatch(/not in a supported editor. Supported: VS Code, .*Zed/);
  });
});

it('tells what a companion said, not that nothing listens at another address', async () => {
  const { client, companion, cwd } = await editor({ token: 'another' });
  const closed = await startCompanion({ tmpdir: cwd, roots: [cwd], file: { port: 9 } });
  const [older, newer] = [new Date(1_000_000), new Date(2_000_000)];
  utimesSync(companion.discoveryFile, older, older);
  utimesSync(closed.discoveryFile, newer, newer);
  await client.connect();
  expect(reason(client)).toMatch(/refused our token/);
});

it('stays usable when the companion sends 100 MB later', async () => {
  const { client, companion } = await editor();
  await client.connect();
  await companion.tell('ide/contextUpdate', {
    workspaceState: { openFiles: [], junk: 'x'.repeat(33 * 2 ** 20) },
  });
  await until(() => client.status.kind !== 'connected');
});

it('ignores updates and answers that have no meaning', async () => {
  const { client, companion, cwd } = await editor();
  await client.connect();
  await companion.tell('ide/contextUpdate', {});
  await companion.tell('ide/contextUpdate', { workspaceState: 7 });
  await companion.tell('ide/diffAccepted', { filePath: 7, content: [] });
  await companion.tell('ide/unknown', { a: 1 });
  await companion.update({ openFiles: [{ path: join(cwd, 'a'), timestamp: 1 }] });
  await until(() => client.context?.openFiles.length === 1);
  expect(client.status.kind).toBe('connected');
});
