/** Imports into the home folder that are killed, or run twice at the same time. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type RunningProcess, type TestRig, testRig } from '../test-utils.js';

const SKILLS = 60;

/** With enough files that an import takes a while. */
function writePlugin(rig: TestRig, name: string, version: string): void {
  const files: Record<string, string> = {
    '.claude-plugin/plugin.json': JSON.stringify({ name, version }),
    '.mcp.json': JSON.stringify({ [`server-${name}`]: { command: 'true', args: [version] } }),
    'run.sh': `echo ${version}\n`,
  };
  for (let at = 0; at < SKILLS; at++) {
    const skill = `${name}-${at}`;
    files[`skills/${skill}/SKILL.md`] = `---\nname: ${skill}\ndescription: Skill ${at}\n---\n${version}\n`;
    files[`agents/a/${skill}.md`] = `---\nname: ${skill}\ndescription: Agent\n---\n${version}\n`;
    files[`commands/do-${skill}.md`] = `${version} $ARGUMENTS\n`;
  }
  for (const [path, text] of Object.entries(files)) {
    const file = join(rig.workspace, name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function filesIn(dir: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !CHANGING.test(path)) found[path] = readFileSync(path, 'utf8');
  }
  return found;
}

/** Written by every run of the program. */
const CHANGING = /\/(?:tmp|cache|logs|history)\/|installation_id|\/state\.json$/;

const isThere = (rig: TestRig, path: string) => existsSync(join(rig.home, '.gemini', path));

async function killWhen(started: RunningProcess, isReached: () => boolean): Promise<void> {
  let hasEnded = false;
  void started.done.finally(() => {
    hasEnded = true;
  });
  while (!hasEnded && !isReached()) await nextTick();
  if (!hasEnded) started.kill('SIGKILL');
  await started.done;
}

describe('an import into the home folder', () => {
  it.each([
    ['after its manifest', 'big/install-manifest.json'],
    ['among its files', 'commands/do-big-30.toml'],
    ['near its end', 'skills/big-9/SKILL.md'],
  ])('that is killed %s is undone by --remove without a trace, or repaired', async (_when, path) => {
    const rig = await testRig();
    writePlugin(rig, 'big', '1.0.0');
    const settings = join(rig.home, '.gemini/settings.json');
    mkdirSync(dirname(settings), { recursive: true });
    if (!existsSync(settings)) writeFileSync(settings, '{\n  // mine\n  "ui": {}\n}\n');
    const before = filesIn(join(rig.home, '.gemini'));
    const killed = rig.spawn('extensions', 'import', 'big', '--to', 'home');
    await killWhen(killed, () => isThere(rig, path));
    expect(readFileSync(settings, 'utf8')).toMatch(/^\{\n {2}\/\/ mine[\s\S]*\}\n$/);
    const remove = await rig.cli('extensions', 'import', '--remove', 'big', '--to', 'home');
    expect(remove.exitCode, remove.stderr).toBe(0);
    expect(filesIn(join(rig.home, '.gemini'))).toEqual(before);
    const again = await rig.cli('extensions', 'import', 'big', '--to', 'home');
    expect(again.exitCode, again.stderr).toBe(0);
    const whole = await rig.cli('extensions', 'import', 'big', '--to', 'home', '-o', 'json');
    expect(JSON.parse(whole.stdout)).toMatchObject({ unchanged: true });
  });

  it('that is killed while it updates leaves each file old or new, and is finished by the next run', async () => {
    const rig = await testRig();
    writePlugin(rig, 'big', '1.0.0');
    const before = filesIn(join(rig.home, '.gemini'));
    expect((await rig.cli('extensions', 'import', 'big', '--to', 'home')).exitCode).toBe(0);
    writePlugin(rig, 'big', '2.0.0');
    const command = join(rig.home, '.gemini/commands/do-big-30.toml');
    const killed = rig.spawn('extensions', 'import', 'big', '--to', 'home');
    await killWhen(killed, () => readFileSync(command, 'utf8').includes('2.0.0'));
    for (let at = 0; at < SKILLS; at++)
      expect(readFileSync(join(rig.home, `.gemini/commands/do-big-${at}.toml`), 'utf8')).toMatch(
        /'''\n[12]\.0\.0 \{\{args\}\}/,
      );
    const again = await rig.cli('extensions', 'import', 'big', '--to', 'home');
    expect(again.exitCode, again.stderr).toBe(0);
    expect(readFileSync(join(rig.home, '.gemini/agents/big-59.md'), 'utf8')).toContain('2.0.0');
    expect(isThere(rig, 'big/legacy-backup')).toBe(false);
    const remove = await rig.cli('extensions', 'import', '--remove', 'big', '--to', 'home');
    expect(remove.exitCode, remove.stderr).toBe(0);
    expect(filesIn(join(rig.home, '.gemini'))).toEqual(before);
  });

  it('waits for another one: both plugins are complete afterwards', async () => {
    const rig = await testRig();
    writePlugin(rig, 'one', '1.0.0');
    writePlugin(rig, 'two', '1.0.0');
    const before = filesIn(join(rig.home, '.gemini'));
    const runs = await Promise.all(
      ['one', 'two', 'one'].map((name) => rig.cli('extensions', 'import', name, '--to', 'home')),
    );
    expect(runs.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(runs.map(() => [0, '']));
    const settings = JSON.parse(readFileSync(join(rig.home, '.gemini/settings.json'), 'utf8'));
    expect(Object.keys(settings.mcpServers).sort()).toEqual(['server-one', 'server-two']);
    for (const name of ['one', 'two']) {
      expect(isThere(rig, `skills/${name}-59/SKILL.md`)).toBe(true);
      const remove = await rig.cli('extensions', 'import', '--remove', name, '--to', 'home');
      expect(remove.exitCode, remove.stderr).toBe(0);
    }
    const left = Object.keys(filesIn(join(rig.home, '.gemini'))).filter(
      (path) => !path.includes('settings.json'),
    );
    expect(left).toEqual(Object.keys(before).filter((path) => !path.includes('settings.json')));
  });

  it('of every plugin of a marketplace goes on after one that fails, and reports it', async () => {
    const rig = await testRig();
    const write = (path: string, text: string) => {
      const file = join(rig.workspace, 'market', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    };
    const plugins = ['one', 'skills', 'two', 'far'].map((name) => ({
      name,
      source: name === 'far' ? { source: 'npm', package: 'far' } : `./${name}`,
    }));
    write('.claude-plugin/marketplace.json', JSON.stringify({ name: 'm', plugins }));
    for (const name of ['one', 'skills', 'two']) write(`${name}/commands/do-${name}.md`, 'Do it');
    const run = await rig.cli('extensions', 'import', 'market', '--all', '--to', 'home', '-o', 'json');
    expect(run.exitCode).toBe(1);
    const reports: { plugin: string; error?: string }[] = JSON.parse(run.stdout);
    expect(reports.map(({ plugin, error }) => [plugin, error === undefined])).toEqual([
      ['one', true],
      ['two', true],
      ['far', false],
      ['skills', false],
    ]);
    expect(run.stderr).toMatch(
      /import: far: .*npm package[\s\S]*import: skills: .*belongs to something else/,
    );
    expect(['do-one.toml', 'do-two.toml'].map((name) => isThere(rig, `commands/${name}`))).toEqual([
      true,
      true,
    ]);
    const converted = await rig.cli('extensions', 'convert', 'market', '--all', '-o', 'json');
    expect(JSON.parse(converted.stdout)).toHaveLength(4);
  });
});
