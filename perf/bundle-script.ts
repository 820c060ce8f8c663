/** Scripts that are measured in processes of their own, bundled like the program. */
import { join } from 'node:path';
import { build } from 'esbuild';

/** Starts a bundled script with its compiled code kept, as the program starts itself. */
export const COMPILED = join(import.meta.dirname, 'compiled.cjs');

export async function bundleScript(name: string, folder: string): Promise<string> {
  const outfile = join(folder, `${name}.cjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    loader: { '.md': 'text' },
    logLevel: 'warning',
  });
  return outfile;
}
