import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { convertPlugin } from '../convert-plugin.js';
import { type Files, snapshot, temporaryFolder, writeFiles } from '../plugins.test-helper.js';
import { readPlugin } from '../read/read-plugin.js';
import { installHome } from './install-home.js';
import { removeHome } from './remove-home.js';

const PLUGIN: Files = {
  '.claude-plugin/plugin.json': {
    name: 'demo',
    version: '1.0.0',
    mcpServers: { ctx: { command: '${CLAUDE_PLUGIN_ROOT}/run.sh' } },
  },
  'run.sh': 'echo run\n',
  'agents/review/one.md': '---\nname: one\ndescription: One\ntools: Read\ncolor: red\n---\nOne.\n',
  'agents/two.md': '---\nname: two\ndescription: Two\n---\nTwo.\n',
  'commands/git/fix.md': 'Fix $ARGUMENTS\n',
  'skills/plan/SKILL.md': '---\nname: plan\ndescription: Plans\n---\nPlan.\n',
  'skills/plan/scripts/x.sh': 'echo x\n',
  'hooks/hooks.json': { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] } },
};
const NOW = new Date('2026-04-18T10:15:30Z');

async function setUp(
  files: Files = PLUGIN,
  before: Files = { 'settings.json': '{\n  // mine\n  "ui": {}\n}\n' },
) {
  const root = temporaryFolder();
  const home = join(root, 'home');
  mkdirSync(home);
  writeFiles(home, before);
  const plugin = writeFiles(join(root, 'demo'), files);
  const install = async (options: { force?: boolean; dryRun?: boolean } = {}) => {
    const converted = await convertPlugin(
      await readPlugin({ dir: plugin }, {}),
      {},
      { kind: 'home', dir: home },
    );
    const result = await installHome({
      home,
      converted,
      source: plugin,
      force: false,
      dryRun: false,
      now: NOW,
      ...options,
    });
    return { ...result, reasons: result.rows.map((row) => `${row.source}: ${row.reason ?? ''}`) };
  };
  return { home, plugin, install, read: (path: string) => readFileSync(join(home, path), 'utf8') };
}

describe('an import into the home folder', () => {
  it('writes agents, skills, commands, servers and support files, and removes exactly these', async () => {
    const { home, install, read } = await setUp();
    const before = snapshot(home);
    await install();
    expect(Object.keys(snapshot(home)).sort()).toEqual([
      'agents/one.md',
      'agents/two.md',
      'commands/git/fix.toml',
      'demo/files/run.sh',
      'demo/install-manifest.json',
      'settings.json',
      'settings.json.bak.20260418T101530Z',
      'skills/plan/SKILL.md',
      'skills/plan/scripts/x.sh',
    ]);
    expect(read('settings.json')).toContain('// mine');
    expect(read('settings.json')).toContain(join(home, 'demo/files/run.sh'));
    expect(JSON.parse(read('demo/install-manifest.json'))).toMatchObject({
      version: 1,
      pluginName: 'demo',
      groups: {
        skills: ['plan'],
        agents: ['one.md', 'two.md'],
        commands: ['git/fix.toml'],
        mcpServers: ['ctx'],
      },
    });
    await removeHome(home, 'demo', NOW);
    expect(snapshot(home)).toEqual(before);
  });

  it('changes nothing the second time, and repairs an interrupted run', async () => {
    const { home, install } = await setUp();
    await install();
    const first = snapshot(home);
    expect((await install()).unchanged).toBe(true);
    expect(snapshot(home)).toEqual(first);
    rmSync(join(home, 'demo/install-manifest.json'));
    rmSync(join(home, 'skills/plan/scripts/x.sh'));
    const again = await install();
    expect(again.rows.filter(({ action }) => action === 'skipped')).toEqual([]);
    expect(Object.keys(snapshot(home))).toEqual(Object.keys(first));
  });

  it('removes temporary files of a killed process, and leaves those of a running one', async () => {
    const { home, install } = await setUp();
    const before = snapshot(home);
    await install();
    // Above the largest id that the kernel gives.
    const pid = 2 ** 22 + 1;
    const own = `agents/.gemini-write-${process.pid}-a.tmp`;
    writeFiles(home, { [`agents/.gemini-write-${pid}-a.tmp`]: 'half', [own]: 'half' });
    await removeHome(home, 'demo', NOW);
    expect(snapshot(home)).toEqual({ ...before, [own]: 'half' });
  });

  it('removes what left the plugin, and keeps what the user changed in legacy-backup', async () => {
    const { home, plugin, install, read } = await setUp();
    await install();
    rmSync(join(plugin, 'agents/two.md'));
    rmSync(join(plugin, 'agents/review/one.md'));
    writeFileSync(join(home, 'agents/one.md'), 'mine');
    const kept = read('agents/two.md');
    await install();
    expect(kept).toContain('Two.');
    expect(existsSync(join(home, 'agents/two.md'))).toBe(false);
    expect(existsSync(join(home, 'agents/one.md'))).toBe(false);
    expect(read('demo/legacy-backup/20260418T101530Z/agents/one.md')).toBe('mine');
  });

  it('does not overwrite files and servers of the user, unless forced, and then keeps a copy', async () => {
    const own = '---\nname: one\ndescription: Mine\n---\nMine.\n';
    const settings = '{"mcpServers": {"ctx": {"command": "mine"}}}';
    const { home, install, read } = await setUp(PLUGIN, {
      'agents/one.md': own,
      'skills/plan/SKILL.md': 'mine',
      'settings.json': settings,
    });
    const { reasons } = await install();
    expect(read('agents/one.md')).toBe(own);
    expect(read('settings.json')).toBe(settings);
    expect(existsSync(join(home, 'skills/plan/scripts'))).toBe(false);
    expect(reasons.filter((line) => line.includes('kept'))).toHaveLength(3);
    await install({ force: true });
    expect(read('agents/one.md')).toContain('One.');
    expect(read('demo/legacy-backup/20260418T101530Z/agents/one.md')).toBe(own);
    expect(read('demo/legacy-backup/20260418T101530Z/skills/plan/SKILL.md')).toBe('mine');
    expect(read('settings.json')).toBe(settings);
  });

  it('leaves files of another plugin to it, and names it', async () => {
    const other = {
      version: 1,
      pluginName: 'other',
      groups: { skills: [], agents: ['one.md'], commands: [], mcpServers: ['ctx'] },
      hashes: {},
    };
    const { install, read } = await setUp(PLUGIN, {
      'agents/one.md': '---\nname: one\ndescription: Other\n---\nOther.\n',
      'other/install-manifest.json': other,
    });
    const { reasons } = await install({ force: true });
    expect(reasons.join('\n')).toContain('agents/one.md: it belongs to the plugin other');
    expect(read('agents/one.md')).toContain('Other.');
  });

  it.each([
    ['first one first', ['demo', 'other'], false],
    ['last one first', ['other', 'demo'], false],
    ['first one first from linked settings', ['demo', 'other'], true],
  ])('leaves the folder as it was when two plugins are removed, the %s', async (_order, names, isLinked) => {
    const settings = { 'settings.json': '{\n  // mine\n  "ui": {}\n}\n' };
    for (const before of (isLinked ? [settings] : [settings, {}]) as Files[]) {
      const { home, install } = await setUp(PLUGIN, before);
      if (isLinked) {
        renameSync(join(home, 'settings.json'), join(home, '../dotfile.json'));
        symlinkSync(join(home, '../dotfile.json'), join(home, 'settings.json'));
      }
      const start = snapshot(home);
      await install();
      const other = writeFiles(join(temporaryFolder(), 'other'), {
        '.claude-plugin/plugin.json': { name: 'other', mcpServers: { more: { command: 'x' } } },
      });
      const converted = await convertPlugin(
        await readPlugin({ dir: other }, {}),
        {},
        { kind: 'home', dir: home },
      );
      const later = new Date('2026-04-19T10:15:30Z');
      await installHome({ home, converted, source: other, force: false, dryRun: false, now: later });
      await removeHome(home, names[0] ?? '', new Date('2026-04-20T10:15:30Z'));
      const servers = JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8').replace('// mine', ''));
      expect(Object.keys(servers.mcpServers)).toEqual([names[1] === 'demo' ? 'ctx' : 'more']);
      await removeHome(home, names[1] ?? '', new Date('2026-04-21T10:15:30Z'));
      expect(snapshot(home)).toEqual(start);
    }
  });

  it('moves nested and Claude-shaped copies of an older installer away', async () => {
    const { home, install, read } = await setUp(PLUGIN, {
      'agents/review/one.md': 'old',
      'agents/two.md': '---\nname: two\ndescription: Two\ntools: Read, Bash\ncolor: blue\n---\nOld.\n',
    });
    await install();
    expect(existsSync(join(home, 'agents/review'))).toBe(false);
    expect(read('agents/two.md')).toContain('Two.');
    expect(read('demo/legacy-backup/20260418T101530Z/agents/review/one.md')).toBe('old');
    expect(read('demo/legacy-backup/20260418T101530Z/agents/two.md')).toContain('Old.');
  });

  it('writes nothing when settings.json has a mistake, or with a dry run', async () => {
    const broken = await setUp(PLUGIN, { 'settings.json': '{"a": ' });
    await expect(broken.install()).rejects.toThrow(/settings\.json, line 1.*nothing was changed/);
    expect(Object.keys(snapshot(broken.home))).toEqual(['settings.json']);
    const dry = await setUp();
    await dry.install({ dryRun: true });
    expect(Object.keys(snapshot(dry.home))).toEqual(['settings.json']);
  });

  it('does not write through links, nor into folders of this program', async () => {
    const { home, install } = await setUp(PLUGIN, {});
    const outside = temporaryFolder();
    mkdirSync(join(home, 'skills'));
    symlinkSync(outside, join(home, 'skills/plan'));
    await install();
    expect(snapshot(outside)).toEqual({});
    const reserved = await setUp({ ...PLUGIN, '.claude-plugin/plugin.json': { name: 'extensions' } });
    await expect(reserved.install()).rejects.toThrow(/belongs to something else/);
  });

  it('never follows a manifest that names other files', async () => {
    const { home, install } = await setUp(PLUGIN, { 'oauth_creds.json': 'secret', 'demo/files/x': '' });
    const groups = { skills: ['../x', '..'], agents: ['/etc/passwd'], commands: [], mcpServers: [] };
    const hashes = { 'oauth_creds.json': '0', '../x': '0', 'agents/../oauth_creds.json': '0' };
    writeFiles(home, { 'demo/install-manifest.json': { version: 1, pluginName: 'demo', groups, hashes } });
    await install();
    await removeHome(home, 'demo', NOW);
    expect(readFileSync(join(home, 'oauth_creds.json'), 'utf8')).toBe('secret');
    await expect(removeHome(home, 'unknown', NOW)).rejects.toThrow('No plugin "unknown"');
    await expect(removeHome(home, '../..', NOW)).rejects.toThrow('No plugin');
  });
});
