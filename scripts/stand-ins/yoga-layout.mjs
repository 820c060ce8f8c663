// In place of yoga-layout's index.js, which waits at its top level for WebAssembly; CommonJS knows no such waiting. Here
// it is compiled when Ink is loaded, from a file beside the program.
import { readFileSync } from 'node:fs';
import loadYoga from '../../node_modules/yoga-layout/dist/binaries/yoga-wasm-base64-esm.js';
import wrapAssembly from '../../node_modules/yoga-layout/dist/src/wrapAssembly.js';

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
export * from '../../node_modules/yoga-layout/dist/src/generated/YGEnums.js';
