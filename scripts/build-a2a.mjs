// Builds packages/a2a-server/dist: the server as ES modules that carry the engine, and its type declarations. What only
// PostgreSQL needs, and packages with binaries, stay packages of their own.
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { copyTemplates } from './build-core.mjs';

/** Loaded only with CODER_AGENT_DATABASE_URL. */
export const DATABASE = ['@dbos-inc/dbos-sdk', 'pg'];

/** What CommonJS libraries in the bundle expect of Node. */
const BANNER = [
  "import { createRequire as makeRequire__ } from 'node:module';",
  'const require = makeRequire__(import.meta.url);',
  "const { dirname: dirname__ } = require('node:path');",
  "const __filename = require('node:url').fileURLToPath(import.meta.url);",
  'const __dirname = dirname__(__filename);',
].join('');

/** The engine loads ajv with `require`, by a name that the bundler does not see. */
const ajv = {
  name: 'ajv',
  setup(build) {
    build.onLoad({ filter: /foreign-schema[\\/]load-ajv\.ts$/ }, ({ path }) => ({
      contents: `import { Ajv } from 'ajv'; import { Ajv2020 } from 'ajv/dist/2020.js'; import addFormats from 'ajv-formats';
        export const loadAjv = () => ({ Ajv, Ajv2020, addFormats });`,
      resolveDir: dirname(path),
    }));
  },
};

/**
 * @param common options of esbuild that the program is built with, too
 * @param parts packages with binaries; files that the code opens at run time
 */
export async function buildA2aServer(root, common, { native, grammar }) {
  const folder = join(root, 'packages/a2a-server');
  const dist = join(folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  const [{ metafile }] = await Promise.all([
    build({
      ...common,
      entryPoints: {
        'a2a-server': 'packages/a2a-server/src/main.ts',
        index: 'packages/a2a-server/src/index.ts',
      },
      format: 'esm',
      splitting: true,
      outdir: dist,
      chunkNames: 'chunks/[name]-[hash]',
      external: [...native, ...DATABASE].flatMap((name) => [name, `${name}-*`, `${name}/*`]),
      banner: { js: BANNER },
      plugins: [...common.plugins, ajv],
    }),
    build({
      ...common,
      entryPoints: {
        'snapshot-worker': 'packages/core/src/platform/snapshots/worker.ts',
        'contained-write': 'packages/core/src/platform/sandbox/contained-write/helper.ts',
      },
      format: 'cjs',
      outdir: dist,
      outExtension: { '.js': '.cjs' },
      metafile: false,
    }),
    emitTypes(root, folder),
  ]);
  // For the notices of what is inside.
  writeFileSync(join(dist, 'meta.json'), JSON.stringify({ outputs: metafile.outputs }));
  chmodSync(join(dist, 'a2a-server.js'), 0o755);
  cpSync(join(root, 'docs'), join(dist, 'docs'), { recursive: true });
  cpSync(join(root, 'packages/core/src/skills/builtin'), join(dist, 'builtin-skills'), { recursive: true });
  copyTemplates(join(root, 'packages/core/src/extensions/templates'), join(dist, 'extension-templates'));
  cpSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));
  for (const file of grammar) cpSync(join(root, 'node_modules', file), join(dist, 'wasm', basename(file)));
}

/** Without type checks (`npm run typecheck`). */
async function emitTypes(root, folder) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const child = spawn(process.execPath, [compiler, '-p', join(folder, 'tsconfig.build.json')], {
    stdio: 'inherit',
  });
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error('The type declarations of the A2A server could not be made.');
}
