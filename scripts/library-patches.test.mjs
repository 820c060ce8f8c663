// Fails when a new version of a library no longer has the shape that the build changes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PATCHES, patched, yogaWasm } from './library-patches.mjs';

const root = join(import.meta.dirname, '..');
const read = (file) => readFileSync(join(root, 'node_modules', file), 'utf8');

it.each(PATCHES)('$file has the place that is patched, once', (patch) => {
  const text = read(patch.file);
  expect(patched(patch, text)).not.toBe(text);
  expect(text.split(patch.find)).toHaveLength(typeof patch.find === 'string' ? 2 : 3);
});

it('stops the build when a library has changed', () => {
  expect(() => patched(PATCHES[0], 'export default {};')).toThrow('ink/build/reconciler.js has changed');
});

it('the layout engine is a WebAssembly module, started as its index.js starts it', async () => {
  expect(WebAssembly.validate(yogaWasm(root))).toBe(true);
  const index = read('yoga-layout/dist/src/index.js');
  expect(index).toContain('const Yoga = wrapAssembly(await loadYoga());');
  expect(index.match(/^(import|export) .*from .*$/gm)).toHaveLength(3);
});

it('Ink asks is-in-ci for one value, and loads developer tools in one place', () => {
  expect(read('is-in-ci/index.js').match(/^export .*$/gm)).toEqual(['export default isInCi;']);
  expect(read('ink/build/reconciler.js').match(/await import/g)).toHaveLength(1);
});
