// `npm run pack [-- <folder>]`: builds, and makes the tarballs that users install (`npm install -g <tarball>`). With
// `--built` it packs the build that is there.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildAll, GRAMMAR, NATIVE } from './build.mjs';
import { DATABASE } from './build-a2a.mjs';
import { bundledLibraries, noticesText } from './notices.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** A package that carries the code of its dependencies names the few that it still needs, by the package that pins them. */
const PACKAGES = [
  { folder: 'core', readme: 'docs/core-library.md' },
  { folder: 'sdk', readme: 'docs/sdk.md' },
  // `import … from '@gemini-cli/cli'` leads to the SDK, where it is installed, too.
  { folder: 'cli', needs: { core: NATIVE }, optionalPeer: 'sdk' },
  { folder: 'a2a-server', needs: { core: NATIVE, 'a2a-server': DATABASE } },
];

/** The build writes them for tests and debuggers; pictures are of no use to the reader of the docs, the model. */
const NOT_SHIPPED = /(^|[/\\])(meta\.json|[^/\\]+\.map|docs[/\\]images)$/;

/** @returns the paths of the tarballs */
function packAll(destination) {
  mkdirSync(destination, { recursive: true });
  return PACKAGES.map((entry) => packOne(entry, destination));
}

function packOne({ folder, needs, optionalPeer, readme = 'README.md' }, destination) {
  const source = join(root, 'packages', folder);
  const stage = mkdtempSync(join(tmpdir(), 'pack-'));
  try {
    cpSync(join(source, 'dist'), join(stage, 'dist'), {
      recursive: true,
      filter: (path) => !NOT_SHIPPED.test(relative(source, path)),
    });
    dropMapLinks(join(stage, 'dist'));
    cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
    cpSync(join(root, readme), join(stage, 'README.md'));
    writeFileSync(join(stage, 'dist', 'THIRD-PARTY-NOTICES.txt'), noticesText(root, libraries(source)));
    writeFileSync(
      join(stage, 'package.json'),
      `${JSON.stringify({ ...manifest(source, needs), ...peers(optionalPeer) }, null, 2)}\n`,
    );
    const npm = ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', destination];
    const run = spawnSync('npm', npm, { cwd: stage, encoding: 'utf8' });
    if (run.status !== 0) throw new Error(`${folder} could not be packed:\n${run.stderr}`);
    return join(destination, JSON.parse(run.stdout)[0].filename);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** As in the repository, without what is only for work on the sources. */
function manifest(source, needs) {
  const { devDependencies, scripts, exports, dependencies, optionalDependencies, ...rest } = read(source);
  return {
    ...rest,
    ...published(exports),
    ...(needs ? needed(needs) : { dependencies, optionalDependencies }),
  };
}

function peers(folder) {
  if (!folder) return {};
  const { name, version } = read(join(root, 'packages', folder));
  return { peerDependencies: { [name]: version }, peerDependenciesMeta: { [name]: { optional: true } } };
}

function needed(needs) {
  const parts = Object.entries(needs).map(([from, names]) => {
    const { dependencies, optionalDependencies } = read(join(root, 'packages', from));
    return { dependencies: names.map((name) => [name, dependencies[name]]), optionalDependencies };
  });
  return {
    dependencies: Object.fromEntries(parts.flatMap(({ dependencies }) => dependencies)),
    optionalDependencies: Object.assign({}, ...parts.map((part) => part.optionalDependencies)),
  };
}

/** Those inside `dist`; the program has a list of what was bundled. */
function libraries(source) {
  const meta = join(source, 'dist', 'meta.json');
  const grammar = GRAMMAR.map((file) => join('node_modules', dirname(file)));
  const bundled = existsSync(meta) ? bundledLibraries(JSON.parse(readFileSync(meta, 'utf8'))) : [];
  return [...new Set([...bundled, ...grammar])];
}

/** Conditions that name a source file have no meaning outside the repository. */
function published(exports) {
  if (!exports) return {};
  const entries = Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === 'string') return [[path, target]];
    const { types, default: file } = target;
    // Some subpaths are only for the program, which is built from source.
    return file ? [[path, { types, default: file }]] : [];
  });
  return { exports: Object.fromEntries(entries) };
}

function dropMapLinks(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.c?js$/.test(name)) continue;
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    const without = text.replace(/\n?\/\/# sourceMappingURL=.*\n?$/, '\n');
    if (without !== text) writeFileSync(path, without);
  }
}

function read(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2);
  if (!words.includes('--built')) await buildAll();
  const [folder = root] = words.filter((word) => word !== '--built');
  for (const path of packAll(resolve(folder))) console.log(relative(process.cwd(), path));
}
