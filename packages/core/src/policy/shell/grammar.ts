/** The bash grammar: loaded with the first shell command, kept for the session. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Parser, Tree } from 'web-tree-sitter';
import { findBuiltFile } from '../../platform/built-file.js';

type Library = typeof import('web-tree-sitter');
export type SyntaxTree = Tree;

/** Longer than this, a command is not worth the wait; it counts as one that cannot be read. */
const BUDGET_MS = 1000;

/** A library, not a state: one copy of 46 MB serves all. */
let loading: Promise<Parser> | undefined;

/** Undefined when the text takes too long. The caller deletes the tree. */
export async function parseBash(text: string): Promise<SyntaxTree | undefined> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  const parser = await loading;
  const deadline = performance.now() + BUDGET_MS;
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
  // A parser that was stopped would go on with the old text.
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
  // V8 would go on compiling the grammar for half a second, and the program could not end before that.
  setFlagsFromString('--liftoff-only');
  await library.Parser.init({ wasmBinary: engine });
  const parser = new library.Parser();
  parser.setLanguage(await library.Language.load(grammar));
  return parser;
}

/** A build may bring the file in `wasm/`; else it is in its package. */
function readAsset(packageName: string, file: string): Promise<Uint8Array> {
  const built = findBuiltFile(join('wasm', file));
  return readFile(built ?? createRequire(import.meta.url).resolve(`${packageName}/${file}`));
}
