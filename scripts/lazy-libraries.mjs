// Libraries whose first lines cost milliseconds (tables of expressions, of characters, a compiler) and which a start does
// without. They become files of their own, and the first call reads them: `import()` would have to be waited for.
import { join } from 'node:path';

const PREFIX = 'lazy-library';
const SOURCES = join(import.meta.dirname, '../packages/cli/src');

/** What our sources use of each, as a stand-in. */
const STAND_INS = {
  marked: (load) =>
    ['Lexer', 'Tokenizer']
      .map((name) => `export function ${name}(options) { return new (${load}.${name})(options); }`)
      .join('\n'),
  'string-width': (load) => `export default (text, options) => ${load}.default(text, options);`,
};

/** Several libraries in one file, read by the module of our sources that it replaces. */
const AJV = 'ajv-library';
const AJV_SOURCES = join(import.meta.dirname, '../packages/core/src/tools/foreign-schema');
const AJV_CONTENTS =
  'export { Ajv } from "ajv"; export { Ajv2020 } from "ajv/dist/2020.js"; export { default as addFormats } from "ajv-formats";';

/** To be built beside the program. */
export const LAZY_ENTRIES = [...Object.keys(STAND_INS), AJV].map((name) => ({
  in: name,
  out: `chunks/${name}`,
}));

export const lazyLibraries = {
  name: PREFIX,
  setup(build) {
    const filter = new RegExp(`^(${Object.keys(STAND_INS).join('|')})$`);
    build.onResolve({ filter }, ({ path, importer, kind }) => {
      // Of several versions, the one our sources see.
      if (kind === 'entry-point')
        return build.resolve(path, { kind: 'import-statement', resolveDir: SOURCES });
      // Ink and what it is made of get the same one: its measure of characters is ours (ui/ink-surface.ts).
      const isFromLibrary = path === 'string-width' && importer !== '';
      return importer.startsWith(SOURCES) || isFromLibrary ? { path, namespace: PREFIX } : undefined;
    });
    build.onLoad({ filter: /./, namespace: PREFIX }, ({ path }) => ({
      contents: STAND_INS[path](`require("./chunks/${path}.cjs")`),
    }));
    build.onResolve({ filter: /^ajv-library$/ }, ({ path }) => ({ path, namespace: AJV }));
    build.onLoad({ filter: /./, namespace: AJV }, () => ({
      contents: AJV_CONTENTS,
      resolveDir: AJV_SOURCES,
    }));
    build.onLoad({ filter: /foreign-schema[\\/]load-ajv\.ts$/ }, () => ({
      contents: `export const loadAjv = () => require("./chunks/${AJV}.cjs");`,
    }));
    build.onResolve({ filter: /^\.\/chunks\// }, ({ path }) => ({ path, external: true }));
  },
};
