// The few lines of libraries that the program cannot be built with, or should not pay for. What esbuild's own options
// can say stands in build.mjs (`alias`). A patch that does not find its place any more stops the build.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const YOGA_DATA = /data:application\/octet-stream;base64,([A-Za-z0-9+/=]{1000,})/;

/** A schema never changes after it was made, so one without parameters is enough for each `owner`. */
function oneSchema(call, owner) {
  const plain = call.replace(', params)', ')');
  const withParameters = plain === call ? '' : `params !== undefined ? ${call} : `;
  return {
    why: 'The protocols of MCP servers and editors have hundreds of equal schemas: a third of the time to load them.',
    file: 'zod/v4/classic/schemas.js',
    find: `return ${call}`,
    replace: `return ${withParameters}${owner} ??= ${plain}`,
  };
}

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
  {
    why: 'Ink makes this value anew at each `rerender`, so every Box and Text is rendered, measured and laid out again with each key.',
    file: 'ink/build/ink.js',
    find: '{ value: { isScreenReaderEnabled: this.isScreenReaderEnabled } }',
    replace: '(this.accessibility ??= { value: { isScreenReaderEnabled: this.isScreenReaderEnabled } })',
  },
  oneSchema('core._string(ZodString, params)', 'ZodString.shared'),
  oneSchema('core._number(ZodNumber, params)', 'ZodNumber.shared'),
  oneSchema('core._boolean(ZodBoolean, params)', 'ZodBoolean.shared'),
  oneSchema('core._unknown(ZodUnknown)', 'ZodUnknown.shared'),
  oneSchema('core._array(ZodArray, element, params)', 'element._zod.sharedArray'),
  oneSchema('new ZodOptional({', 'innerType._zod.sharedOptional'),
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
    for (const file of new Set(PATCHES.map((patch) => patch.file))) {
      const path = file.replaceAll('.', '\\.').replaceAll('/', '[\\\\/]');
      const patches = PATCHES.filter((patch) => patch.file === file);
      build.onLoad({ filter: new RegExp(`[\\\\/]node_modules[\\\\/]${path}$`) }, (source) => ({
        contents: patches.reduce((text, patch) => patched(patch, text), readFileSync(source.path, 'utf8')),
      }));
    }
  },
};
