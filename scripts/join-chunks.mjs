// Joins the chunks that an entry of a built library always loads, and those that nearly every program loads soon after,
// into one file: Node takes longer to find, read and link a hundred small ES modules than to run them. Files that are
// loaded later import from it.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';

/**
 * One script, whose compiled code can be kept, as that of the engine. The file that loads it has the names of the entry.
 * @param outputs of esbuild's metafile, paths absolute
 * @param entry absolute; removed
 * @param soon sources that are imported dynamically, but by nearly every program
 * @param copied entries that are small on their own: the script has a copy of what they load, which is constants
 * @param before the name of a script that was joined before
 * @param loader the source of `loadCompiled`
 * @returns the outputs that there are then
 */
export async function joinChunks({
  outputs,
  entry,
  soon = [],
  copied = [],
  before = '',
  name,
  loader,
  options,
}) {
  const starts = [entry, ...soon.map((source) => chunkOf(outputs, source))];
  const all = new Set(starts.flatMap((path) => [...closure(outputs, path)]));
  const folder = join(dirname(entry), 'chunks');
  const target = join(folder, `${name}.js`);
  const namesOfBefore = join(folder, `${before}-names.js`);
  const copies = copied.flatMap((path) => [...closure(outputs, path)]);
  const kept = new Set([...copies, ...(before ? closure(outputs, namesOfBefore) : [])]);
  const joined = [...all].filter((path) => !kept.has(path));
  const names = renaming(joined, 'c');
  const outside = new Set();
  const lists = exportsOf(outputs, joined, names);
  // One object, where esbuild would define a getter for each name, twice.
  const contents = [
    ...lists.map(({ path, pairs }) => `import { ${pairs.join(', ')} } from ${JSON.stringify(path)};`),
    `module.exports = { ${lists.flatMap(({ renamed }) => renamed).join(', ')} };`,
  ];
  const text = await bundled({ contents, joined: [...joined, ...copies], folder }, outside, {
    ...options,
    format: 'cjs',
    define: { 'import.meta.url': '__fileUrl' },
    banner: { js: 'const __fileUrl=require("node:url").pathToFileURL(__filename).href;' },
    outfile: target.replace(/js$/, 'cjs'),
  });
  const code = `(function(exports,require,module,__filename,__dirname,__import){${asAscii(withImportFunction(text))}\n})`;
  writeFileSync(target.replace(/js$/, 'cjs'), code);
  const imports = [...outside].map((path, index) =>
    // Its names are those of the object that the script gives.
    resolve(folder, path) === namesOfBefore
      ? `import { engine as m${index} } from "./${before}.js";`
      : `import * as m${index} from "${path}";`,
  );
  const modules = [...outside].map((path, index) => `"${path}": m${index}`);
  const buildId = createHash('sha256').update(code).digest('hex').slice(0, 12);
  /** The chunks that a dynamic import names. */
  const entries = joined.filter((path) => path !== entry && outputs[path].entryPoint !== undefined);
  const inside = entries.map((path) => {
    const fields = outputs[path].exports.map((own) => `${own}: engine.${names.get(path)(own)}`);
    return `  "${toSpecifier(folder, path)}": () => ({ ${fields.join(', ')} }),\n`;
  });
  // The names that only chunks need: most programs have sent their first request before the first of them is read.
  const chunkNames = join(folder, `${name}-names.js`);
  const own = replaceFiles({ outputs, joined, entries, names, target: chunkNames });
  writeFileSync(
    target,
    [
      await loaderText(loader, options),
      'const { fileURLToPath } = process.getBuiltinModule("node:url");',
      ...imports,
      `const file = fileURLToPath(new URL("./${name}.cjs", import.meta.url));`,
      'const load = async (name) => inside[name]?.() ?? import(name);',
      `export const engine = loadCompiled(file, "${buildId}", { modules: { ${modules.join(', ')} }, load });`,
      `const inside = {\n${inside.join('')}};`,
      `const { ${outputs[entry].exports.map(names.get(entry)).join(', ')} } = engine;`,
      `export { ${outputs[entry].exports.map((own) => `${names.get(entry)(own)} as ${own}`).join(', ')} };\n`,
    ].join('\n'),
  );
  writeFileSync(chunkNames, namesFrom(chunkNames, target, own));
  const links = { [chunkNames]: [target], [target]: [...outside].map((path) => resolve(folder, path)) };
  return afterJoin(outputs, { joined, entries, target: chunkNames, links });
}

/** The code that reads the joined file, for the file that imports it. Its names stay, so that they meet no others. */
async function loaderText(path, options) {
  const { outputFiles } = await build({
    ...options,
    minify: false,
    minifyWhitespace: true,
    entryPoints: [path],
    bundle: true,
    format: 'esm',
    write: false,
  });
  return withoutBuiltinImports(outputFiles[0].text.replace(/export\s*\{\s*loadCompiled\s*\};?\s*$/, ''));
}

/** Node finds and links a module of its own slower when an ES module imports it: it makes an ES module of it first. */
function withoutBuiltinImports(text) {
  const found = [];
  const rest = text.replaceAll(
    /(?<=^|;)import\s*\{([^}]*)\}\s*from\s*"(node:[\w/]+)";/gm,
    (_, list, name) => {
      found.push(`const {${list.replaceAll(/\s+as\s+/g, ': ')}} = process.getBuiltinModule("${name}");`);
      return '';
    },
  );
  return [...found, rest].join('\n');
}

function namesFrom(path, target, names) {
  return [
    `import { engine } from "${toSpecifier(dirname(path), target)}";`,
    `export const { ${names.join(', ')} } = engine;\n`,
  ].join('\n');
}

/**
 * Entries and all that they load as one ES module.
 * @param apart files that were joined before
 * @param direct who imports an entry dynamically imports the joined file: one file less to find and link
 * @returns the outputs that there are then
 */
export async function joinModule({ outputs, dist, entries, apart = [], direct = false, name, options }) {
  const kept = new Set(apart);
  const all = new Set(entries.flatMap((path) => [...closure(outputs, path)]));
  const joined = [...all].filter((path) => !kept.has(path));
  const folder = join(dist, 'chunks');
  const target = join(folder, `${name}.js`);
  const names = renaming(joined, 'p');
  const outside = new Set();
  const contents = exportsOf(outputs, joined, names).map(
    ({ path, pairs }) => `export { ${pairs.join(', ')} } from ${JSON.stringify(path)};`,
  );
  for (const path of direct ? entries : [])
    contents.push(`export { ${outputs[path].exports.join(', ')} } from ${JSON.stringify(path)};`);
  const text = await bundled({ contents, joined, folder }, outside, {
    ...options,
    format: 'esm',
    outfile: target,
  });
  replaceFiles({ outputs, joined, entries, names, target });
  if (direct) for (const path of entries) replaceEntry(path, target, [...Object.keys(outputs), ...apart]);
  writeFileSync(target, withoutBuiltinImports(text));
  const links = { [target]: [...outside].map((path) => resolve(folder, path)) };
  return afterJoin(outputs, { joined, entries, target, links });
}

/** @param links what the new files import */
function afterJoin(outputs, { joined, entries, target, links }) {
  const gone = new Set(joined.filter((path) => !entries.includes(path)));
  const link = (path) => ({ path, kind: 'import-statement' });
  const left = Object.entries(outputs)
    .filter(([path]) => !gone.has(path))
    .map(([path, output]) => {
      if (entries.includes(path)) return [path, { ...output, imports: [link(target)] }];
      const imports = output.imports.filter((item) => !gone.has(item.path));
      const isLinked = imports.length < output.imports.length;
      return [path, isLinked ? { ...output, imports: [...imports, link(target)] } : output];
    });
  const added = Object.entries(links).map(([path, to]) => [path, { imports: to.map(link), exports: [] }]);
  return Object.fromEntries([...left, ...added]);
}

function replaceEntry(entry, target, importers) {
  const files = new Set(
    importers.filter((path) => path.endsWith('.js') && path !== entry && existsSync(path)),
  );
  for (const path of files) {
    const to = (file) => `import("${toSpecifier(dirname(path), file)}")`;
    const text = readFileSync(path, 'utf8');
    const replaced = text.replaceAll(to(entry), to(target));
    if (replaced !== text) writeFileSync(path, replaced);
  }
  rmSync(entry);
}

/** The chunk that a dynamic import of a source leads to. */
export function chunkOf(outputs, source) {
  const found = Object.keys(outputs).find((path) => outputs[path].entryPoint === source);
  if (!found) throw new Error(`No dynamic import leads to ${source}: leave it out of the list.`);
  return found;
}

/** In the joined file each name carries the number of its chunk. */
function renaming(joined, prefix) {
  return new Map(joined.map((path, index) => [path, (exported) => `${prefix}${index}_${exported}`]));
}

function exportsOf(outputs, joined, names) {
  return joined.flatMap((path) => {
    const { exports } = outputs[path];
    const renamed = exports.map(names.get(path));
    const pairs = exports.map((exported, index) => `${exported} as ${renamed[index]}`);
    return exports.length > 0 ? [{ path, pairs, renamed }] : [];
  });
}

async function bundled({ contents, joined, folder }, outside, options) {
  const { outputFiles } = await build({
    ...options,
    stdin: { contents: contents.join('\n'), resolveDir: folder, loader: 'js' },
    bundle: true,
    plugins: [outsideStays(new Set(joined), folder, outside)],
    write: false,
  });
  return outputFiles[0].text;
}

/** Everything that imported a joined chunk imports from the target. @returns the names they need of it */
function replaceFiles({ outputs, joined, entries, names, target }) {
  const needed = new Set();
  for (const path of joined) {
    if (entries.includes(path)) {
      for (const own of outputs[path].exports) needed.add(names.get(path)(own));
      writeFileSync(path, exportsFrom(path, target, outputs[path].exports, names.get(path)));
    } else rmSync(path);
  }
  for (const path of Object.keys(outputs)) {
    if (joined.includes(path) || !path.endsWith('.js')) continue;
    const text = readFileSync(path, 'utf8');
    const replaced = importingFrom(target, text, { path, names, needed });
    if (replaced !== text) writeFileSync(path, replaced);
  }
  return [...needed];
}

function exportsFrom(path, target, exported, rename) {
  const list = exported.map((name) => `${rename(name)} as ${name}`);
  return `export { ${list.join(', ')} } from "${toSpecifier(dirname(path), target)}";\n`;
}

/** A file that is loaded later imports from the joined one what it imported from the chunks. */
function importingFrom(target, text, { path, names, needed }) {
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
      needed.add(rename(name));
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
        // A dynamic import stays one, and is answered with what is joined.
        if (joined.has(target) && kind !== 'dynamic-import') return { path: target };
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
