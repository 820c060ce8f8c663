import dns from 'node:dns';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepCompiledCode, keepCompiledCodeAtExit } from './compiled.js';
import { loadCompiled } from './load-compiled.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'compiled-'));
  vi.stubEnv('GEMINI_CLI_HOME', home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

const SOURCE =
  '(function(exports,require,module,__filename,__dirname,__import){' +
  'const path=require("node:path");exports.name=path.basename(__filename);exports.word=require("./other.js").word;' +
  'exports.later=()=>__import("./later.js");})';

describe('compiled code of the library', () => {
  const outside = { modules: { './other.js': { word: 'hello' } }, load: async (name: string) => name };
  const load = (buildId = 'b1') => {
    const file = join(home, 'engine.cjs');
    writeFileSync(file, SOURCE);
    return loadCompiled(file, buildId, outside) as {
      name: string;
      word: string;
      later(): Promise<string>;
    };
  };
  const folder = () => join(home, '.gemini/tmp/compile-cache');
  const kept = () => readdirSync(folder());

  it('runs with what it requires and imports', async () => {
    const { name, word, later } = load();
    expect([name, word, await later()]).toEqual(['engine.cjs', 'hello', './later.js']);
  });

  it('gets modules of Node that cost time with the first use of them', () => {
    const file = join(home, 'uses.cjs');
    const uses =
      'const dns=require("node:dns");exports.whole={...require("node:tty")};' +
      'exports.names=Object.keys(dns);exports.lookup=dns.lookup;exports.has="lookup" in dns;';
    writeFileSync(file, `(function(exports,require){${uses}})`);
    const used = loadCompiled(file, 'b3', { modules: {}, load: async () => undefined });
    expect(used).toMatchObject({ names: Object.keys(dns), lookup: dns.lookup, has: true });
    expect(used).toHaveProperty('whole.isatty', isatty);
  });

  it('is kept once, for its own build, readable by its user alone', () => {
    load();
    keepCompiledCode();
    keepCompiledCode();
    expect(kept()).toEqual([expect.stringMatching(/^library-b1-v/)]);
    const path = join(folder(), kept()[0] ?? '');
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    const before = statSync(path).mtimeMs;
    expect(load().word).toBe('hello');
    keepCompiledCode();
    expect(statSync(path).mtimeMs).toBe(before);
    load('b2');
    keepCompiledCode();
    expect(kept()).toHaveLength(2);
  });

  it('is kept at the exit of a program that never closes its sessions, by one listener', () => {
    load();
    const before = process.listeners('exit');
    keepCompiledCodeAtExit();
    keepCompiledCodeAtExit();
    const [listener, ...more] = process.listeners('exit').filter((one) => !before.includes(one));
    expect(more).toEqual([]);
    listener?.(0);
    expect(kept()).toEqual([expect.stringMatching(/^library-b1-v/)]);
    process.removeListener('exit', listener ?? (() => undefined));
  });

  it('is compiled again when the file is cut off', () => {
    load();
    keepCompiledCode();
    const path = join(folder(), kept()[0] ?? '');
    const code = readFileSync(path);
    for (const length of [0, 1, code.length / 2, code.length - 1, code.length - 2]) {
      writeFileSync(path, code.subarray(0, length));
      expect(load().word).toBe('hello');
      keepCompiledCode();
      expect(readFileSync(path).length).toBe(code.length);
    }
  });

  it('is kept for each of several scripts', () => {
    load('b1');
    load('b2');
    keepCompiledCode();
    expect(kept()).toHaveLength(2);
  });

  it('is compiled again when the file is damaged', () => {
    load();
    keepCompiledCode();
    const path = join(folder(), kept()[0] ?? '');
    const code = readFileSync(path);
    code[code.length - 5] = (code.at(-5) ?? 0) ^ 1;
    writeFileSync(path, code);
    expect(load().word).toBe('hello');
    keepCompiledCode();
    expect(readFileSync(path).equals(code)).toBe(false);
  });
});
