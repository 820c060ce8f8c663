// Builds packages/sdk/dist: ES modules whose dependencies stay packages, and type declarations. Core must be built before:
// the declarations refer to its published ones.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { emitTypes } from './build-core.mjs';
import { absoluteOutputs, chunkOf, joinModule } from './join-chunks.mjs';

/** The subpaths of the package, and the source each is built from. */
const SUBPATHS = { index: 'index', acp: 'acp/index' };

/** What every session loads until its first request. */
const SESSION = 'src/agent/session-parts.ts';

/** Packages stay packages, but for zod, which is in one file and read with the first use of `z`. */
const zodLater = {
  name: 'zod-later',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined;
      return path === 'zod' ? { path, namespace: 'later' } : { path, external: true };
    });
    onLoad({ filter: /^zod$/, namespace: 'later' }, () => ({ contents: LATER, loader: 'js' }));
  },
};

/** `z.locales` is half of zod, and few programs use it: it is read with the first use. */
const localesLater = {
  name: 'locales-later',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, ({ path }) => {
      const names = [...readFileSync(path, 'utf8').matchAll(/default as (\w+)/g)].map(([, name]) => name);
      const contents = [
        `const load = () => require('zod/locales');`,
        ...names.map((name) => `export const ${name} = (...options) => load().${name}(...options);`),
      ];
      return { contents: contents.join('\n'), loader: 'js' };
    });
    onResolve({ filter: /^zod\/locales$/ }, ({ path }) => ({ path, external: true }));
  },
};

/**
 * The object `z` of the package; most of what it costs to import the SDK would be zod. `#zod` is in the package's
 * manifest, because the joined files lie in another folder than the entries.
 */
const LATER = `let zod;
const load = () => (zod ??= process.getBuiltinModule('node:module').createRequire(import.meta.url)('#zod').z);
export const z = new Proxy({}, {
  get: (_, name) => load()[name],
  has: (_, name) => name in load(),
  ownKeys: () => Reflect.ownKeys(load()),
  getOwnPropertyDescriptor: (_, name) => {
    const own = Reflect.getOwnPropertyDescriptor(load(), name);
    return own && { ...own, configurable: true };
  },
});
`;

/** @param options of esbuild that the program is built with, too */
export async function buildSdk(root, { target, logLevel }) {
  const sdk = join(root, 'packages/sdk');
  const dist = join(sdk, 'dist');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const [{ metafile }] = await Promise.all([
    build({
      absWorkingDir: sdk,
      entryPoints: Object.entries(SUBPATHS).map(([out, name]) => ({ out, in: `src/${name}.ts` })),
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      plugins: [zodLater],
      chunkNames: 'chunks/[name]-[hash]',
      outdir: dist,
      metafile: true,
      target,
      logLevel,
    }),
    build({
      absWorkingDir: root,
      stdin: { contents: "export { z } from 'zod';", resolveDir: sdk },
      bundle: true,
      format: 'cjs',
      platform: 'node',
      minify: true,
      legalComments: 'none',
      outfile: join(dist, 'zod.cjs'),
      plugins: [localesLater],
      metafile: true,
      target,
      logLevel,
    }).then((bundled) => {
      // For the list of what is bundled (scripts/notices.mjs).
      writeFileSync(join(dist, 'meta.json'), JSON.stringify(bundled.metafile));
    }),
    emitTypes(root, sdk, Object.values(SUBPATHS)),
  ]);
  await joinSession(absoluteOutputs(metafile, sdk), dist, { platform: 'node', target, logLevel });
  await useSmallerEngine(root, dist);
  cpSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));
}

/** The root and the start of a session are one file each: Node takes longer to find and link small modules than to run them. */
async function joinSession(outputs, dist, options) {
  const common = { dist, options };
  const joined = await joinModule({ ...common, outputs, entries: [join(dist, 'index.js')], name: 'sdk' });
  const entry = chunkOf(joined, SESSION);
  const apart = [join(dist, 'chunks/sdk.js')];
  await joinModule({ ...common, outputs: joined, entries: [entry], apart, direct: true, name: 'session' });
}

const LIBRARY = '@gemini-cli/core';

/** Imports the engine without the rest of the library (packages/core/src/for-sdk.ts) where that has all names. */
async function useSmallerEngine(root, dist) {
  const outputs = await build({
    absWorkingDir: root,
    entryPoints: [join(root, 'packages/core/dist/chunks/engine.js')],
    format: 'esm',
    metafile: true,
    write: false,
    outdir: dist,
  });
  const [{ exports }] = Object.values(outputs.metafile.outputs);
  const known = new Set(exports);
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js')) continue;
    const path = join(dist, name);
    const text = readFileSync(path, 'utf8');
    const replaced = text.replaceAll(
      /(\{([^{}]*)\} (?:from|= await import\() ?)"@gemini-cli\/core"/g,
      (whole, before, list) => {
        const names = list.split(',').map((item) => item.trim().split(/ as |:/)[0]);
        return names.every((one) => one === '' || known.has(one)) ? `${before}"${LIBRARY}/for-sdk"` : whole;
      },
    );
    if (replaced !== text) writeFileSync(path, replaced);
  }
}
