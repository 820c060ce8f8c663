import { lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOSTILE_TEXT, hostileFolder, markers, STRANGERS_KEY } from '@gemini-cli/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { foreignFolder, NOTHING } from './folder.test-helper.js';

let place: ReturnType<typeof foreignFolder>;
beforeEach(() => {
  place = foreignFolder();
});
const put = (path: string, content: string | Uint8Array | object) => place.put(path, content);
const discover = (home?: string) => place.discover(home);

describe('a hostile folder', () => {
  it('is described completely, and nothing in it runs', async () => {
    hostileFolder(place.folder);
    const results = await discover();
    expect(results).toMatchObject({
      commands: ['deep:er:one', 'help'],
      skills: ['helper', 'other'],
      agents: ['generalist'],
      contextFiles: ['GEMINI.md', 'README.md'],
      policies: ['.gemini/policies/all.toml', '.gemini/policies.toml'],
      extensions: ['evil 1.0.0'],
    });
    expect(results.hooks).toHaveLength(8);
    expect(results.mcps).toEqual([expect.stringMatching(/^planted: sh -c touch /)]);
    expect(results.envFiles).toHaveLength(2);
    expect(results.settings).toContain('security');
    for (const word of [
      'tools.allowed',
      'folderTrust',
      'sandbox',
      'agents',
      'planted',
      'proxy',
      'NODE_OPTIONS',
    ]) {
      expect(results.securityWarnings.join('\n'), word).toContain(word);
    }
    for (const [link, target] of [
      ['.gemini/commands/passwd.toml', '/etc/passwd'],
      ['.gemini/skills/linked', `${place.folder}-elsewhere/skill`],
    ]) {
      expect(results.securityWarnings).toContain(
        `${link} is a link that leads out of the folder, to ${target}; it was not looked at.`,
      );
    }
    expect(JSON.stringify(results)).not.toContain(STRANGERS_KEY);
    expect(JSON.stringify(results)).not.toContain('root:x:');
    expect(markers(place.folder)).toEqual([]);
  });

  it('is reported by its links only, not by the files behind them', async () => {
    hostileFolder(place.folder, { layout: 'linked' });
    const results = await discover();
    const link = (name: string) =>
      `${name} is a link that leads out of the folder, to ${place.folder}-elsewhere/${name}; it was not looked at.`;
    expect(results).toMatchObject({
      ...NOTHING,
      contextFiles: ['GEMINI.md'],
      envFiles: [expect.any(String)],
      securityWarnings: expect.any(Array),
    });
    expect(results.securityWarnings.filter((text) => text.includes('link'))).toEqual([
      link('.gemini'),
      link('.agents'),
    ]);
    expect(JSON.stringify(results)).not.toContain(HOSTILE_TEXT);
    expect(markers(place.folder)).toEqual([]);
  });

  it('has its inner links followed, but not cycles and dangling links', async () => {
    put('shared/c.toml', 'prompt = "x"');
    mkdirSync(join(place.folder, '.gemini/commands'), { recursive: true });
    symlinkSync('../../shared', join(place.folder, '.gemini/commands/shared'));
    symlinkSync('..', join(place.folder, '.gemini/commands/up'));
    symlinkSync('ring.toml', join(place.folder, '.gemini/commands/ring.toml'));
    symlinkSync('nothing', join(place.folder, '.gemini/commands/gone.toml'));
    const { commands, discoveryErrors, securityWarnings } = await discover();
    expect(commands).toEqual(['shared:c']);
    expect(discoveryErrors).toEqual([
      '.gemini/commands/ring.toml: leads to nothing',
      '.gemini/commands/gone.toml: leads to nothing',
    ]);
    expect(securityWarnings).toEqual([]);
  });

  it('has its settings read up to the size that would be loaded', async () => {
    const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: 'x' }] }] };
    put('.gemini/settings.json', `${' '.repeat(3 * 1024 ** 2)}${JSON.stringify({ hooks })}`);
    expect((await discover()).hooks).toHaveLength(1);
  });

  it('is read up to limits of files, entries, levels and messages, which are reported', {
    timeout: 30_000,
  }, async () => {
    const directory = join(place.folder, '.gemini/commands');
    mkdirSync(directory, { recursive: true });
    for (let index = 0; index < 300; index++) writeFileSync(join(directory, `c${index}.toml`), 'prompt = ""');
    mkdirSync(join(place.folder, '.gemini/agents'));
    for (let index = 0; index < 2_100; index++)
      writeFileSync(join(place.folder, `.gemini/agents/${index}.txt`), '');
    mkdirSync(join(place.folder, '.gemini/policies'));
    for (let index = 0; index < 150; index++)
      writeFileSync(join(place.folder, `.gemini/policies/${index}.toml`), '[');
    put(`.gemini/commands/${'d/'.repeat(12)}deep.toml`, 'prompt = ""');
    const { commands, securityWarnings, discoveryErrors } = await discover();
    expect(commands).toHaveLength(200);
    expect(securityWarnings).toEqual([
      '.gemini/commands has 300 items; only 200 are listed.',
      '.gemini/agents has more than 2000 entries; the rest is not listed.',
    ]);
    expect(discoveryErrors[0]).toBe(
      `.gemini/commands/${'d/'.repeat(7)}d: lies too deep and was not looked at`,
    );
    expect(discoveryErrors).toHaveLength(101);
    expect(discoveryErrors.at(-1)).toBe('There are more errors than these.');
  });

  it('cannot control the terminal by a file name', async () => {
    put('.gemini/policies/\x1b]0;owned\x07\u202e.toml', '[');
    const { policies, discoveryErrors } = await discover();
    expect(policies).toEqual(['.gemini/policies/]0;owned.toml']);
    expect(discoveryErrors[0]).not.toMatch(/[\x1b\x07\u202e]/);
  });

  it('is not changed', async () => {
    hostileFolder(place.folder);
    const before = snapshot();
    await discover();
    expect(snapshot()).toEqual(before);
  });
});

it("treats files in the home directory as the user's own", async () => {
  hostileFolder(place.folder);
  expect(await discover(place.folder)).toEqual({ ...NOTHING, contextFiles: ['GEMINI.md'] });
});

function snapshot(): string[] {
  return readdirSync(place.folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const stats = lstatSync(join(place.folder, name), { bigint: true });
      return `${name} ${stats.size} ${stats.mtimeNs}`;
    });
}
