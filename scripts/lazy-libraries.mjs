// Libraries of the screen whose first lines cost milliseconds (tables of expressions, of characters) and which the first
// frames do without. They become files of their own, and the first call reads them: `import()` would have to be waited for.
import { readFileSync } from 'node:fs';

const PREFIX = 'lazy-library';

/** What our sources use of each, as a stand-in. */
const STAND_INS = {
  marked: (load) => `export function Lexer(options) { return new (${load}.Lexer)(options); }`,
  'string-width': (load) => `export default (text, options) => ${load}.default(text, options);`,
};

/** To be built beside the program. */
export const LAZY_ENTRIES = Object.keys(STAND_INS).map((name) => ({ in: name, out: `chunks/${name}` }));

export const lazyLibraries = {
  name: PREFIX,
  setup(build) {
    const filter = new RegExp(`^(${Object.keys(STAND_INS).join('|')})$`);
    build.onResolve({ filter }, ({ path, importer, kind }) =>
      kind === 'import-statement' && importer.includes('packages/cli/src') ? { path, namespace: PREFIX } : undefined,
    );
    build.onLoad({ filter: /./, namespace: PREFIX }, ({ path }) => ({
      contents: STAND_INS[path](`require("./chunks/${path}.cjs")`),
    }));
    // Characters are the same in every language; to find out which one is the user's takes twice as long.
    build.onLoad({ filter: /string-width[\\/]index\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace('new Intl.Segmenter()', "new Intl.Segmenter('en')"),
    }));
    build.onResolve({ filter: /^\.\/chunks\//, namespace: PREFIX }, ({ path }) => ({ path, external: true }));
  },
};
