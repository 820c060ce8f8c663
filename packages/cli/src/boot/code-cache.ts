/**
 * Loads the engine with the compiled code of an earlier run, which saves more start-up time than anything else. Node 22
 * and later keep compiled code themselves, but start a plain answer 40 ms slower with it than with ours; theirs is used
 * for the files that are not in a pack. The cache is in the user's own directory, never in a shared one: a process that
 * can write it can run code as the user.
 */
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { underUsualFlags } from '../terminal/young-space.js';

interface Engine {
  load(name: string): unknown;
  /** Loads another pack of the program; replaced here by a loader with a cache. */
  read(pack: string): void;
}

export interface LoadedEngine {
  engine: Engine;
  /**
   * Called at the end of a run: writes newly compiled code to the cache.
   * @param usedTools the run used the code of tools, which a plain answer never does
   */
  keepCompiledCode(usedTools: boolean): void;
}

export interface EngineFile {
  /** `engine.cjs`; the other packs are beside it. */
  file: string;
  buildId: string;
  home: string | undefined;
  /** An interactive session uses other code than a headless run, so it has its own cache. */
  isForScreen: boolean;
}

export function loadEngine({ file, buildId, home, isForScreen }: EngineFile): LoadedEngine {
  if (!home) return loadWithoutCache(file);
  const directory = join(home, '.gemini', 'tmp', 'compile-cache');
  const base = join(directory, `${buildId}-${process.version}-${process.arch}`);
  // The code of a run with tools includes that of a plain answer.
  const files = { screen: `${base}-screen.bin`, withTools: `${base}-tools.bin`, plain: `${base}.bin` };
  const own = isForScreen ? files.screen : files.withTools;
  const full = readCode(own);
  const main = compile(
    file,
    directory,
    full ?? (isForScreen ? readCode(files.withTools) : undefined) ?? readCode(files.plain),
  );
  const engine = main.exports as Engine;
  const packs: { path: string; script: Script }[] = [];
  engine.read = (pack) => {
    const path = `${base}-${pack}-pack.bin`;
    const { script, isStale } = compile(join(dirname(file), `${pack}.cjs`), directory, readCode(path));
    if (isStale) packs.push({ path, script });
  };
  return {
    engine,
    keepCompiledCode: (usedTools) => {
      const isFuller = isForScreen || usedTools;
      if (main.isStale || (isFuller && !full)) write(isFuller ? own : files.plain, main.script);
      for (const { path, script } of packs.splice(0)) write(path, script);
    },
  };
}

function loadWithoutCache(file: string): LoadedEngine {
  const engine = compile(file).exports as Engine;
  engine.read = (pack) => void compile(join(dirname(file), `${pack}.cjs`));
  return { engine, keepCompiledCode: () => undefined };
}

/** Runs a pack as `require` would, with cached code if there is any. @param directory Node's own cache; none without it */
function compile(
  file: string,
  directory?: string,
  cachedData?: Buffer,
): { script: Script; exports: unknown; isStale: boolean } {
  // Packs are functions in ASCII (scripts/pack-engine.mjs): read twice as fast this way, and compiled without a copy.
  const source = readFileSync(file, 'latin1');
  const script = underUsualFlags(() => new Script(source, { filename: file, cachedData }));
  const module = new nodeModule.Module(file);
  const require = nodeModule.createRequire(file);
  // Chunks that are loaded later require the engine by its path and must get this one.
  require.cache[file] = module;
  script.runInThisContext()(module.exports, withNodesCache(require, directory), module, file, dirname(file));
  return { script, exports: module.exports, isStale: !cachedData || script.cachedDataRejected === true };
}

/** Enables Node's own cache with the first file outside the packs: a plain answer needs none and does not pay for it. */
function withNodesCache(require: NodeJS.Require, directory?: string): (name: string) => unknown {
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (directory: string) => void };
  let isEnabled = enableCompileCache === undefined || directory === undefined;
  return (name) => {
    if (!isEnabled && name.startsWith('./chunks/')) {
      isEnabled = true;
      enableCompileCache?.(directory as string);
    }
    return require(name);
  };
}

function readCode(path: string): Buffer | undefined {
  return checked(readOwn(path));
}

/** Reads only a file that the user owns and no other user may write. */
function readOwn(path: string): Buffer | undefined {
  try {
    const descriptor = openSync(path, 'r');
    try {
      const { uid, mode } = fstatSync(descriptor);
      const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
      return isOurs ? readFileSync(descriptor) : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/**
 * The first half of a file whose halves are equal. V8 checks only the head of compiled code and would crash at
 * every start on damage behind it, so the code is stored twice. Comparing costs nothing; a checksum in JavaScript
 * would take milliseconds.
 */
function checked(file: Buffer | undefined): Buffer | undefined {
  if (!file || file.length === 0) return undefined;
  const code = file.subarray(0, file.length >> 1);
  return code.equals(file.subarray(code.length)) ? code : undefined;
}

/** A cache that cannot be written only costs a few milliseconds at the next start. */
function write(path: string, script: Script): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const temporary = `${path}.${process.pid}`;
    const code = underUsualFlags(() => script.createCachedData());
    writeFileSync(temporary, Buffer.concat([code, code]), { mode: 0o600 });
    renameSync(temporary, path);
    removeOld(dirname(path));
  } catch {
    // See above.
  }
}

const OLD_MS = 30 * 24 * 60 * 60 * 1000;

/** Every version of the program and of Node writes its own file; one that is still in use is written again. */
function removeOld(directory: string): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const { mtimeMs } = statSync(path);
    if (Date.now() - mtimeMs > OLD_MS) rmSync(path, { recursive: true, force: true });
  }
}
