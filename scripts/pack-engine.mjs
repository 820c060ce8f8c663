// Packs the chunks that every answer needs into one file, `engine.cjs`: one read instead of thirty, and one
// script whose compiled form can be kept (packages/cli/src/boot/code-cache.ts).
import { createHash } from 'node:crypto';
import { basename, dirname, join, relative } from 'node:path';

/** Sources whose chunks, with all they import statically, are part of the engine. Heavy libraries never are. */
const ROOTS = [
  'packages/cli/src/boot/main.ts',
  'packages/cli/src/headless/run.ts',
  'packages/core/src/model/auth/index.ts',
  'packages/core/src/model/auth/api-key.ts',
  'packages/core/src/model/gemini/client.ts',
  'packages/core/src/model/gemini/endpoint.ts',
  'packages/core/src/model/gemini/errors.ts',
  // Commands are common, and their functions cost nothing before the first one.
  'packages/core/src/platform/start-shell.ts',
  'packages/core/src/policy/shell-judge.ts',
  'packages/core/src/policy/shell/read-only.ts',
  'packages/core/src/tools/shell/run-shell.ts',
];

/** The files to write: the engine, one-line stand-ins for the packed chunks, and all other chunks as they are. */
export function packEngine(chunks, metafile, dist, root) {
  const packed = staticClosure(metafile, root);
  const isPacked = (file) => packed.has(join(root, relative(root, file.path)).replace(/\.cjs$/, '.mjs'));
  const engineChunks = chunks.filter((file) => file.path.endsWith('.cjs') && isPacked(file));
  const engine = { path: join(dist, 'engine.cjs'), contents: engineSource(engineChunks) };
  const standIns = engineChunks
    .filter(({ path }) => basename(dirname(path)) === 'chunks')
    .map(({ path }) => ({
      path,
      contents: `module.exports=require("../engine.cjs").load("${basename(path)}");\n`,
    }));
  const others = chunks.filter(
    (file) => !engineChunks.includes(file) && !isPacked({ path: file.path.replace(/\.map$/, '') }),
  );
  const buildId = createHash('sha256').update(engine.contents).digest('hex').slice(0, 16);
  return { files: [engine, ...standIns, ...others], buildId };
}

function staticClosure(metafile, root) {
  const outputs = Object.entries(metafile.outputs);
  const queue = outputs.filter(([, output]) => ROOTS.includes(output.entryPoint)).map(([path]) => path);
  if (queue.length !== ROOTS.length)
    throw new Error(`Not every root of the engine was built: ${queue.join(', ')}`);
  const found = new Set();
  for (let path = queue.pop(); path; path = queue.pop()) {
    if (found.has(join(root, path))) continue;
    found.add(join(root, path));
    for (const item of metafile.outputs[path].imports) {
      if (item.kind === 'import-statement' && !item.external) queue.push(item.path);
    }
  }
  return found;
}

/** Chunks find each other by name; what is not here is a file in `chunks/`. */
function engineSource(chunks) {
  const definitions = chunks.map(
    ({ path, contents }) =>
      `${JSON.stringify(basename(path))}:function(exports,require,module,__filename){${withoutMap(contents)}\n}`,
  );
  return [
    `"use strict";const definitions={${definitions.join(',\n')}};`,
    'const loaded=Object.create(null);',
    'const find=(name)=>{const base=name.slice(name.lastIndexOf("/")+1);',
    'return name[0]==="."?(Object.hasOwn(definitions,base)?load(base):require("./chunks/"+base)):require(name)};',
    'function load(name){let module=loaded[name];if(!module){module=loaded[name]={exports:{}};',
    'definitions[name](module.exports,find,module,__dirname+"/chunks/"+name)}return module.exports}',
    'exports.load=load;',
  ].join('\n');
}

function withoutMap(code) {
  return code.replace(/\/\/# sourceMappingURL=.*\n?$/, '');
}
