// An import of a TOML file yields its content as an object literal: parsed by the build, never at run time.
// For esbuild (`tomlPlugin`), for vitest (`tomlAsObject`), and for Node's own loader (`tomlModule`).
import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';

export const tomlPlugin = {
  name: 'toml-as-object',
  setup(build) {
    build.onLoad({ filter: /\.toml$/ }, ({ path }) => ({ contents: tomlModule(path), loader: 'js' }));
  },
};

export const tomlAsObject = {
  name: tomlPlugin.name,
  enforce: 'pre',
  load: (id) => (id.endsWith('.toml') ? tomlModule(id) : null),
};

/** The source of the module that stands for this file. */
export function tomlModule(path) {
  return `export default ${JSON.stringify(parse(readFileSync(path, 'utf8')))};`;
}
