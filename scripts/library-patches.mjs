// The few lines of libraries that the program cannot be built with, or should not pay for. What esbuild's own options
// can say stands in build.mjs (`alias`). A patch that does not find its place any more stops the build.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const YOGA_DATA = /data:application\/octet-stream;base64,([A-Za-z0-9+/=]{1000,})/;

/** `file` is a part of the path, `find` must be in it. */
export const PATCHES = [
  {
    why: "Ink waits at its top level for React's developer tools, which are not part of the program; CommonJS cannot.",
    file: 'ink/build/reconciler.js',
    find: "process.env['DEV'] === 'true'",
    replace: 'false',
  },
  {
    why: 'The WebAssembly becomes a file of its own (`yogaWasm`); scripts/stand-ins/yoga-layout.mjs reads it.',
    file: 'yoga-layout/dist/binaries/yoga-wasm-base64-esm.js',
    find: YOGA_DATA,
    replace: 'data:application/octet-stream;base64,',
  },
  {
    why: 'Characters are the same in every language; to find out which one is the user’s takes twice as long.',
    file: 'string-width/index.js',
    find: 'new Intl.Segmenter()',
    replace: "new Intl.Segmenter('en')",
  },
  {
    why: 'Ink copies each frame character by character once more, though whole lines are the same: a third of its drawing.',
    file: 'ink/build/output.js',
    find: 'for (let sx = myClipX; sx < myClipX + myClipW; sx++) {\n            const localX',
    replace:
      'if (absX === 0 && scrollLeft === 0 && myClipX === 0 && myClipW === row.length && sourceLine.length === row.length) { targetLines[sy] = sourceLine.clone(); continue; }\n        $&',
  },
];

export function patched({ file, find, replace }, text) {
  const result = text.replace(find, replace);
  if (result === text) throw new Error(`${file} has changed: scripts/library-patches.mjs must follow.`);
  return result;
}

export function yogaWasm(root) {
  const text = readFileSync(
    join(root, 'node_modules/yoga-layout/dist/binaries/yoga-wasm-base64-esm.js'),
    'utf8',
  );
  const data = YOGA_DATA.exec(text)?.[1];
  if (!data) throw new Error('yoga-layout carries its WebAssembly in another way than before.');
  return Buffer.from(data, 'base64');
}

export const libraryPatches = {
  name: 'library-patches',
  setup(build) {
    for (const patch of PATCHES) {
      const path = patch.file.replaceAll('.', '\\.').replaceAll('/', '[\\\\/]');
      build.onLoad({ filter: new RegExp(`[\\\\/]node_modules[\\\\/]${path}$`) }, (source) => ({
        contents: patched(patch, readFileSync(source.path, 'utf8')),
      }));
    }
  },
};
