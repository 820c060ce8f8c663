// The programs that tests start: those that are missing are installed on Debian as root, and named otherwise.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * @param needed the Debian package of each program, or of a path
 * @returns whether all are there now; the tests that need a missing one say so and fail
 */
export function installMissing(needed) {
  const missing = Object.entries(needed).filter(([program]) => !isThere(program));
  if (missing.length === 0) return true;
  const packages = missing.map(([, name]) => name);
  const apt = onPath('apt-get') && process.getuid?.() === 0;
  if (!apt) {
    console.error(`Tests need ${packages.join(', ')} and will fail without. Install them and run again.`);
    return false;
  }
  console.log(`Installing what the tests need: ${packages.join(', ')}`);
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  const install = spawnSync('apt-get', ['install', '-y', '-qq', ...packages], { stdio: 'inherit' });
  if (install.status === 0) return true;
  console.error(`apt-get could not install ${packages.join(', ')}; the tests that need them will fail.`);
  return false;
}

function isThere(program) {
  return program.startsWith('/') ? existsSync(program) : onPath(program);
}

function onPath(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;
}
