// Builds packages/core/dist, the engine as a library: ES modules whose dependencies stay packages of their own, type
// declarations, and the files that the code opens at run time (packages/core/src/platform/built-file.ts).
import { spawn } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { absoluteOutputs, joinChunks, joinModule } from './join-chunks.mjs';

/** The subpaths of the package, and the source each is built from. */
const SUBPATHS = {
  index: 'library',
  protocol: 'protocol',
  tools: 'tools',
  testing: 'testing',
  server: 'server',
};

/** What the SDK imports in place of the index. It is in one file with the code that loads the engine. */
const FOR_SDK = 'for-sdk';

/** What a session with an API key loads until its first request, as in the program (pack-engine.mjs). */
const SOON = [
  'src/model/auth/index.ts',
  'src/model/auth/api-key.ts',
  'src/model/gemini/client.ts',
  'src/model/gemini/endpoint.ts',
  'src/model/gemini/errors.ts',
];

/** Its package is needed only for the build; consumers get the one file that is used. */
const GRAMMAR = 'tree-sitter-bash/tree-sitter-bash.wasm';

/** @param options of esbuild that the program is built with, too */
export async function buildCore(root, { target, loader, conditions, plugins, logLevel }) {
  const core = join(root, 'packages/core');
  const dist = join(core, 'dist');
  const { version } = JSON.parse(readFileSync(join(core, 'package.json'), 'utf8'));
  const common = {
    absWorkingDir: core,
    bundle: true,
    platform: 'node',
    packages: 'external',
    define: { __VERSION__: JSON.stringify(version) },
    outdir: dist,
    target,
    loader,
    conditions,
    plugins,
    logLevel,
  };
  rmSync(dist, { recursive: true, force: true });
  await Promise.all([
    buildModules(core, common),
    build({
      ...common,
      entryPoints: {
        'snapshot-worker': 'src/platform/snapshots/worker.ts',
        'contained-write': 'src/platform/sandbox/contained-write/helper.ts',
      },
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
    }),
    emitTypes(root, core, Object.values(SUBPATHS)),
  ]);
  cpSync(join(root, 'node_modules', GRAMMAR), join(dist, 'wasm', basename(GRAMMAR)));
  cpSync(join(core, 'src/skills/builtin'), join(dist, 'builtin-skills'), { recursive: true });
  copyTemplates(join(core, 'src/extensions/templates'), join(dist, 'extension-templates'));
  cpSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));
}

async function buildModules(core, common) {
  const { metafile } = await build({
    ...common,
    entryPoints: Object.entries({ ...SUBPATHS, [FOR_SDK]: FOR_SDK }).map(([out, name]) => ({
      out,
      in: `src/${name}.ts`,
    })),
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    metafile: true,
  });
  const { platform, target, logLevel } = common;
  // A program that imports the engine waits until Node has read all of it.
  const options = { platform, target, logLevel, minify: true, legalComments: 'none' };
  const of = (name) => join(core, 'dist', `${name}.js`);
  const withEnums = await joinModule({
    outputs: absoluteOutputs(metafile, core),
    dist: join(core, 'dist'),
    entries: [of('protocol')],
    name: 'enums',
    options,
  });
  const loader = join(core, 'src/platform/compiled-code/load-compiled.ts');
  const script = { loader, options };
  const copied = [of('protocol')];
  const withEngine = await joinChunks({
    outputs: withEnums,
    entry: of(FOR_SDK),
    soon: SOON,
    copied,
    name: 'engine',
    ...script,
  });
  // The rest of the index.
  const { exports } = withEngine[of('index')];
  await joinChunks({
    outputs: withEngine,
    entry: of('index'),
    before: 'engine',
    copied,
    name: 'library',
    ...script,
  });
  writeFileSync(of('index'), `export { ${exports.join(', ')} } from "./chunks/library.js";\n`);
}

/** The folders of `gemini extensions new`, without the code beside them. */
export function copyTemplates(from, to) {
  for (const entry of readdirSync(from, { withFileTypes: true }))
    if (entry.isDirectory()) cpSync(join(from, entry.name), join(to, entry.name), { recursive: true });
}

/** Without type checks (`npm run typecheck`), so that an unfinished change can be built and tried. */
export async function emitTypes(root, folder, entries) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const child = spawn(process.execPath, [compiler, '-p', join(folder, 'tsconfig.build.json')], {
    stdio: 'inherit',
  });
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`The type declarations of ${basename(folder)} could not be made.`);
  keepReachable(join(folder, 'dist/types'), entries);
}

/** Deletes the declarations that the package's subpaths do not reach. */
function keepReachable(folder, entries) {
  const kept = new Set();
  const queue = entries.map((name) => join(folder, `${name}.d.ts`));
  for (let file = queue.pop(); file; file = queue.pop()) {
    if (kept.has(file)) continue;
    kept.add(file);
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(
      /(?:from |import\()['"](\.[^'"]+)\.js['"]/g,
    ))
      queue.push(`${resolve(dirname(file), specifier)}.d.ts`);
  }
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, entry);
    if (path.endsWith('.d.ts') && !kept.has(path)) rmSync(path);
  }
}
