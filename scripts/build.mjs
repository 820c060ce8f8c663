// Builds the library (build-core.mjs) and the program: a small entry and, behind it, chunks that are loaded when they are needed.
//
// esbuild splits ES modules only, but Node starts CommonJS faster: no asynchronous loader, no facades for the
// built-in modules. So the program is bundled and split as ES modules first; then each chunk is turned into
// CommonJS, one by one, and `import()` becomes a `require` at the time of the call.
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { buildA2aServer, DATABASE } from './build-a2a.mjs';
import { buildCompanion } from './build-companion.mjs';
import { buildCore, copyTemplates } from './build-core.mjs';
import { buildSdk } from './build-sdk.mjs';
import { currentCommit } from './commit.mjs';
import { LAZY_ENTRIES, lazyLibraries } from './lazy-libraries.mjs';
import { libraryPatches, yogaWasm } from './library-patches.mjs';
import { assignPacks, packEngine } from './pack-engine.mjs';
import { isOfConstants, packedChunk } from './packed-chunk.mjs';
import { tomlPlugin } from './toml-plugin.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'packages/cli/dist');
const { version } = readJson('packages/cli/package.json');
const { sandboxImageUri: sandboxImage } = readJson('package.json').config;

/** Read at run time, with the first shell command (packages/core/src/policy/shell/parsing/grammar.ts). */
export const GRAMMAR = ['web-tree-sitter/web-tree-sitter.wasm', 'tree-sitter-bash/tree-sitter-bash.wasm'];

/** Not bundled: packages with binaries for each platform, and one that opens its own files at run time. */
export const NATIVE = ['@lydell/node-pty', '@vscode/ripgrep', 'playwright-core'];

/** Every Node that runs the program has them; esbuild would make a new expression at each use. */
const SUPPORTED = { 'regexp-unicode-property-escapes': true };

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  minify: true,
  supported: SUPPORTED,
  sourcesContent: false,
  legalComments: 'none',
  loader: { '.md': 'text' },
  // The `main` builds of some libraries are UMD and break in a bundle.
  mainFields: ['module', 'main'],
  // Our own packages from source, core without what only its library exports (packages/core/src/library.ts); `module`
  // is what esbuild assumes when nothing is given.
  conditions: ['gemini-program', 'gemini-source', 'module'],
  alias: {
    // Its ES module makes a `require` of its own, which the step to CommonJS would break.
    'web-tree-sitter': join(root, 'node_modules/web-tree-sitter/web-tree-sitter.cjs'),
    'yoga-layout': join(root, 'scripts/stand-ins/yoga-layout.mjs'),
    '@modelcontextprotocol/client/_shims': join(root, 'scripts/stand-ins/mcp-shims.mjs'),
    'is-in-ci': join(root, 'scripts/stand-ins/is-in-ci.mjs'),
  },
  define: {
    __VERSION__: JSON.stringify(version),
    __COMMIT__: JSON.stringify(currentCommit(root)),
    __SANDBOX_IMAGE__: JSON.stringify(sandboxImage),
    'process.env.NODE_ENV': '"production"',
  },
  plugins: [libraryPatches, tomlPlugin],
  logLevel: 'warning',
  metafile: true,
};

/** The program, and what other programs import: core as a library, the SDK, the A2A server. */
export async function buildAll() {
  await Promise.all([buildProgram(), buildLibraries()]);
  await buildA2aServer(root, common, { native: NATIVE, grammar: GRAMMAR });
}

/** The declarations of the SDK and of the server are made with those of core. */
async function buildLibraries() {
  await buildCore(root, common);
  await buildSdk(root, common);
}

export async function buildProgram() {
  const main = await bundleMain();
  const packOf = assignPacks(main.metafile, root);
  const [packed, others] = await Promise.all([
    Promise.all(
      main.outputFiles
        .filter(({ path }) => packOf.has(path))
        .map((file) => toPackedChunk(file, main.metafile)),
    ),
    Promise.all(main.outputFiles.filter(({ path }) => !packOf.has(path)).map(toCommonJs)),
  ]);
  const { files, buildId } = packEngine({ packOf, packed, others: others.flat(), dist });
  const entry = await bundleEntry(buildId);
  const [worker, companion] = await Promise.all([bundleWorker(), buildCompanion(root)]);
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(join(dist, 'chunks'), { recursive: true });
  for (const file of [...entry.outputFiles, ...worker.outputFiles, ...files])
    writeFileSync(file.path, file.contents);
  chmodSync(join(dist, 'gemini.cjs'), 0o755);
  cpSync(join(root, 'docs'), join(dist, 'docs'), { recursive: true });
  cpSync(join(root, 'packages/core/src/skills/builtin'), join(dist, 'builtin-skills'), { recursive: true });
  copyTemplates(join(root, 'packages/core/src/extensions/templates'), join(dist, 'extension-templates'));
  cpSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));
  // For programs that import this package (packages/cli/src/sdk.ts); `gemini` does not load it.
  for (const name of ['sdk.js', 'sdk.d.ts'])
    writeFileSync(join(dist, name), "export * from '@gemini-cli/sdk';\n");
  cpSync(companion, join(dist, basename(companion)));
  for (const file of GRAMMAR) cpSync(join(root, 'node_modules', file), join(dist, 'wasm', basename(file)));
  writeFileSync(join(dist, 'wasm', 'yoga.wasm'), yogaWasm(root));
  const outputs = { ...entry.metafile.outputs, ...worker.metafile.outputs, ...main.metafile.outputs };
  // For the architecture test: which sources each built file contains and loads.
  writeFileSync(join(dist, 'meta.json'), JSON.stringify({ outputs }).replaceAll('.mjs"', '.cjs"'));
}

function bundleEntry(buildId) {
  return build({
    ...common,
    define: { ...common.define, __BUILD_ID__: JSON.stringify(buildId) },
    entryPoints: { gemini: 'packages/cli/src/boot/entry.ts' },
    format: 'cjs',
    outdir: dist,
    outExtension: { '.js': '.cjs' },
    external: ['./engine.cjs'],
    supported: { ...SUPPORTED, 'dynamic-import': false },
    sourcemap: 'linked',
    write: false,
    banner: { js: '#!/usr/bin/env node' },
  });
}

function bundleMain() {
  return build({
    ...common,
    entryPoints: [{ in: 'packages/cli/src/boot/main.ts', out: 'main' }, ...LAZY_ENTRIES],
    plugins: [...common.plugins, lazyLibraries],
    format: 'esm',
    splitting: true,
    outdir: dist,
    chunkNames: 'chunks/[name]-[hash]',
    outExtension: { '.js': '.mjs' },
    external: [...NATIVE, ...DATABASE].flatMap((name) => [name, `${name}-*`, `${name}/*`]),
    sourcemap: 'inline',
    write: false,
  });
}

/** Files of their own, which need built-in modules only: threads, helpers in sandboxes, and the answer to an editor's first message. */
function bundleWorker() {
  return build({
    ...common,
    entryPoints: {
      'snapshot-worker': 'packages/core/src/platform/snapshots/worker.ts',
      'contained-write': 'packages/core/src/platform/sandbox/contained-write/helper.ts',
      'acp-greeting': 'packages/cli/src/boot/acp-greeting.ts',
    },
    format: 'cjs',
    outdir: dist,
    outExtension: { '.js': '.cjs' },
    sourcemap: 'linked',
    write: false,
  });
}

/** What both ways to CommonJS have in common. */
const COMMON_JS = {
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  supported: { ...SUPPORTED, 'dynamic-import': false },
  define: { 'import.meta.url': '__fileUrl' },
};

async function toPackedChunk({ path, text }, { outputs }) {
  const isOwn = isOfConstants(Object.keys(outputs[relative(root, path)].inputs), root);
  return { path: withCjs(path), contents: withLinks(await packedChunk(text, COMMON_JS, isOwn)) };
}

async function toCommonJs({ path, text }) {
  const target = withCjs(path);
  const { code, map } = await transform(text, {
    ...COMMON_JS,
    minify: true,
    // Not named .mjs: that would enable Node's rules for CommonJS defaults, which esbuild has already applied.
    sourcefile: relative(dist, target),
    sourcemap: 'external',
    sourcesContent: false,
  });
  const fileUrl = code.includes('__fileUrl')
    ? 'const __fileUrl=require("node:url").pathToFileURL(__filename).href;'
    : '';
  // A linked source map costs nothing until a debugger opens it.
  const contents = `${fileUrl}${withLinks(code)}//# sourceMappingURL=${basename(target)}.map\n`;
  return [
    { path: target, contents },
    { path: `${target}.map`, contents: map },
  ];
}

function withCjs(path) {
  return path.replace(/\.mjs$/, '.cjs');
}

/** Chunks refer to each other by the names of the CommonJS files. */
function withLinks(code) {
  return code.replace(/(["'`])(\.\.?\/[^"'`]*?)\.mjs\1/g, '$1$2.cjs$1');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAll();

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}
