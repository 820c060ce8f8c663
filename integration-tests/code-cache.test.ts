import { chmodSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BUNDLE, callTool, type TestRig, testRig, text } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { loadEngine } from '../packages/cli/src/boot/code-cache.js';

function cacheFiles(rig: TestRig): string[] {
  const directory = join(rig.home, '.gemini/tmp/compile-cache');
  return readdirSync(directory)
    .filter((name) => name.endsWith('.bin'))
    .map((name) => join(directory, name));
}

async function answer(rig: TestRig): Promise<string> {
  rig.model.replies([text('hello')]);
  const run = await rig.cli('-p', 'hi');
  expect({ exitCode: run.exitCode, stderr: run.stderr }).toEqual({ exitCode: 0, stderr: '' });
  return run.stdout;
}

describe('compiled code kept between runs', () => {
  it('is written once, for the user only, and used again', async () => {
    const rig = await testRig({ isFirstRun: true });
    expect(await answer(rig)).toBe('hello\n');
    const [file = ''] = cacheFiles(rig);
    const first = statSync(file);
    expect(first.mode & 0o777).toBe(0o600);
    expect(await answer(rig)).toBe('hello\n');
    expect(statSync(file).mtimeMs).toBe(first.mtimeMs);
    expect(cacheFiles(rig)).toEqual([file]);
  });

  it('is written once more after the first run with tools, and then used by all', async () => {
    const rig = await testRig({ files: { 'a.txt': 'x' }, isFirstRun: true });
    await answer(rig);
    rig.model.replies([callTool('read_file', { file_path: 'a.txt' })], [text('done')]);
    await rig.cli('-p', 'read it');
    const files = cacheFiles(rig);
    expect(files.filter((file) => file.endsWith('-tools.bin'))).toHaveLength(1);
    const times = files.map((file) => statSync(file).mtimeMs);
    await answer(rig);
    expect(cacheFiles(rig).map((file) => statSync(file).mtimeMs)).toEqual(times);
  });

  it('is not used when a byte of it is wrong: V8 would crash on it at every start', async () => {
    const rig = await testRig({ isFirstRun: true });
    await answer(rig);
    const [file = ''] = cacheFiles(rig);
    const good = readFileSync(file);
    for (const part of [0.2, 0.4, 0.6, 0.8, 0.999]) {
      const damaged = Buffer.from(good);
      damaged.fill(0, Math.floor(good.length * part), Math.floor(good.length * part) + 64);
      writeFileSync(file, damaged);
      expect(await answer(rig), `damaged at ${part}`).toBe('hello\n');
      expect(readFileSync(file).equals(damaged)).toBe(false);
    }
  });

  it('of old versions is removed when a new one is written', async () => {
    const rig = await testRig({ isFirstRun: true });
    await answer(rig);
    const [file = ''] = cacheFiles(rig);
    const old = join(dirname(file), 'gone-v20.0.0-x64.bin');
    writeFileSync(old, 'x');
    utimesSync(old, 1, 1);
    writeFileSync(file, 'damaged');
    await answer(rig);
    expect(cacheFiles(rig)).toEqual([file]);
  });

  it('is written again when it is damaged or other users may write it', async () => {
    const rig = await testRig({ isFirstRun: true });
    await answer(rig);
    const [file = ''] = cacheFiles(rig);
    writeFileSync(file, 'not compiled code');
    expect(await answer(rig)).toBe('hello\n');
    expect(statSync(file).size).toBeGreaterThan(10_000);
    const before = statSync(file).ino;
    chmodSync(file, 0o666);
    expect(await answer(rig)).toBe('hello\n');
    expect(statSync(file).ino).not.toBe(before);
  });
});

describe('compiled code of a user without a home', () => {
  it('is not kept: the packs are read as they are', () => {
    const file = join(dirname(BUNDLE), 'engine.cjs');
    const { engine, keepCompiledCode } = loadEngine({
      file,
      buildId: 'x',
      home: undefined,
      isForScreen: false,
    });
    expect(engine.load('main.cjs')).toHaveProperty('main');
    engine.read('processes');
    keepCompiledCode(true);
  });
});
