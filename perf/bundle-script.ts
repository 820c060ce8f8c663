/** Scripts that are measured in processes of their own, bundled like the program. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { tomlPlugin } from '../scripts/toml-plugin.mjs';

/** Starts a bundled script with its compiled code kept, as the program starts itself. */
export const COMPILED = join(import.meta.dirname, 'compiled.cjs');

/** @param format `esm` where the code looks for files beside it: it then knows where it lies */
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
    minify: true,
    loader: { '.md': 'text' },
    plugins: [tomlPlugin],
    logLevel: 'warning',
    // Code that looks for files beside it does without them where there are none.
    logOverride: { 'empty-import-meta': 'silent' },
  });
  return outfile;
}
