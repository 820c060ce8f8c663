/** `npm run pack`, then `npm install -g` of the tarball into an empty prefix, with an empty home. */
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { callTool, type TestRig, testRig, text } from '@gemini-cli/test-utils/rig';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolResponses } from '../test-utils.js';
import { startRegistry } from './loopback-registry.js';

const run = promisify(execFile);
const repo = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(repo, 'packages/cli/package.json'), 'utf8'));
const SIZE_LIMIT = 60 * 1024 * 1024;

describe('The packed program, installed with npm', () => {
  let folder: string;
  let tarballs: string[];
  let prefix: string;

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-install-')));
    prefix = join(folder, 'prefix');
    mkdirSync(prefix);
    mkdirSync(join(folder, 'home'));
    await run(process.execPath, [join(repo, 'scripts/pack.mjs'), '--built', join(folder, 'tarballs')]);
    tarballs = readdirSync(join(folder, 'tarballs')).map((name) => join(folder, 'tarballs', name));
    await install();
    await linkPrograms();
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The command a user types, with a registry that needs no network. */
  async function install(): Promise<void> {
    const registry = await startRegistry(join(repo, 'node_modules'));
    const program = tarballs.find((path) => basename(path).startsWith('gemini-cli-cli-')) ?? '';
    const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--cache', join(folder, 'cache')];
    try {
      const npm = ['install', '-g', '--prefix', prefix, '--registry', registry.url, ...quiet, program];
      await run('npm', npm, { cwd: folder, env: { PATH: process.env['PATH'], HOME: join(folder, 'home') } });
    } finally {
      registry.close();
    }
  }

  /** All that the tests need on PATH; above all not a ripgrep, which the program would prefer to its own. */
  async function linkPrograms(): Promise<void> {
    mkdirSync(join(folder, 'programs'));
    for (const name of ['bash', 'sh', 'git']) {
      const { stdout } = await run('sh', ['-c', `command -v ${name}`]);
      symlinkSync(stdout.trim(), join(folder, 'programs', name));
    }
  }

  /** The installed command, in a home without any file. */
  async function installed(): Promise<TestRig> {
    const env = { GEMINI_CLI_TRUST_WORKSPACE: 'true', PATH: join(folder, 'programs') };
    return testRig({ program: join(prefix, 'bin/gemini'), isFirstRun: true, trust: false, env });
  }

  it('is found by its name and tells its version', async () => {
    const PATH = [join(prefix, 'bin'), dirname(process.execPath)].join(delimiter);
    const { stdout } = await run('gemini', ['--version'], {
      cwd: folder,
      env: { PATH, HOME: join(folder, 'home') },
    });
    expect(stdout).toBe(`${version}\n`);
  });

  it('answers, and tells version and commit with /about', async () => {
    const rig = await installed();
    rig.model.replies([text('hello')]);
    const answer = await rig.cli('-p', 'hi');
    expect({ stdout: answer.stdout, stderr: answer.stderr }).toEqual({ stdout: 'hello\n', stderr: '' });
    const { stdout } = await rig.cli('-p', '/about');
    expect(stdout).toContain(`Version: ${version}\nCommit: `);
    expect(stdout).toMatch(/Commit: ([0-9a-f]{7,40}(-dirty)?|unknown)\n/);
  });

  it('runs a command in a pseudo-terminal', async () => {
    const rig = await installed();
    const command = 'test -t 1 && echo terminal || echo pipe';
    rig.model.replies([callTool('run_shell_command', { command })], [text('done')]);
    const { exitCode, stderr } = await rig.cli('-p', 'go', '--approval-mode', 'yolo');
    expect(exitCode, stderr).toBe(0);
    expect(toolResponses(rig)[0]?.response.output).toContain('Output: terminal');
  });

  it('searches with the ripgrep that was installed with it', async () => {
    const rig = await installed();
    rig.write('src/a.ts', 'const needle = 1;\n');
    rig.model.replies([callTool('grep_search', { pattern: 'needle' })], [text('done')]);
    await rig.cli('-p', 'go');
    expect(toolResponses(rig)[0]?.response.output).toContain('a.ts');
    const { stdout } = await rig.cli('doctor', '--offline', '--json');
    expect(stdout).toMatch(/ripgrep \d+[^"]* \([^"]*prefix\/lib\/node_modules\/[^"]*\/bin\/rg\)/);
  });

  it('stays below its size, without source maps and lists for tests', () => {
    const files = filesIn(prefix);
    expect(files.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThan(SIZE_LIMIT);
    expect(files.filter((path) => /meta\.json$|gemini-cli\/cli\/dist.*\.map$/.test(path))).toEqual([]);
  });

  it('names no folder of this machine and no download address, and carries the licences', async () => {
    for (const tarball of tarballs) {
      const target = join(folder, basename(tarball, '.tgz'));
      mkdirSync(target);
      await run('tar', ['-xzf', tarball, '-C', target]);
      const leaks = filesIn(target).filter((path) => readFileSync(path, 'latin1').includes(repo));
      expect(leaks).toEqual([]);
      const manifest = JSON.parse(readFileSync(join(target, 'package/package.json'), 'utf8'));
      const versions = Object.values({ ...manifest.dependencies, ...manifest.optionalDependencies });
      expect(versions.filter((value) => !/^\d+\.\d+\.\d+$/.test(String(value)))).toEqual([]);
      const notices = readFileSync(join(target, 'package/dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
      expect(notices).toContain('web-tree-sitter');
    }
    expect(readFileSync(join(repo, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved": "(https?|file):/);
  });
});

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
