// Packs chunks that are needed together into one file each: one read instead of thirty, and one script whose
// compiled form can be kept (packages/cli/src/boot/code-cache.ts). All packs share the table of the engine.
import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { HELPERS } from './packed-chunk.mjs';

/** For every answer: the chunks of these sources and their static imports, never heavy libraries. */
const ENGINE = [
  'packages/cli/src/boot/main.ts',
  'packages/cli/src/headless/run.ts',
  'packages/core/src/model/auth/index.ts',
  'packages/core/src/model/auth/api-key.ts',
  'packages/core/src/model/gemini/client.ts',
  'packages/core/src/model/gemini/endpoint.ts',
  'packages/core/src/model/gemini/errors.ts',
  'packages/core/src/sessions/all.ts',
];

/** For shell commands and MCP servers alike: to start a process, and to clean what it prints. */
const PROCESSES = [
  'packages/core/src/platform/process/process-runner.ts',
  'packages/core/src/platform/process/tail-buffer.ts',
  'packages/core/src/base/ansi.ts',
  'packages/core/src/base/shell-words.ts',
];

/** For the first shell command: a quarter of the code that a plain answer would have to read. */
const SHELL = [
  'packages/core/src/platform/shell/start-shell.ts',
  'packages/core/src/policy/shell-judge.ts',
  'packages/core/src/policy/shell/read-only.ts',
  'packages/core/src/tools/shell/run-shell.ts',
];

/** For the terminal interface until it has shown an answer. Libraries by the names of their chunks. */
const SCREEN = ['packages/cli/src/ui/run.ts', 'packages/core/src/sessions/all.ts', 'marked', 'string-width'];

/** For the first command that may change files. */
const COMMANDS = [
  'packages/core/src/tools/shell/run-contained.ts',
  'packages/core/src/platform/snapshots/service.ts',
  'node_modules/web-tree-sitter/web-tree-sitter.cjs',
];

/** Questions and dialogs: React, Ink, and all that is drawn with them. */
const DIALOGS = [
  'packages/cli/src/ui/Live.tsx',
  'packages/cli/src/ui/warm-up.ts',
  'packages/cli/src/ui/dialogs/model/ModelDialog.tsx',
  'packages/cli/src/ui/dialogs/settings/SettingsDialog.tsx',
  'packages/cli/src/ui/dialogs/theme/ThemeDialog.tsx',
];

/** To start the first MCP server. */
const SERVERS = [
  'packages/core/src/mcp/create.ts',
  'packages/core/src/mcp/instructions.ts',
  'packages/core/src/mcp/offers/server-resources.ts',
  'packages/core/src/engine/mcp-parts.ts',
  'packages/core/src/engine/prepare-mcp.ts',
];

/** To talk to it. The library is large, so it is read while the server starts. */
const PROTOCOL = ['node_modules/@modelcontextprotocol/client/dist/index.mjs'];

/** Editors (ACP). The library of schemas, larger than their protocol, they share with that of MCP servers. */
const ACP = ['packages/cli/src/acp/run.ts'];

/** What installed extensions bring, and files of the same kinds without extensions: hooks, policies, agents. */
const EXTENSIONS = [
  'packages/core/src/extensions/load/extension-parts.ts',
  'packages/core/src/policy/files/sources.ts',
  'packages/core/src/policy/files/unreadable-files.ts',
  'packages/core/src/hooks/create.ts',
  'packages/core/src/agents/registry/agent-files.ts',
  'packages/core/src/agents/registry/acknowledgments.ts',
];

/** For a session whose editor is connected; the library of the protocol is with the servers. */
const IDE = ['packages/core/src/engine/ide-session.ts', 'packages/core/src/agent/scheduler/editor-diff.ts'];

/** A chunk belongs to the first pack that wants it. */
const PACKS = {
  engine: ENGINE,
  processes: PROCESSES,
  extensions: EXTENSIONS,
  shell: SHELL,
  commands: COMMANDS,
  screen: SCREEN,
  dialogs: DIALOGS,
  servers: SERVERS,
  protocol: PROTOCOL,
  acp: ACP,
  ide: IDE,
  // What the extensions share with a later pack: a few small chunks (`assignPacks`).
  shared: [],
};

/**
 * The files to write: the packs, one-line stand-ins for the packed chunks, and all other chunks as they are.
 * @param packOf the pack of each packed chunk (`assignPacks`), by the path of the ES module
 * @param packed functions that make the packed chunks
 * @param others finished files
 */
export function packEngine({ packOf, packed, others, dist }) {
  const packs = Object.keys(PACKS).map((pack) => {
    const own = packed.filter(({ path }) => packOf.get(path.replace(/\.cjs$/, '.mjs')) === pack);
    return { pack, own, path: join(dist, `${pack}.cjs`), contents: packSource(pack, own) };
  });
  const standIns = packs.flatMap(({ pack, own }) =>
    own
      .filter(({ path }) => basename(dirname(path)) === 'chunks')
      .map(({ path }) => ({
        path,
        contents: `module.exports=require("../engine.cjs").open("${pack}").load("${basename(path)}");\n`,
      })),
  );
  const hash = createHash('sha256');
  for (const { contents } of packs) hash.update(contents);
  const buildId = hash.digest('hex').slice(0, 16);
  return { files: [...packs, ...standIns, ...others.map(withShortWay)], buildId };
}

/**
 * A chunk outside the packs asks the engine for its neighbours. Node would look for the stand-in of each of them on the
 * disk, read and compile it: a hundred files for a subcommand, a quarter of its time.
 */
function withShortWay(file) {
  const { path, contents } = file;
  if (!path.endsWith('.cjs') || !/require\("\.\.?\/[^"]*chunk-/.test(contents)) return file;
  const engine = basename(dirname(path)) === 'chunks' ? '../engine.cjs' : './engine.cjs';
  const way = `require=require("${engine}").requireFor(require);`;
  return { path, contents: contents.replace(/^(?:"use strict";)?/, (directive) => directive + way) };
}

/** Which chunks are in which pack. */
export function assignPacks(metafile, root) {
  const packOf = new Map();
  for (const [pack, roots] of Object.entries(PACKS)) {
    for (const path of staticClosure(metafile, roots)) {
      const earlier = packOf.get(join(root, path));
      if (!earlier) packOf.set(join(root, path), pack);
      // A few small chunks: without this, a shell command would open the pack of extensions for them.
      else if (earlier === 'extensions') packOf.set(join(root, path), 'shared');
    }
  }
  return packOf;
}

function staticClosure(metafile, roots) {
  const outputs = Object.entries(metafile.outputs);
  const queue = roots.map((root) => {
    const isEntry = ([path, { entryPoint }]) => root === entryPoint || root === basename(path, '.mjs');
    const found = outputs.find(isEntry) ?? outputs.find(([, { inputs }]) => root in inputs);
    if (!found) throw new Error(`A root of a pack was not built: ${root}`);
    return found[0];
  });
  const found = new Set();
  for (let path = queue.pop(); path; path = queue.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    for (const item of metafile.outputs[path].imports) {
      if (item.kind === 'import-statement' && !item.external) queue.push(item.path);
    }
  }
  return found;
}

function packSource(pack, chunks) {
  const definitions = chunks.map(({ path, contents }) => `${JSON.stringify(basename(path))}:${contents}`);
  const table = `{${definitions.join(',\n')}}`;
  const code =
    pack === 'engine' ? engineSource(table) : `"use strict";require("./engine.cjs").add(${table});`;
  // The function that Node would wrap it in: adding it at run time would make another copy of a long text.
  return `(function(exports,require,module,__filename,__dirname){${code}\n})`;
}

/**
 * Chunks find each other by name; what is not in a pack that was opened is a file in `chunks/`. Modules of Node are kept:
 * a chunk for each source names them again, and Node looks for them each time.
 */
function engineSource(table) {
  return [
    `"use strict";${HELPERS}const definitions=${table};`,
    'const loaded=Object.create(null),others=Object.create(null),opened=new Set(["engine"]);',
    'const find=(name,own)=>{if(name[0]!==".")return others[name]??=(own??require)(name);',
    'const base=name.slice(name.lastIndexOf("/")+1);',
    'return Object.hasOwn(definitions,base)?load(base):own?own(name):require("./chunks/"+base)};',
    'function load(name){let module=loaded[name];if(!module){module=loaded[name]={exports:{}};',
    'definitions[name](module.exports,find,module,__dirname+"/chunks/"+name,__toESM,__asNamespace)}return module.exports}',
    'exports.load=load;',
    'exports.requireFor=(own)=>Object.assign((name)=>find(name,own),own);',
    'exports.add=(more)=>Object.assign(definitions,more);',
    // `exports.read` comes from who loads the engine (packages/cli/src/boot/code-cache.ts).
    'exports.open=(pack)=>{if(!opened.has(pack)){opened.add(pack);exports.read(pack)}return exports};',
  ].join('\n');
}
