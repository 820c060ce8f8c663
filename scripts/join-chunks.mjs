// Joins the chunks that an entry of a built library always loads into one file: Node takes longer to find, read and link a
// hundred small ES modules than to run them. Files that are loaded later import from it.
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';

/**
 * @param outputs of esbuild's metafile, paths absolute
 * @param entry absolute
 * @param apart entries that are small on their own: what they load is not joined
 */
export async function joinChunks({ outputs, entry, apart, name, options }) {
  const kept = new Set(apart.flatMap((path) => [...closure(outputs, path)]));
  const joined = [...closure(outputs, entry)].filter((path) => !kept.has(path));
  const folder = join(dirname(entry), 'chunks');
  const target = join(folder, `${name}.js`);
  const names = new Map(joined.map((path, index) => [path, (exported) => `c${index}_${exported}`]));
  const withExports = joined.filter((path) => outputs[path].exports.length > 0);
  const contents = withExports.map((path) => {
    const list = outputs[path].exports.map((exported) => `${exported} as ${names.get(path)(exported)}`);
    return `export { ${list.join(', ')} } from ${JSON.stringify(path)};`;
  });
  const outside = new Set();
  const { outputFiles } = await build({
    ...options,
    stdin: { contents: contents.join('\n'), resolveDir: folder, loader: 'js' },
    bundle: true,
    format: 'cjs',
    define: { 'import.meta.url': '__fileUrl' },
    banner: { js: 'const __fileUrl=require("node:url").pathToFileURL(__filename).href;' },
    outfile: target.replace(/js$/, 'cjs'),
    plugins: [outsideStays(new Set(joined), folder, outside)],
    write: false,
  });
  const [{ path: file, text }] = outputFiles;
  const code = asAscii(withImportFunction(text));
  writeFileSync(file, code);
  const all = withExports.flatMap((path) => outputs[path].exports.map(names.get(path)));
  const imports = [...outside].map((path, index) => `import * as m${index} from "${path}";`);
  const modules = [...outside].map((path, index) => `"${path}": m${index}`);
  const buildId = createHash('sha256').update(code).digest('hex').slice(0, 12);
  writeFileSync(
    target,
    [
      'import { fileURLToPath } from "node:url";',
      `import { loadCompiled } from "${toSpecifier(folder, join(dirname(entry), 'load-compiled.js'))}";`,
      ...imports,
      `const file = fileURLToPath(new URL("./${name}.cjs", import.meta.url));`,
      'const load = (name) => import(name);',
      `const engine = loadCompiled(file, "${buildId}", { modules: { ${modules.join(', ')} }, load });`,
      `export const { ${all.join(', ')} } = engine;\n`,
    ].join('\n'),
  );
  writeFileSync(entry, exportsFrom(entry, target, outputs[entry].exports, names.get(entry)));
  for (const path of joined) if (path !== entry) rmSync(path);
  for (const path of Object.keys(outputs))
    if (!joined.includes(path))
      writeFileSync(path, importingFrom(target, readFileSync(path, 'utf8'), { path, names }));
}

function exportsFrom(path, target, exported, rename) {
  const list = exported.map((name) => `${rename(name)} as ${name}`);
  return `export { ${list.join(', ')} } from "${toSpecifier(dirname(path), target)}";\n`;
}

/** A file that is loaded later imports from the joined one what it imported from the chunks. */
function importingFrom(target, text, { path, names }) {
  const joinedName = toSpecifier(dirname(path), target);
  return text.replaceAll(/^import (?:\{([^}]*)\} from )?"(\.[^"]+)";$/gm, (whole, list, specifier) => {
    const rename = names.get(resolve(dirname(path), specifier));
    if (!rename) return whole;
    if (list === undefined) return `import "${joinedName}";`;
    const items = list
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);
    const renamed = items.map((item) => {
      const [name, local = name] = item.split(' as ');
      return `${rename(name)} as ${local}`;
    });
    return `import { ${renamed.join(', ')} } from "${joinedName}";`;
  });
}

/** Every import names its file, so that a text which only looks like one stays. */
function withImportFunction(text) {
  const code = text.replaceAll(/(?<![\w.$])import\((?="[^"]+"\))/g, '__import(');
  const [left] = /(?<![\w.$"'`\\])import\([^)]{0,40}/.exec(code) ?? [];
  if (left) throw new Error(`The joined file imports what the build does not know: ${left}`);
  return code;
}

/** Read as Latin-1, which is twice as fast: what is beyond ASCII stands in texts and expressions, where it can be escaped. */
function asAscii(text) {
  return text.replaceAll(
    /[^\0-\x7f]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What an entry loads before any of its code runs, itself included. */
function closure(outputs, entry) {
  const found = new Set([entry]);
  for (const path of found)
    for (const { path: next, kind, external } of outputs[path].imports)
      if (kind === 'import-statement' && !external) found.add(next);
  return found;
}

/** Everything else is imported from where it is, seen from the joined file. */
function outsideStays(joined, folder, outside) {
  return {
    name: 'outside-stays',
    setup({ onResolve }) {
      onResolve({ filter: /.*/ }, ({ path, resolveDir, kind }) => {
        if (!/^[./]/.test(path)) return { path, external: true };
        const target = resolve(resolveDir, path);
        if (joined.has(target)) return { path: target };
        const specifier = toSpecifier(folder, target);
        if (kind === 'import-statement') outside.add(specifier);
        return { path: specifier, external: true };
      });
    },
  };
}

function toSpecifier(from, to) {
  const path = relative(from, to).split(sep).join('/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** The outputs of a metafile with absolute paths. */
export function absoluteOutputs({ outputs }, folder) {
  const entries = Object.entries(outputs).map(([path, output]) => {
    const imports = output.imports.map((item) =>
      item.external ? item : { ...item, path: resolve(folder, item.path) },
    );
    return [resolve(folder, path), { ...output, imports }];
  });
  return Object.fromEntries(entries);
}
