/** Bundles scripts that are measured in separate processes, like the program. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { tomlPlugin } from '../scripts/toml-plugin.mjs';

/** Starts a bundled script with cached compiled code, as the program starts itself. */
export const COMPILED = join(import.meta.dirname, 'compiled.cjs');

/** @param format `esm` when the code looks for files beside itself, for which it needs its own path */
export async function bundleScript(
  name: string,
  folder: string,
  format: 'cjs' | 'esm' = 'cjs',
): Promise<string> {
  const outfile = join(folder, format === 'cjs' ? `${name}.cjs` : `${name}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format,
    target: 'node20',
    // Our own packages from source, as in the program.
    conditions: ['gemini-source', 'module'],
    minify: true,
    loader: { '.md': 'text' },
    plugins: [tomlPlugin],
    logLevel: 'warning',
    // Code that looks for files beside it does without them where there are none.
    logOverride: { 'empty-import-meta': 'silent' },
  });
  return outfile;
}
