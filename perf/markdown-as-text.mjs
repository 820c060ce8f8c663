// Preloaded by scripts/bench.mjs: Markdown files are texts and TOML files objects, as in the built program.
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { tomlModule } from '../scripts/toml-plugin.mjs';

// Node loads this file once more, as hooks, in a separate thread.
if (isMainThread) register(import.meta.url);

const READERS = {
  '.md': (path) => `export default ${JSON.stringify(readFileSync(path, 'utf8'))};`,
  '.toml': tomlModule,
};

export async function load(url, context, next) {
  const read = READERS[url.slice(url.lastIndexOf('.'))];
  if (!read) return next(url, context);
  return { format: 'module', shortCircuit: true, source: read(fileURLToPath(url)) };
}
