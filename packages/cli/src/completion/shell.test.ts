import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCompleter } from './completer.js';
import { programsOnPath } from './programs.js';
import { type ShellHost, shellSource } from './shell.js';
import { slashSource } from './slash.js';

function newFolder(): string {
  const { path, cleanup } = tempDir();
  onTestFinished(cleanup);
  return path;
}

async function suggest(text: string, host: Partial<ShellHost> = {}): Promise<string[]> {
  const source = shellSource({
    isShellMode: () => true,
    cwd: () => '/nowhere',
    programs: async () => ['git', 'grep', 'ls', 'npm'],
    branches: async () => ['main', 'feature/x'],
    ...host,
  });
  const { signal } = new AbortController();
  const answer = await source.complete({
    text,
    cursor: text.length,
    asked: true,
    signal,
    onPartial: () => {},
  });
  return (answer?.items ?? []).map(({ value }) => text.slice(0, answer?.start) + value);
}

describe('completion in shell mode', () => {
  it.each([
    ['g', ['git ', 'grep ']],
    ['ls | gr', ['ls | grep ']],
    ['cd x && n', ['cd x && npm ']],
    ['git swi', ['git switch ']],
    ['git switch f', ['git switch feature/x ']],
    ['npm inst', ['npm install ']],
    ['sudo l', ['sudo ls ']],
    ['"git" stat', ['"git" status ']],
  ])('completes %j to %j', async (text, expected) => {
    expect(await suggest(text)).toEqual(expected);
  });

  it('offers scripts and files with escaped names', async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts: { build: '', 'build:all': '' } }));
    mkdirSync(join(cwd, 'my dir'));
    writeFileSync(join(cwd, "it's $HOME"), '');
    const host = { cwd: () => cwd };
    expect(await suggest('npm run bu', host)).toEqual(['npm run build ', 'npm run build:all ']);
    expect(await suggest('yarn build:', host)).toEqual(['yarn build:all ']);
    expect(await suggest('cat my', host)).toEqual(['cat my\\ dir/']);
    expect(await suggest('cat it', host)).toEqual(["cat it\\'s\\ \\$HOME "]);
    writeFileSync(join(cwd, 'package.json'), '{ broken');
    expect(await suggest('npm run b', host)).toEqual([]);
  });

  it('offers nothing before Tab, and no slash commands', () => {
    const shell = shellSource({
      isShellMode: () => true,
      cwd: () => '/',
      programs: async () => [],
      branches: async () => [],
    });
    const never = () => {
      throw new Error('not asked');
    };
    const completer = createCompleter([shell, slashSource({ commands: never, context: never })]);
    completer.update('/bin', 4);
    expect(completer.getState().items).toEqual([]);
  });

  it('reads the programs of the PATH once', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'tool-a'), '');
    chmodSync(join(folder, 'tool-a'), 0o755);
    mkdirSync(join(folder, 'sub'));
    const programs = programsOnPath({ PATH: `${folder}:relative:/nowhere` });
    expect(await programs()).toEqual(['tool-a']);
    writeFileSync(join(folder, 'tool-b'), '');
    expect(await programs()).toEqual(['tool-a']);
  });
});
