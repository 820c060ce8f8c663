/** Tells a file that a command includes (`@src/a.ts`) from e-mail addresses, packages, decorators and people. */

export type FileReference =
  | { kind: 'file'; path: string /** With the `@`. */; length: number }
  /** `@$1`: the path is an argument. */
  | { kind: 'argument' };

const EXTENSIONS = new Set(
  (
    'md mdx txt rst adoc json jsonc json5 yaml yml toml ini cfg conf env lock xml html htm css scss less svg csv tsv ' +
    'ts tsx mts cts js jsx mjs cjs py pyi rb go rs java kt kts c h cc cpp hpp cs php swift scala lua ex exs erl dart ' +
    'sh bash zsh fish ps1 bat sql graphql proto tf vue svelte astro ipynb gradle log pdf png jpg jpeg gif webp'
  ).split(' '),
);
/** A folder of these names is not a package scope. */
const FOLDERS =
  /^(?:src|lib|app|apps|docs?|tests?|packages|scripts|config|examples?|specs?|plans?|tasks?|templates?|\.[\w.-]+)\//;
const TRAILING = /[.,;:!?'")\]}>*_]+$/;

/** @param word from the `@` to the next space */
export function filePathAt(word: string): FileReference | undefined {
  if (/^@\$(?:[1-9]\b|ARGUMENTS\b|\{ARGUMENTS\})/.test(word)) return { kind: 'argument' };
  // A variable of the result ends with a brace, which is not punctuation.
  const path = word
    .slice(1)
    .replace(/\}$/, (brace) => (/\$\{[^}]*\}$/.test(word) ? brace : ''))
    .replace(TRAILING, '');
  if (path === '' || /[@`(<{|]/.test(path.replace(/\$\{\w+\}/g, ''))) return undefined;
  const length = path.length + 1;
  // What follows a name directly belongs to code: `@app.get("/")`.
  if (/^[(=]/.test(word.slice(length))) return undefined;
  const extension = /\.(\w+)$/.exec(path.split('/').at(-1) ?? '')?.[1]?.toLowerCase();
  const isFile = path.includes('/')
    ? isPath(path, extension)
    : extension !== undefined && EXTENSIONS.has(extension);
  return isFile ? { kind: 'file', path, length } : undefined;
}

/** `@types/node` is a package; `@src/a.ts`, `@./x` and `@docs/plans/` are paths. */
function isPath(path: string, extension: string | undefined): boolean {
  if (/^(?:\.{0,2}|~|\$\{\w+\})\//.test(path) || path.endsWith('/') || FOLDERS.test(path)) return true;
  return extension !== undefined || path.split('/').length > 2;
}
