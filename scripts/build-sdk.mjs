// Builds packages/sdk/dist: ES modules whose dependencies stay packages, and type declarations. Core must be built before:
// the declarations refer to its published ones.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { emitTypes } from './build-core.mjs';

/** The subpaths of the package, and the source each is built from. */
const SUBPATHS = { index: 'index', acp: 'acp/index' };

/** @param options of esbuild that the program is built with, too */
export async function buildSdk(root, { target, logLevel }) {
  const sdk = join(root, 'packages/sdk');
  const dist = join(sdk, 'dist');
  rmSync(dist, { recursive: true, force: true });
  await Promise.all([
    build({
      absWorkingDir: sdk,
      entryPoints: Object.entries(SUBPATHS).map(([out, name]) => ({ out, in: `src/${name}.ts` })),
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      chunkNames: 'chunks/[name]-[hash]',
      outdir: dist,
      target,
      logLevel,
    }),
    emitTypes(root, sdk, Object.values(SUBPATHS)),
  ]);
  cpSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));
}
