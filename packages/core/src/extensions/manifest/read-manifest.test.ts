import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addFiles, folderWith } from '../extension-folders.test-helper.js';
import { MANIFEST_FILE } from '../types.js';
import { readManifest } from './read-manifest.js';

const IDENTITY = { name: 'demo', version: '1.0.0' };

function readIn(dir: string) {
  return readManifest(dir, { workspacePath: '/work' });
}

function read(content: string | Buffer | object) {
  const dir = folderWith({ [MANIFEST_FILE]: content });
  return { dir, ...readIn(dir) };
}

/** The manifest with one more field. */
function readField(key: string, value: unknown) {
  const { manifest, problems, dir } = read({ ...IDENTITY, [key]: value });
  if (!manifest) throw new Error('the manifest was refused');
  return { manifest, problems, dir };
}

describe('the text of a manifest', () => {
  it('is read with a byte order mark, comments and Windows line endings', () => {
    const { manifest, problems } = read(
      '\ufeff// our extension\r\n{\r\n  "name": "demo", /* short */\r\n  "version": "1.0.0"\r\n}\r\n',
    );
    expect(manifest).toEqual(IDENTITY);
    expect(problems).toEqual([]);
  });

  it('is refused by the name of its encoding when it is UTF-16', () => {
    const little = Buffer.from(`\ufeff${JSON.stringify(IDENTITY)}`, 'utf16le');
    const unmarked = Buffer.from(JSON.stringify(IDENTITY), 'utf16le');
    const big = Buffer.from(little).swap16();
    expect(read(little).problems[0]?.message).toContain('UTF-16 (little endian)');
    expect(read(unmarked).problems[0]?.message).toContain('UTF-16 (little endian)');
    expect(read(big).problems[0]?.message).toContain('UTF-16 (big endian)');
  });

  it('is reported as missing with the path of the file', () => {
    const dir = folderWith();
    expect(readIn(dir)).toEqual({
      problems: [
        {
          level: 'error',
          message: `Configuration file not found at ${join(dir, MANIFEST_FILE)}`,
          file: join(dir, MANIFEST_FILE),
        },
      ],
    });
  });

  it('names file and line of a syntax mistake', () => {
    const { dir, manifest, problems } = read('{\n  "name": "demo",\n  "version" "1"\n}');
    expect(manifest).toBeUndefined();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ level: 'error', line: 3, file: join(dir, MANIFEST_FILE) });
    expect(problems[0]?.message).toContain('(line 3)');
  });

  it('says that a link was checked out as text', () => {
    expect(read('../shared/gemini-extension.json').problems[0]?.message).toContain('checked out as text');
  });

  it.each(['[]', '"demo"', 'null', '3'])('is refused when it is not an object: %s', (text) => {
    const { manifest, problems } = read(text);
    expect(manifest).toBeUndefined();
    expect(problems[0]?.message).toContain('must hold a JSON object');
  });

  it('is followed through a link inside the extension, and refused outside', () => {
    const inside = folderWith({ 'config/manifest.json': IDENTITY });
    symlinkSync(join('config', 'manifest.json'), join(inside, MANIFEST_FILE));
    expect(readIn(inside).manifest).toEqual(IDENTITY);
    const other = folderWith({ 'manifest.json': IDENTITY });
    const outside = folderWith();
    symlinkSync(join(other, 'manifest.json'), join(outside, MANIFEST_FILE));
    expect(readIn(outside).problems[0]?.message).toContain('a link to a file outside the extension');
  });

  it('loses keys that reach prototypes', () => {
    const { manifest, raw } = read(
      '{"name":"demo","version":"1","__proto__":{"x":1},"mcpServers":{"constructor":{"command":"a"},"b":{"command":"b"}}}',
    );
    expect(Object.keys(manifest?.mcpServers ?? {})).toEqual(['b']);
    expect(Object.keys(raw ?? {})).toEqual(['name', 'version', 'mcpServers']);
  });
});

describe('name and version', () => {
  it.each([
    ['name', { version: '1' }],
    ['name', { name: '', version: '1' }],
    ['name', { name: 5, version: '1' }],
    ['name', { name: 'a b', version: '1' }],
    ['name', { name: '../up', version: '1' }],
    ['name', { name: 'a_b', version: '1' }],
    ['version', { name: 'a' }],
    ['version', { name: 'a', version: '' }],
    ['version', { name: 'a', version: null }],
    ['version', { name: 'a', version: ['1'] }],
  ])('are required: %s of %j is refused with its key', (key, content) => {
    const { manifest, problems } = read(content);
    expect(manifest).toBeUndefined();
    expect(problems).toMatchObject([{ level: 'error', key }]);
  });

  it('accept a number as version, capital letters, and a version that is not semver', () => {
    expect(read({ name: 'a', version: 2 }).manifest?.version).toBe('2');
    expect(read({ name: 'My-Ext9', version: 'latest' }).manifest).toEqual({
      name: 'My-Ext9',
      version: 'latest',
    });
  });
});

describe('variables of a manifest', () => {
  it('replaces places and keeps unknown names', () => {
    const { manifest, dir } = readField('mcpServers', {
      s: {
        command: 'node',
        args: [`\${extensionPath}\${/}server.js`, `\${workspacePath}`, `\${other}`, '$TOKEN'],
      },
    });
    expect(manifest.mcpServers?.['s']?.args).toEqual([
      join(dir, 'server.js'),
      '/work',
      `\${other}`,
      '$TOKEN',
    ]);
  });
});

describe('contextFileName', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    [[], []],
    ['GEMINI.md', ['GEMINI.md']],
    [
      ['a.md', 'docs/b.md', 'a.md'],
      ['a.md', join('docs', 'b.md')],
    ],
  ])('%j is read as %j without a warning', (value, expected) => {
    const { manifest, problems } = readField('contextFileName', value);
    expect(manifest.contextFileName).toEqual(expected);
    expect(problems).toEqual([]);
  });

  it('drops entries that leave the extension with one warning and keeps the others', () => {
    const { manifest, problems } = readField('contextFileName', [
      '../up.md',
      '/etc/passwd',
      'a\0b.md',
      5,
      '',
      'kept.md',
    ]);
    expect(manifest.contextFileName).toEqual(['kept.md']);
    expect(problems).toMatchObject([{ level: 'warning', key: 'contextFileName' }]);
  });

  it('accepts an absolute path inside the extension', () => {
    const { manifest, problems } = readField('contextFileName', `\${extensionPath}\${/}docs\${/}x.md`);
    expect(manifest.contextFileName).toEqual([join('docs', 'x.md')]);
    expect(problems).toEqual([]);
  });

  it('ignores a folder and a link that leaves the extension, with a warning', () => {
    const outside = folderWith({ 'secret.md': 'x' });
    const dir = folderWith({
      [MANIFEST_FILE]: { ...IDENTITY, contextFileName: ['docs', 'link.md'] },
      'docs/a.md': '',
    });
    symlinkSync(join(outside, 'secret.md'), join(dir, 'link.md'));
    const { manifest, problems } = readIn(dir);
    expect(manifest?.contextFileName).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toMatch(/is a folder.*is a link that leaves the extension/);
  });
});

describe('a value of a wrong type', () => {
  it.each([
    ['mcpServers', 'npx server', undefined],
    ['mcpServers', { a: 'npx server' }, {}],
    ['mcpServers', [{ command: 'node' }], {}],
    ['excludeTools', 5, undefined],
    ['excludeTools', ['a', 5], ['a']],
    ['settings', {}, undefined],
    ['settings', [{ name: 'Key' }], []],
    ['settings', [{ name: 'Key', envVar: 'A-B' }], []],
    ['settings', [{ name: 'Path', envVar: 'PATH' }], []],
    ['settings', [{ name: 'Preload', envVar: 'LD_PRELOAD' }], []],
    ['themes', {}, undefined],
    ['themes', [{ type: 'dark' }], []],
    ['plan', { directory: '/abs' }, undefined],
    ['plan', { directory: 'a/../../b' }, undefined],
    ['plan', 'plans', undefined],
    ['description', 7, undefined],
    ['migratedTo', {}, undefined],
    ['skills', 5, undefined],
    ['skills', ['../x'], []],
  ])('in %s (%j) is one warning with its key, and the rest is read', (key, value, expected) => {
    const { manifest, problems } = readField(key, value);
    expect(Object.entries(manifest).find(([name]) => name === key)?.[1]).toEqual(expected);
    expect(manifest).toMatchObject(IDENTITY);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.level).toBe('warning');
    expect(problems[0]?.key).toMatch(new RegExp(`^${key}`));
  });

  it('in capabilities gives no rights', () => {
    const { manifest, problems } = readField('capabilities', 'all');
    expect(manifest.capabilities).toEqual({ files: { read: [], write: [] }, network: [], executables: [] });
    expect(problems).toHaveLength(1);
  });
});

describe('forms that are accepted beside the documented one', () => {
  it('reads a list of servers with names, and numbers as texts', () => {
    const { manifest, problems } = readField('mcpServers', [
      { name: 'a', command: 'node', args: ['-p', 8080, true], env: { PORT: 1 } },
      { id: 'b', httpUrl: 'https://host.example/mcp' },
    ]);
    expect(manifest.mcpServers).toMatchObject({
      a: { command: 'node', args: ['-p', '8080', 'true'], env: { PORT: '1' } },
      b: { httpUrl: 'https://host.example/mcp' },
    });
    expect(problems).toEqual([]);
  });

  it('removes trust from a server', () => {
    const { manifest } = readField('mcpServers', { a: { command: 'node', trust: true } });
    expect(manifest.mcpServers?.['a']).not.toHaveProperty('trust');
  });

  it('reads one excluded tool as a list of one', () => {
    expect(readField('excludeTools', 'run_shell_command(rm -rf)').manifest.excludeTools).toEqual([
      'run_shell_command(rm -rf)',
    ]);
  });

  it('reads defaults, choices and labels of settings', () => {
    const { manifest, problems } = readField('settings', [
      { label: 'Port', envVar: 'PORT', default: 80, type: 'number', unknown: 1 },
      { name: 'Mode', envVar: 'MODE', defaultValue: true, type: 'choice', options: ['a', { value: 2 }] },
      { name: 'Key', envVar: 'KEY', sensitive: true, required: true, description: 'The key.' },
    ]);
    expect(manifest.settings).toEqual([
      { name: 'Port', label: 'Port', envVar: 'PORT', default: '80', type: 'number' },
      { name: 'Mode', envVar: 'MODE', default: 'true', type: 'choice', options: ['a', '2'] },
      { name: 'Key', envVar: 'KEY', sensitive: true, required: true, description: 'The key.' },
    ]);
    expect(problems).toEqual([]);
  });

  it.each([[[['packs/a', { name: 'b', path: 'packs/b' }]]], [[{ a: 'packs/a', b: { path: 'packs/b' } }]]])(
    'reads folders of skills from %j',
    ([value]) => {
      const dir = folderWith({ [MANIFEST_FILE]: { ...IDENTITY, skills: value } });
      addFiles(dir, { 'packs/a/SKILL.md': '', 'packs/b/SKILL.md': '' });
      expect(readIn(dir).manifest?.skills).toEqual([join('packs', 'a'), join('packs', 'b')]);
    },
  );

  it('takes no folder of skills outside for the sake of its SKILL.md, which leads back', () => {
    const outside = folderWith({ 'secret.md': '' });
    const dir = folderWith({
      [MANIFEST_FILE]: { ...IDENTITY, skills: ['far/SKILL.md', 'packs/a/SKILL.md', 'SKILL.md', '/SKILL.md'] },
    });
    addFiles(dir, { 'packs/a/SKILL.md': '', 'SKILL.md': '' });
    symlinkSync(join(dir, 'SKILL.md'), join(outside, 'SKILL.md'));
    symlinkSync(outside, join(dir, 'far'));
    const { manifest, problems } = readIn(dir);
    expect(manifest?.skills).toEqual([join('packs', 'a'), '.']);
    expect(problems).toHaveLength(2);
  });
});
