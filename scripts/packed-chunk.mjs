// Turns a chunk of a pack from an ES module into a function that makes a CommonJS module.
//
// esbuild gives each CommonJS file helpers of its own and defines every export twice, which for 200 chunks is a seventh of
// the engine's code and is run at every start. Here the chunks share the helpers of the pack, and exports are
// getters of one object. Our own sources export nothing that changes later (`isOfConstants`), and
// chunks form no cycle: theirs are plain values, set at the end, since a thousand getters are a thousand functions to
// load, to make and to call. Packs hold ASCII only: with one other character V8 would keep two bytes for each of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';

/** The parameters of every chunk's function (see `engineSource` in pack-engine.mjs). */
export const PARAMETERS = 'exports,require,module,__filename,__toESM,__asNamespace';

/** What the chunks share: `__toESM` as esbuild writes it, and the object of a chunk's exports. */
export const HELPERS = [
  'function __asNamespace(exports){return Object.defineProperty(exports,"__esModule",{value:true})}',
  'function __toESM(mod){if(mod&&mod.__esModule)return mod;',
  'const target=mod==null?{}:Object.create(Object.getPrototypeOf(mod));',
  'Object.defineProperty(target,"default",{value:mod,enumerable:true});',
  'if(mod&&typeof mod==="object"||typeof mod==="function")for(const key of Object.getOwnPropertyNames(mod))',
  'if(!Object.hasOwn(target,key))Object.defineProperty(target,key,{get:()=>mod[key],',
  'enumerable:Object.getOwnPropertyDescriptor(mod,key).enumerable});',
  'return target}',
].join('');

/**
 * @param text the chunk as an ES module, with short names already
 * @param options those of the step to CommonJS
 * @param isOwn it holds our own sources only
 * @returns the source of a function expression
 */
export async function packedChunk(text, options, isOwn) {
  const { code } = await transform(text, { ...options, minify: false, minifySyntax: true, sourcemap: false });
  const fileUrl = code.includes('__fileUrl')
    ? 'const __fileUrl=require("node:url").pathToFileURL(__filename).href;'
    : '';
  const source = `module.exports=function(${PARAMETERS}){${fileUrl}${withSharedHelpers(code, isOwn)}\n}`;
  const { code: short } = await transform(source, {
    minify: true,
    target: options.target,
    supported: options.supported,
    legalComments: 'none',
  });
  return inAscii(short.replace(/^module\.exports=/, '').replace(/;\s*$/, ''));
}

/**
 * @param inputs the sources of a chunk, relative to `root`
 * @returns whether all are ours @throws when one of ours exports a name that changes
 */
export function isOfConstants(inputs, root) {
  const own = inputs.filter((path) => path.startsWith('packages/'));
  for (const path of own)
    if (exportsVariable(readFileSync(join(root, path), 'utf8')))
      throw new Error(`${path} exports a name that may change: export a constant or a function instead.`);
  return own.length === inputs.length;
}

function exportsVariable(source) {
  if (/^export (?:let|var)\b/m.test(source)) return true;
  const lists = [...source.matchAll(/^export \{([^}]*)\};?$/gm)];
  return lists.some(([, list]) =>
    list
      .split(',')
      .some((item) => new RegExp(`^(?:let|var) ${item.trim().split(' ')[0]}\\b`, 'm').test(source)),
  );
}

/** Where esbuild's helpers end: at the exports, or behind the last helper. */
const EXPORTS_BEGIN = 'var stdin_exports = {};\n';
const HELPERS_END = '\n  mod\n));\n';
const EXPORTS =
  /^(?:__export\(stdin_exports, \{\n([\s\S]*?)\n\}\);\n)?module\.exports = __toCommonJS\(stdin_exports\);\n/;
/** For Node's own loader of ES modules, which never sees a pack. */
const ANNOTATION = /\/\/ Annotate the CommonJS export names[^\n]*\n0 && \(module\.exports = \{[^}]*\}\);\s*$/;

function withSharedHelpers(code, isOwn) {
  if (!/^var __(?:create|defProp) = /.test(code)) return code;
  const body = code.replace(ANNOTATION, '');
  const begin = body.indexOf(EXPORTS_BEGIN);
  if (begin === -1) return body.slice(endOf(body, HELPERS_END));
  const rest = body.slice(begin + EXPORTS_BEGIN.length);
  const [found, list = ''] = EXPORTS.exec(rest) ?? [];
  if (found === undefined) throw changed();
  const names = list.split('\n').filter(Boolean).map(nameAndValue);
  // With a dot: of another chunk, which may hold a library.
  const isPlain = (value) => isOwn && !value.includes('.');
  const fields = names.map(([name, value]) =>
    isPlain(value) ? `${name}:${value}` : `get ${name}(){return ${value}}`,
  );
  const exported = `module.exports=__asNamespace({${fields.join(',')}});\n`;
  const own = rest.slice(found.length);
  return isOwn ? `${own}\n${exported}` : exported + own;
}

function nameAndValue(line) {
  const [, name, value] = /^ {2}(\S+): \(\) => (.+?),?$/.exec(line) ?? [];
  if (!name) throw changed();
  return [name, value];
}

function endOf(text, part) {
  const at = text.indexOf(part);
  if (at === -1) throw changed();
  return at + part.length;
}

function changed() {
  return new Error('esbuild writes CommonJS in another way than scripts/packed-chunk.mjs expects.');
}

/** Regular expressions are all that esbuild leaves as it is; an escape means the same in them. */
function inAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
