// Preloaded by scripts/bench.mjs: Markdown files are texts, as in the built program.
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

// Node loads this file once more, as hooks, in a thread of its own.
if (isMainThread) register(import.meta.url);

export async function load(url, context, next) {
  if (!url.endsWith('.md')) return next(url, context);
  const text = readFileSync(fileURLToPath(url), 'utf8');
  return { format: 'module', shortCircuit: true, source: `export default ${JSON.stringify(text)};` };
}
