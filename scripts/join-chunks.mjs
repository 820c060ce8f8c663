// Joins the chunks that an entry of a built library always loads into one file: Node takes longer to find, read and link a
// hundred small ES modules than to run them. The chunks stay as names for it, for those that are loaded later.
import { writeFileSync } from 'node:fs';
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
  const contents = joined
    .filter((path) => outputs[path].exports.length > 0)
    .map((path) => {
      const list = outputs[path].exports.map((exported) => `${exported} as ${names.get(path)(exported)}`);
      return `export { ${list.join(', ')} } from ${JSON.stringify(path)};`;
    });
  await build({
    ...options,
    stdin: { contents: contents.join('\n'), resolveDir: folder, loader: 'js' },
    bundle: true,
    format: 'esm',
    outfile: target,
    plugins: [outsideStays(new Set(joined), folder)],
  });
  for (const path of joined) {
    const list = outputs[path].exports.map((exported) => `${names.get(path)(exported)} as ${exported}`);
    const from = toSpecifier(dirname(path), target);
    writeFileSync(
      path,
      list.length > 0 ? `export { ${list.join(', ')} } from "${from}";\n` : `import "${from}";\n`,
    );
  }
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
function outsideStays(joined, folder) {
  return {
    name: 'outside-stays',
    setup({ onResolve }) {
      onResolve({ filter: /.*/ }, ({ path, resolveDir }) => {
        if (!/^[./]/.test(path)) return { path, external: true };
        const target = resolve(resolveDir, path);
        return joined.has(target) ? { path: target } : { path: toSpecifier(folder, target), external: true };
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
