/** Loads the bash grammar with the first command that needs it, and parses command lines. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Parser, Tree } from 'web-tree-sitter';
import { findBuiltFile } from '../../../platform/built-file.js';

type Library = typeof import('web-tree-sitter');
export type SyntaxTree = Tree;

/** A command that takes longer to parse counts as unreadable. */
const BUDGET_MS = 1000;

/** Shared by all sessions: the library takes 46 MB and keeps no state between commands. */
let loading: Promise<Parser> | undefined;

/** Undefined when parsing takes too long. The caller deletes the tree. */
export async function parseBash(text: string): Promise<SyntaxTree | undefined> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  const parser = await loading;
  const deadline = performance.now() + BUDGET_MS;
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
  // Otherwise the stopped parser would continue with the old text.
  if (!tree) parser.reset();
  return tree ?? undefined;
}

async function load(): Promise<Parser> {
  const [imported, engine, grammar] = await Promise.all([
    import('web-tree-sitter') as Promise<Library & { default?: Library }>,
    readAsset('web-tree-sitter', 'web-tree-sitter.wasm'),
    readAsset('tree-sitter-bash', 'tree-sitter-bash.wasm'),
  ]);
  // In the bundle it is a CommonJS module.
  const library = imported.default ?? imported;
  // Otherwise V8 optimises the grammar for another half second, and the program cannot exit before that.
  setFlagsFromString('--liftoff-only');
  await library.Parser.init({ wasmBinary: engine });
  const parser = new library.Parser();
  parser.setLanguage(await library.Language.load(grammar));
  return parser;
}

/** From `wasm/` of the build if it is there, otherwise from the package. */
function readAsset(packageName: string, file: string): Promise<Uint8Array> {
  const built = findBuiltFile(join('wasm', file));
  return readFile(built ?? createRequire(import.meta.url).resolve(`${packageName}/${file}`));
}
