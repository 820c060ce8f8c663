import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, noTelemetry } from '@gemini-cli/core';
import { createTestConfig, tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { plainItem } from '../../history/plain-item.js';
import { builtinCommands } from '../loaders/builtin.js';
import { runCommand } from '../run-command.js';
import { type TestContextOptions, testContext } from '../testing/context.test-helper.js';
import { CommandKind } from '../types.js';
import { codeBlocks } from './copy.js';
import { setUp } from './terminal-setup.js';

const commands = builtinCommands();
type ContainmentState = Awaited<ReturnType<ReturnType<Config['getContainment']>['state']>>;

async function run(line: string, options: TestContextOptions = {}) {
  const context = testContext({ commands, ...options });
  const { result } = await runCommand(line, commands, context);
  return { result, calls: context.calls, items: context.items };
}

describe('commands that open a dialog', () => {
  it.each([
    ['/auth', 'auth'],
    ['/auth login', 'auth'],
    ['/editor', 'editor'],
    ['/footer', 'footer'],
    ['/statusline', 'footer'],
    ['/model', 'model'],
    ['/model manage', 'model'],
    ['/permissions', 'permissions'],
    ['/permissions trust', 'permissions'],
    ['/privacy', 'privacy'],
    ['/resume', 'sessionBrowser'],
    ['/sessions', 'sessionBrowser'],
    ['/chat', 'sessionBrowser'],
    ['/rewind', 'rewind'],
    ['/settings', 'settings'],
    ['/theme', 'theme'],
  ])('%s opens %s', async (line, dialog) => {
    expect((await run(line)).result).toMatchObject({ type: 'dialog', dialog });
  });

  it('/permissions trust passes on an existing folder and refuses a missing one', async () => {
    const { result } = await run('/permissions trust src', { cwd: '/' });
    expect(result).toMatchObject({ messageType: 'error', content: 'No such folder: /src' });
    expect((await run('/permissions trust /', {})).result).toMatchObject({ props: { directory: '/' } });
  });
});

it.each([
  ['/mcp', 'list, desc, schema, auth, reload, enable, disable'],
  ['/extensions', 'list, update, enable, disable, explore, install, link, uninstall, config, restart'],
  ['/hooks', 'panel, enable, disable, enable-all, disable-all'],
  ['/agents', 'list, reload, enable, disable, config, fix'],
])('%s names its sub-commands in one line when a word is none of them', async (line, names) => {
  expect((await run(`${line} nonsense and more`)).result).toEqual({
    type: 'message',
    messageType: 'error',
    content: `${line} has no sub-command "nonsense". There are: ${names}.`,
  });
});

describe('commands that ask the app for something', () => {
  it.each([
    ['/clear', ['newSession()', 'clear()']],
    ['/new', ['newSession()', 'clear()']],
    ['/resume 3', ['resumeSession("3")']],
    ['/shortcuts', ['toggleShortcuts()']],
    ['/bashes', ['toggleTasks()']],
    ['/corgi', ['toggleCorgiMode()']],
    ['/vim', ['toggleVimEnabled()']],
    ['/commands refresh', ['reloadCommands()']],
  ])('%s calls %j', async (line, calls) => {
    expect((await run(line)).calls).toEqual(calls);
  });

  it('/auth signout signs out', async () => {
    expect((await run('/auth signout')).result).toEqual({ type: 'logout' });
  });

  it('/quit ends the program and deletes the session with --delete', async () => {
    expect((await run('/exit')).result).toEqual({ type: 'quit', messages: [{ type: 'quit' }] });
    expect((await run('/quit --delete')).result).toMatchObject({ type: 'quit', deleteSession: true });
    expect((await run('/quit now')).result).toMatchObject({ messageType: 'error' });
  });
});

describe('commands that show something', () => {
  it("/help groups commands, the user's own last, and leaves out what does nothing yet", async () => {
    const own = { name: 'mine', description: 'My own.', kind: CommandKind.FILE };
    const { result } = await run('/help', { commands: [own, ...builtinCommands()] });
    const [item] = result?.type === 'items' ? result.items : [];
    const commands = item?.type === 'help' ? item.help.commands : [];
    const groups = [...new Set(commands.map(({ group }) => group))];
    expect(groups).toHaveLength(4);
    expect(commands.at(-1)).toMatchObject({ name: 'mine', group: 'Your own commands' });
    const names = commands.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['help', 'ide', 'model', 'undo']));
    for (const name of ['voice', 'corgi']) expect(names).not.toContain(name);
  });

  it.each([
    ['/stats', 'stats'],
    ['/usage session', 'stats'],
    ['/stats model', 'model_stats'],
    ['/stats tools', 'tool_stats'],
    ['/about', 'about'],
    ['/help', 'help'],
    ['/?', 'help'],
    ['/commands', 'list'],
  ])('%s shows %s', async (line, type) => {
    expect((await run(line)).result).toMatchObject({ type: 'items', items: [{ type }] });
  });

  it('/stats shows the quota that the service reports, and nothing where it reports none', async () => {
    const resetTime = new Date(Date.now() + 90 * 60_000 - 5_000).toISOString();
    const config = (buckets: Awaited<ReturnType<Config['refreshUserQuota']>> | Error) => ({
      getTelemetry: () => noTelemetry,
      refreshUserQuota: async () => {
        if (buckets instanceof Error) throw buckets;
        return buckets;
      },
    });
    const stats = async (...args: Parameters<typeof config>) => {
      const { result } = await run('/stats', { config: config(...args) });
      const [item] = result?.type === 'items' ? result.items : [];
      return item;
    };
    const item = await stats([{ model: 'gemini-pro', remainingFraction: 0.25, resetTime }]);
    expect(item).toMatchObject({
      stats: { quota: [{ model: 'gemini-pro', usedPercent: 75, resetTime: 'in 1h 30m' }] },
    });
    expect(plainItem(item ?? { type: 'info', text: '' })).toContain(
      'Quota of gemini-pro: 75% used, resets in 1h 30m',
    );
    for (const none of [await stats([]), await stats(new Error('no network'))])
      expect(none?.type === 'stats' && none.stats.quota).toBeUndefined();
  });

  it('/about names the version and the commit it was built from', async () => {
    const { result } = await run('/about');
    expect(result).toMatchObject({ items: [{ about: { version: '0.0.0-test', commit: 'abc1234' } }] });
  });

  it.each<[ContainmentState, string]>([
    [{ ok: true, notes: [] }, 'contained'],
    [{ ok: true, notes: ['Edits are not.'] }, 'contained. Edits are not.'],
    [{ ok: false, reason: 'No bwrap.', remedy: 'Install it.' }, 'not contained. No bwrap. Install it.'],
  ])('/about says how harmless commands run: %j', async (state, containment) => {
    const config = await createTestConfig();
    vi.spyOn(config.getContainment(), 'state').mockResolvedValue(state);
    const { result } = await run('/about', { config });
    expect(result).toMatchObject({ items: [{ about: { containment } }] });
  });

  it("/commands lists the user's own commands with their origin", async () => {
    const own = { name: 'test', description: 'Runs tests', kind: CommandKind.FILE, namespace: 'user' };
    const { result } = await run('/commands list', { commands: [...commands, own] });
    expect(result).toMatchObject({
      items: [{ rows: [{ name: '/test', note: 'user', detail: 'Runs tests' }] }],
    });
  });
});

describe('/copy', () => {
  const text = 'See:\n```ts\nconst a = 1;\n```\nand\n~~~~\n```\nb\n~~~~\n  ```\nopen\n';
  const app = { lastModelText: () => text };

  it('copies the answer, or one code block', async () => {
    expect((await run('/copy', { app })).calls).toEqual([`copyToClipboard(${JSON.stringify(text)})`]);
    expect((await run('/copy 2', { app })).calls).toEqual(['copyToClipboard("```\\nb")']);
    expect((await run('/copy 9', { app })).result).toMatchObject({
      content: expect.stringContaining('3 code blocks'),
    });
    expect((await run('/copy x', { app })).result).toMatchObject({ messageType: 'error' });
    expect((await run('/copy')).result).toMatchObject({ content: 'There is no answer to copy yet.' });
  });

  it('finds fences of any kind', () => {
    expect(codeBlocks(text)).toEqual(['const a = 1;', '```\nb', 'open\n']);
    expect(codeBlocks('``` `inline` ```')).toEqual([]);
  });

  it('reports that no clipboard program was found', async () => {
    const copyToClipboard = () => Promise.reject(new Error('no clipboard program'));
    const { result } = await run('/copy', { app: { ...app, copyToClipboard } });
    expect(result).toMatchObject({
      messageType: 'error',
      content: 'Nothing was copied: no clipboard program',
    });
  });
});

describe('links', () => {
  it('/docs lists the pages of this installation and shows one', async () => {
    const { result } = await run('/docs');
    const [list] = result?.type === 'items' ? result.items : [];
    expect(list?.type === 'list' && list.rows).toEqual(
      expect.arrayContaining([
        { name: 'undo', note: 'Undo' },
        { name: 'editors/zed', note: 'Zed' },
      ]),
    );
    expect((await run('/docs editors/zed')).result).toMatchObject({
      items: [{ type: 'markdown', text: expect.stringMatching(/^# Zed/) }],
    });
    expect((await run('/docs undo')).result).toMatchObject({
      items: [{ type: 'markdown', text: expect.stringMatching(/^# Undo/) }],
    });
    expect((await run('/docs ../package.json')).result).toMatchObject({
      messageType: 'error',
      content: 'There is no page "../package.json". /docs lists them.',
    });
  });

  it('opens the page about plans only after a Google sign-in', async () => {
    expect((await run('/upgrade')).result).toMatchObject({ messageType: 'error' });
    expect((await run('/upgrade', { stats: { auth: 'oauth-personal' } })).calls[0]).toMatch(/^openUrl/);
  });

  it('puts the title and the environment into the address of a bug report', async () => {
    const settings = { advanced: { bugCommand: { urlTemplate: 'https://x.test/?t={title}&i={info}' } } };
    const { calls } = await run('/bug a & b', { settings });
    expect(calls[0]).toMatch(/^openUrl\("https:\/\/x\.test\/\?t=a%20%26%20b&i=\*%20version/);
    expect((await run('/bug x')).result).toMatchObject({ content: expect.stringContaining('* version: ') });
  });
});

describe('built-in commands without an engine', () => {
  it.each([
    '/compress',
    '/tools',
    '/memory show',
    '/cost',
    '/policies',
    '/model set x',
    '/init',
    '/chat save x',
  ])('%s tells the user to sign in', async (line) => {
    expect((await run(line)).result).toMatchObject({
      messageType: 'error',
      content: expect.stringContaining('/auth'),
    });
  });
});

describe('commands of missing features', () => {
  it.each(['/extensions install x', '/gemma', '/voice model'])(
    '%s says that it is not available yet',
    async (line) => {
      expect((await run(line)).result).toMatchObject({
        messageType: 'warning',
        content: `${line} is not available yet.`,
      });
    },
  );
});

describe('commands of disabled features', () => {
  it.each([
    ['/mcp', { admin: { mcp: { enabled: false } } }, 'admin.mcp.enabled'],
    ['/extensions list', { admin: { extensions: { enabled: false } } }, 'admin.extensions.enabled'],
    ['/extensions', { experimental: { extensionManagement: false } }, 'experimental.extensionManagement'],
    ['/skills', { skills: { enabled: false } }, 'skills.enabled'],
    ['/hooks', { hooksConfig: { enabled: false } }, 'hooksConfig.enabled'],
    ['/agents', { experimental: { enableAgents: false } }, 'experimental.enableAgents'],
    ['/permissions', { security: { folderTrust: { enabled: false } } }, 'security.folderTrust.enabled'],
  ])('%s names the setting that disables it', async (line, settings, path) => {
    const { result } = await run(line, { settings });
    expect(result).toMatchObject({
      messageType: 'warning',
      content: expect.stringContaining(`disabled (${path})`),
    });
  });
});

describe('/terminal-setup', () => {
  const newFile = () => {
    const { path, cleanup } = tempDir();
    onTestFinished(cleanup);
    return join(path, 'User', 'keybindings.json');
  };

  it('adds its keys once and keeps the rest, with a backup', async () => {
    const path = newFile();
    expect(setUp('Editor', path)).toMatchObject({ messageType: 'info' });
    const first = JSON.parse(readFileSync(path, 'utf8'));
    expect(first.map(({ key }: { key: string }) => key)).toEqual(['shift+enter', 'ctrl+enter']);
    expect(setUp('Editor', path)).toMatchObject({ content: expect.stringContaining('already') });
  });

  it('keeps comments, and does not touch a file it cannot read', async () => {
    const { writeFileSync, mkdirSync, readdirSync } = await import('node:fs');
    const path = newFile();
    mkdirSync(join(path, '..'));
    writeFileSync(path, '// [mine]\n[ // keep\n  {"key": "ctrl+enter", "command": "x"},\n]\n');
    setUp('Editor', path);
    expect(readFileSync(path, 'utf8')).toMatch(
      /^\/\/ \[mine\]\n\[\n {2}\{"key":"shift\+enter".*\}, \/\/ keep\n/,
    );
    expect(readdirSync(join(path, '..'))).toHaveLength(2);
    writeFileSync(path, '{ broken');
    expect(setUp('Editor', path)).toMatchObject({ messageType: 'error' });
    expect(readFileSync(path, 'utf8')).toBe('{ broken');
    expect(existsSync(path)).toBe(true);
  });
});
