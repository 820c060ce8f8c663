/** The file that editors install, read back: it is what the build of the program ships. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';

const root = join(import.meta.dirname, '../../..');

type Files = Record<string, Buffer>;

interface Contributed {
  command: string;
  title?: string;
  when?: string;
}

describe('The .vsix of the companion', () => {
  let files: Files;

  beforeAll(async () => {
    files = await unzip(node('scripts/build-companion.mjs'));
  });

  it('holds the extension, its manifests and its licences, and nothing else', () => {
    expect(Object.keys(files).sort()).toEqual([
      '[Content_Types].xml',
      'extension.vsixmanifest',
      'extension/LICENSE.txt',
      'extension/NOTICES.txt',
      'extension/README.md',
      'extension/extension.cjs',
      'extension/icon.png',
      'extension/package.json',
    ]);
  });

  it('names the same extension in both manifests, for VS Code 1.99 and later', () => {
    const manifest = JSON.parse(String(files['extension/package.json']));
    const { version } = JSON.parse(read('packages/vscode-ide-companion/package.json'));
    expect(manifest).toMatchObject({
      publisher: 'gemini-cli',
      name: 'companion',
      version,
      engines: { vscode: '^1.99.0' },
      activationEvents: ['onStartupFinished'],
      main: './extension.cjs',
    });
    const { version: program } = JSON.parse(read('packages/cli/package.json'));
    expect(version).toBe(program);
    const xml = String(files['extension.vsixmanifest']);
    expect(xml).toContain(`Id="companion" Version="${version}" Publisher="gemini-cli"`);
    expect(xml).toContain('Id="Microsoft.VisualStudio.Code.Engine" Value="^1.99.0"');
  });

  it('names only files that it holds', () => {
    const xml = String(files['extension.vsixmanifest']);
    const paths = [...xml.matchAll(/Path="([^"]+)"/g)].map(([, path]) => path);
    expect(paths.length).toBeGreaterThan(3);
    expect(paths.filter((path = '') => !(path in files))).toEqual([]);
    const types = String(files['[Content_Types].xml']);
    const suffixes = Object.keys(files).flatMap((path) => /^[^[]*(\.\w+)$/.exec(path)?.[1] ?? []);
    expect(suffixes.filter((suffix) => !types.includes(`Extension="${suffix}"`))).toEqual([]);
  });

  it('contributes the commands, menus, keys and settings that the extension has', () => {
    const { contributes } = JSON.parse(String(files['extension/package.json']));
    const titles = (contributes.commands as Contributed[]).map(({ command, title }) => [command, title]);
    expect(titles).toEqual([
      ['gemini-cli.runGeminiCLI', 'Gemini CLI: Run'],
      ['gemini.diff.accept', 'Gemini CLI: Accept Diff'],
      ['gemini.diff.cancel', 'Gemini CLI: Close Diff Editor'],
      ['gemini-cli.showNotices', 'Gemini CLI: View Third-Party Notices'],
    ]);
    const code = String(files['extension/extension.cjs']);
    expect(titles.filter(([command = '']) => !code.includes(command))).toEqual([]);
    const both = ['gemini.diff.accept', 'gemini.diff.cancel'];
    for (const place of ['commandPalette', 'editor/title']) {
      const menu: Contributed[] = contributes.menus[place];
      expect(menu.map(({ command }) => command)).toEqual(both);
      expect(menu.every(({ when }) => when === 'gemini.diff.isVisible')).toBe(true);
    }
    expect(contributes.keybindings).toMatchObject([
      { command: 'gemini.diff.accept', key: 'ctrl+s', mac: 'cmd+s' },
    ]);
    expect(Object.entries(contributes.configuration.properties)).toMatchObject([
      ['gemini-cli.debug.logging.enabled', { type: 'boolean', default: false }],
    ]);
  });

  it('is one CommonJS file that needs the editor and Node alone, without a source map', () => {
    const code = String(files['extension/extension.cjs']);
    // ajv also holds such lines as text, for validators that are written to files.
    const needed = new Set([...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name));
    expect([...needed].filter((name) => !/^(node:|ajv)/.test(name) && !BUILT_IN.includes(name))).toEqual([
      'vscode',
    ]);
    expect(code).not.toContain('sourceMappingURL');
    expect(code).not.toContain('@gemini-cli/');
  });

  it('has the licence of each library inside', () => {
    const notices = String(files['extension/NOTICES.txt']);
    expect(notices).toMatch(/^@modelcontextprotocol\/server 2\.4\.0 \(/m);
    expect(notices).toMatch(/^zod 4\.\S+ \(MIT\)/m);
  });

  it('is small: the tarball of the program ships it', () => {
    const size = Object.values(files).reduce((sum, content) => sum + content.length, 0);
    expect(size).toBeLessThan(1_000_000);
  });
});

describe('writeVsix', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vsix-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const manifest = {
    name: 'x',
    publisher: 'y',
    version: '1.0.0',
    displayName: 'Tom & "Jerry" <3',
    description: '',
    keywords: [],
    categories: [],
    engines: { vscode: '^1.99.0' },
    extensionKind: ['workspace'],
  };

  it('gives the same bytes for the same content', () => {
    const sums: string[] = [];
    for (const name of ['a.vsix', 'b.vsix']) {
      writeVsix(join(folder, name), { 'package.json': JSON.stringify(manifest) });
      sums.push(
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      );
    }
    expect(sums[0]).toBe(sums[1]);
  });

  it('writes names with signs as valid XML', async () => {
    const path = join(folder, 'c.vsix');
    writeVsix(path, { 'package.json': JSON.stringify(manifest) });
    const { 'extension.vsixmanifest': xml } = await unzip(path);
    expect(String(xml)).toContain('<DisplayName>Tom &#38; &#34;Jerry&#34; &#60;3</DisplayName>');
  });

  it('refuses a file whose type no editor would know', () => {
    const files = { 'package.json': JSON.stringify(manifest), 'a.exe': '' };
    expect(() => writeVsix(join(folder, 'd.vsix'), files)).toThrow('a.exe');
  });
});

const BUILT_IN = ['crypto', 'http', 'net', 'stream', 'path', 'fs', 'os', 'util', 'url'];

/** In a Node of its own, as npm runs it: the conditions of the test runner change what libraries import. */
function node(...words: string[]): string {
  const run = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout.trim();
}

function writeVsix(path: string, files: Record<string, string>): void {
  const code = `import { writeVsix } from './packages/vscode-ide-companion/vsix.mjs'; await writeVsix(...JSON.parse(process.argv[1]))`;
  node('--input-type=module', '-e', code, JSON.stringify([path, files]));
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

async function unzip(path: string): Promise<Files> {
  const zip = await fromBufferPromise(readFileSync(path));
  const files: Files = {};
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
    files[entry.fileName] = Buffer.concat(chunks);
  }
  return files;
}
