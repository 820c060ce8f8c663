// The Node versions that the built program is tried with (integration-tests/every-node.test.ts). They are large, so they
// are installed by `npm test` when they are missing, from npm's registry, and are not dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const VERSIONS = JSON.parse(readFileSync(join(import.meta.dirname, 'node-versions.json'), 'utf8'));

/** @returns whether all are there */
export function installRuntimes(root) {
  const missing = VERSIONS.filter((version) => !existsSync(runtimePath(root, version)));
  if (missing.length > 0) console.log(`Installing what the tests need: Node ${missing.join(', ')}`);
  return missing.every((version) => installRuntime(version, runtimePath(root, version)));
}

function runtimePath(root, version) {
  return join(root, 'node_modules/.cache/node-runtimes', version, 'node');
}

function installRuntime(version, path) {
  const folder = `${dirname(path)}.${process.pid}`;
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  mkdirSync(folder, { recursive: true });
  try {
    const npm = ['install', '--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--prefix', folder];
    const run = spawnSync('npm', [...npm, `${name}@${version}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (run.status !== 0) return false;
    mkdirSync(dirname(path), { recursive: true });
    renameSync(join(folder, 'node_modules', name, 'bin/node'), path);
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
