/**
 * Runs the engine of the library with the compiled code of an earlier process, where there is some: without it Node spends
 * most of the time until the first request on compiling. The cache is in the user's own directory, beside that of
 * `gemini`, never in a shared one: a process that can write it can run code as the user.
 */
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { geminiHome, inheritedVariable } from '../environment.js';
import { COMPILED, type Compiled } from './compiled.js';

/**
 * @param file absolute; an ASCII text, a function as Node wraps CommonJS modules in, with `__import` as its last parameter
 * @param buildId changes with its text
 * @param outside what it requires beside the modules of Node, and how it imports: compiled code cannot import by itself
 */
export function loadCompiled(
  file: string,
  buildId: string,
  outside: { modules: Record<string, unknown>; load: (name: string) => Promise<unknown> },
): unknown {
  const cache = cacheFile(buildId);
  const cachedData = cache === undefined ? undefined : readCode(cache);
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    ...(cachedData && { cachedData }),
  });
  const module = { exports: {} };
  const require = requireFrom(file, outside.modules);
  script.runInThisContext()(module.exports, require, module, file, dirname(file), outside.load);
  const isStale = cache !== undefined && (!cachedData || script.cachedDataRejected === true);
  if (isStale) {
    const before: Compiled | undefined = Reflect.get(globalThis, COMPILED);
    const keep = () => {
      before?.keep();
      write(cache, script.createCachedData());
    };
    const compiled: Compiled = { ...before, keep };
    Reflect.set(globalThis, COMPILED, compiled);
  }
  return module.exports;
}

/** Each of its sources names what it needs again, and Node looks for it each time. */
function requireFrom(file: string, given: Readonly<Record<string, unknown>>): (name: string) => unknown {
  const known = new Map<string, unknown>(Object.entries(given));
  const load = (name: string): unknown => ofNode(name) ?? createRequire(file)(name);
  return (name) => {
    if (!known.has(name)) known.set(name, LATER.has(name) ? later(() => ofNode(name)) : load(name));
    return known.get(name);
  };
}

/** Modules of Node that cost a millisecond each, and that no plain answer uses. */
const LATER: ReadonlySet<string> = new Set(['node:child_process', 'node:dns', 'node:tty']);

/** `require` would make an ES module of each beside. */
function ofNode(name: string): object | undefined {
  return process.getBuiltinModule(name);
}

/** Loaded with the first use of one of its names. */
function later(load: () => object | undefined): object {
  let loaded: object | undefined;
  const get = () => {
    loaded ??= load() ?? {};
    return loaded;
  };
  return new Proxy(
    {},
    {
      get: (_, name) => Reflect.get(get(), name),
      has: (_, name) => Reflect.has(get(), name),
      ownKeys: () => Reflect.ownKeys(get()),
      getOwnPropertyDescriptor: (_, name) => {
        const own = Reflect.getOwnPropertyDescriptor(get(), name);
        return own && { ...own, configurable: true };
      },
    },
  );
}

/** Undefined: the user has no home. */
function cacheFile(buildId: string): string | undefined {
  const names = ['GEMINI_CLI_HOME', 'HOME', 'USERPROFILE'];
  const variables = Object.fromEntries(names.map((name) => [name, inheritedVariable(name)]));
  if (names.every((name) => !variables[name])) return undefined;
  const folder = join(geminiHome(variables), '.gemini', 'tmp', 'compile-cache');
  return join(folder, `library-${buildId}-${process.version}-${process.arch}.bin`);
}

/** Reads only a file that the user owns and no other user may write. */
function readCode(path: string): Buffer | undefined {
  try {
    const descriptor = openSync(path, 'r');
    try {
      const { uid, mode, size } = fstatSync(descriptor);
      const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
      return isOurs && size > 0 && size % 2 === 0 ? readTwice(descriptor, size / 2) : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/**
 * V8 checks only the head of compiled code and would crash on damage behind it, so the code is stored twice. The second
 * is compared piece by piece: to read both into new memory would take half a millisecond more.
 */
function readTwice(descriptor: number, size: number): Buffer | undefined {
  const code = Buffer.allocUnsafeSlow(size);
  const piece = Buffer.allocUnsafeSlow(128 * 1024);
  if (readSync(descriptor, code, 0, size, 0) !== size) return undefined;
  for (let at = 0; at < size; at += piece.length) {
    const length = Math.min(piece.length, size - at);
    if (readSync(descriptor, piece, 0, length, size + at) !== length) return undefined;
    if (code.compare(piece, 0, length, at, at + length) !== 0) return undefined;
  }
  return code;
}

/** A cache that cannot be written only costs time at the next start. */
function write(path: string, code: Buffer): void {
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, Buffer.concat([code, code]), { mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}
