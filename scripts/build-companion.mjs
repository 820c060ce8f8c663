// Builds the extension of the editor: `npm run package` in packages/vscode-ide-companion, and part of `npm run build`,
// which puts the .vsix beside the program.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeVsix } from '../packages/vscode-ide-companion/vsix.mjs';
import { bundledLibraries, noticesText } from './notices.mjs';

/** @returns the path of the .vsix */
export async function buildCompanion(root) {
  const folder = join(root, 'packages/vscode-ide-companion');
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const manifest = JSON.parse(readFileSync(join(folder, 'extension/package.json'), 'utf8'));
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(folder, 'src/extension.ts')],
    bundle: true,
    platform: 'node',
    // VS Code 1.99 runs extensions with this Node.
    target: 'node20',
    format: 'cjs',
    external: ['vscode'],
    minify: true,
    legalComments: 'none',
    write: false,
    metafile: true,
    logLevel: 'warning',
  });
  const path = join(folder, 'dist/companion.vsix');
  await writeVsix(path, {
    'package.json': JSON.stringify({ ...manifest, version }, null, 2),
    'extension.cjs': outputFiles[0].contents,
    'README.md': readFileSync(join(folder, 'extension/README.md')),
    'icon.png': readFileSync(join(folder, 'extension/icon.png')),
    'LICENSE.txt': readFileSync(join(root, 'LICENSE')),
    'NOTICES.txt': noticesText(root, bundledLibraries(metafile)),
  });
  return path;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(await buildCompanion(join(dirname(fileURLToPath(import.meta.url)), '..')));
}
