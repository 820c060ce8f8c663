// Makes Ink fit for a CommonJS bundle. Its layout engine, Yoga, waits at the top level for WebAssembly that it carries as
// base64 text; CommonJS knows no such waiting. Here the WebAssembly becomes a file and is compiled when Ink is loaded.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DATA = /data:application\/octet-stream;base64,([A-Za-z0-9+/=]{1000,})/;

export function yogaWasm(root) {
  const text = readFileSync(
    join(root, 'node_modules/yoga-layout/dist/binaries/yoga-wasm-base64-esm.js'),
    'utf8',
  );
  const data = DATA.exec(text)?.[1];
  if (!data) throw new Error('yoga-layout carries its WebAssembly in another way than before.');
  return Buffer.from(data, 'base64');
}

const YOGA = `
import { readFileSync } from 'node:fs';
import loadYoga from '../binaries/yoga-wasm-base64-esm.js';
import wrapAssembly from './wrapAssembly.js';
const parts = {
  instantiateWasm(imports, done) {
    const file = readFileSync(new URL('../wasm/yoga.wasm', import.meta.url));
    const instance = new WebAssembly.Instance(new WebAssembly.Module(file), imports);
    done(instance);
    return instance.exports;
  },
};
loadYoga(parts);
export default wrapAssembly(parts);
export * from './generated/YGEnums.js';
`;

export const inkPlugin = {
  name: 'ink',
  setup(build) {
    build.onLoad({ filter: /yoga-layout[\\/]dist[\\/]src[\\/]index\.js$/ }, () => ({ contents: YOGA }));
    build.onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(DATA, 'data:application/octet-stream;base64,'),
    }));
    // React's developer tools are not part of the program.
    build.onLoad({ filter: /ink[\\/]build[\\/](reconciler|ink)\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll("process.env['DEV'] === 'true'", 'false'),
    }));
    // Whether the screen is used is decided by our own flags; Ink draws nothing when it believes to be in CI.
    build.onLoad({ filter: /is-in-ci[\\/]index\.js$/ }, () => ({ contents: 'export default false;' }));
  },
};
