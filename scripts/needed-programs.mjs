// The programs that tests start: those that are missing are installed on Debian as root, and named otherwise.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** @param needed the Debian package of each program, or of a path */
export function installMissing(needed) {
  const missing = Object.entries(needed).filter(([program]) => !isThere(program));
  if (missing.length === 0) return;
  const packages = missing.map(([, name]) => name);
  const apt = onPath('apt-get') && process.getuid?.() === 0;
  if (!apt) {
    console.error(`The tests need ${packages.join(', ')}. Install them and run again.`);
    process.exit(1);
  }
  console.log(`Installing what the tests need: ${packages.join(', ')}`);
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  const install = spawnSync('apt-get', ['install', '-y', '-qq', ...packages], { stdio: 'inherit' });
  if (install.status !== 0) process.exit(1);
}

function isThere(program) {
  return program.startsWith('/') ? existsSync(program) : onPath(program);
}

function onPath(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;
}
