// VS Code in a browser, for tests in a real editor: code-server from npm's registry in node_modules/.cache, installed
// when it is missing. Nothing is compiled: of its native parts one comes ready-made, and the others are not needed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The last one that runs on Node 20; it holds VS Code 1.100. */
const VERSION = '4.100.3';

/** In place of native modules that guard, hash passwords or write logs fast: nothing of it happens in a test. */
const STAND_INS = {
  'node_modules/argon2/argon2.js': `
const refuse = async () => { throw new Error('No passwords here: start with --auth none.'); };
module.exports = { hash: refuse, verify: refuse, argon2id: 2 };
`,
  'node_modules/code-server/lib/vscode/node_modules/native-watchdog/index.js': `
exports.start = () => {};
exports.exit = (code) => process.exit(code || 0);
`,
  'node_modules/code-server/lib/vscode/node_modules/@vscode/spdlog/index.js': `
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');
const nothing = () => {};
class Logger {
  constructor(kind, name, path) {
    mkdirSync(dirname(path), { recursive: true });
    for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'critical'])
      this[level] = (line) => appendFileSync(path, level + ' ' + line + '\\n');
  }
  getLevel() { return 2; }
}
for (const name of ['setLevel', 'setPattern', 'clearFormatters', 'flush', 'drop']) Logger.prototype[name] = nothing;
const create = async (name, path) => new Logger('', name, path);
module.exports = {
  setLevel: nothing, setFlushOn: nothing, Logger,
  createRotatingLogger: create, createAsyncRotatingLogger: create,
};
`,
};

/**
 * @returns the script that Node runs to start the editor
 * @throws when it cannot be installed
 */
export function installCodeServer(root) {
  const recipe = createHash('sha256')
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .digest('hex');
  const folder = join(root, 'node_modules/.cache/code-server', `${VERSION}-${recipe.slice(0, 8)}`);
  if (!existsSync(folder)) install(root, folder);
  return join(folder, 'node_modules/code-server/out/node/entry.js');
}

function install(root, folder) {
  console.log(`Installing what the tests need: code-server ${VERSION}`);
  // Older versions and recipes are of no use any more, and each has 300 MB.
  rmSync(dirname(folder), { recursive: true, force: true });
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    writeFileSync(join(draft, 'package.json'), JSON.stringify({ private: true }));
    const vscode = join(draft, 'node_modules/code-server/lib/vscode');
    npmInstall(draft, [`code-server@${VERSION}`]);
    npmInstall(vscode, ['--omit=dev']);
    for (const [path, text] of Object.entries(STAND_INS)) writeFileSync(join(draft, path), text);
    placeNativeParts(root, vscode);
    // The editor's command in its terminals, which scripts of the package would link.
    if (process.platform === 'linux')
      symlinkSync('code-linux.sh', join(vscode, 'bin/remote-cli/code-server'));
    // Files are looked for in this archive, which only the desktop has.
    symlinkSync('node_modules', join(vscode, 'node_modules.asar'));
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Terminals and the search of files use what the program itself uses. */
function placeNativeParts(root, vscode) {
  const platform = `${process.platform}-${process.arch}`;
  const ours = join(root, 'node_modules');
  const theirs = join(vscode, 'node_modules');
  rmSync(join(theirs, 'node-pty'), { recursive: true });
  cpSync(join(ours, '@lydell/node-pty'), join(theirs, 'node-pty'), { recursive: true });
  cpSync(join(ours, `@lydell/node-pty-${platform}`), join(theirs, `@lydell/node-pty-${platform}`), {
    recursive: true,
  });
  cpSync(join(ours, `@vscode/ripgrep-${platform}/bin`), join(theirs, '@vscode/ripgrep/bin'), {
    recursive: true,
  });
}

function npmInstall(cwd, words) {
  const npm = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...words];
  const run = spawnSync('npm', npm, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (run.status !== 0) throw new Error(`code-server ${VERSION} could not be installed by npm.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(installCodeServer(join(dirname(fileURLToPath(import.meta.url)), '..')));
}
