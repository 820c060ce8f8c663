// Fails when a new version of a library no longer has the shape that the build changes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { libraryPatches, PATCHES, patched, yogaWasm } from './library-patches.mjs';

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

it('a schema that is shared is not changed by what is made of it', async () => {
  const { outputFiles } = await build({
    stdin: { contents: "export { z } from 'zod';", resolveDir: root },
    bundle: true,
    format: 'esm',
    write: false,
    plugins: [libraryPatches],
    logLevel: 'error',
  });
  const file = join(mkdtempSync(join(tmpdir(), 'gemini-zod-')), 'zod.mjs');
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  writeFileSync(file, outputFiles[0].text);
  const { z } = await import(pathToFileURL(file).href);
  const kinds = [
    z.string,
    z.number,
    z.boolean,
    z.unknown,
    () => z.array(z.string()),
    () => z.string().optional(),
  ];
  for (const make of kinds) {
    const shared = make();
    expect(make()).toBe(shared);
    const own = shared.describe('mine').refine(() => false, 'never');
    expect(own.safeParse(undefined).success).toBe(false);
    expect([make().description, make().safeParse(undefined).success]).toEqual([
      undefined,
      shared.isOptional(),
    ]);
    expect(make().nullable().safeParse(null).success).toBe(true);
  }
  expect(z.string().min(2).safeParse('a').success).toBe(false);
  expect(z.array(z.string()).nonempty().safeParse([]).success).toBe(false);
  expect([z.string().safeParse('a').success, z.array(z.string()).safeParse([]).success]).toEqual([
    true,
    true,
  ]);
  expect(z.string('own words').safeParse(1).error.issues[0].message).toBe('own words');
  expect(z.string().safeParse(1).error.issues[0].message).not.toBe('own words');
});
