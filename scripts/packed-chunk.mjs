// Turns a chunk of a pack from an ES module into a function that makes a CommonJS module.
//
// esbuild gives each CommonJS file helpers of its own and defines every export twice, which for 200 chunks is a seventh of
// the engine's code and is run at every start. Here the chunks share the helpers of the pack, and exports are
// getters of one object. Packs hold ASCII only: with one other character V8 would keep two bytes for each of them.
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
 * @returns the source of a function expression
 */
export async function packedChunk(text, options) {
  const { code } = await transform(text, { ...options, minify: false, minifySyntax: true, sourcemap: false });
  const fileUrl = code.includes('__fileUrl')
    ? 'const __fileUrl=require("node:url").pathToFileURL(__filename).href;'
    : '';
  const source = `module.exports=function(${PARAMETERS}){${fileUrl}${withSharedHelpers(code)}\n}`;
  const { code: short } = await transform(source, {
    minify: true,
    target: options.target,
    supported: options.supported,
    legalComments: 'none',
  });
  return inAscii(short.replace(/^module\.exports=/, '').replace(/;\s*$/, ''));
}

/** Where esbuild's helpers end: at the exports, or behind the last helper. */
const EXPORTS_BEGIN = 'var stdin_exports = {};\n';
const HELPERS_END = '\n  mod\n));\n';
const EXPORTS =
  /^(?:__export\(stdin_exports, \{\n([\s\S]*?)\n\}\);\n)?module\.exports = __toCommonJS\(stdin_exports\);\n/;
/** For Node's own loader of ES modules, which never sees a pack. */
const ANNOTATION = /\/\/ Annotate the CommonJS export names[^\n]*\n0 && \(module\.exports = \{[^}]*\}\);\s*$/;

function withSharedHelpers(code) {
  if (!/^var __(?:create|defProp) = /.test(code)) return code;
  const body = code.replace(ANNOTATION, '');
  const begin = body.indexOf(EXPORTS_BEGIN);
  if (begin === -1) return body.slice(endOf(body, HELPERS_END));
  const rest = body.slice(begin + EXPORTS_BEGIN.length);
  if (!EXPORTS.test(rest)) throw changed();
  return rest.replace(
    EXPORTS,
    (_, list = '') =>
      `module.exports=__asNamespace({${list.split('\n').filter(Boolean).map(asGetter).join(',')}});\n`,
  );
}

function asGetter(line) {
  const [, name, value] = /^ {2}(\S+): \(\) => (.+?),?$/.exec(line) ?? [];
  if (!name) throw changed();
  return `get ${name}(){return ${value}}`;
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
