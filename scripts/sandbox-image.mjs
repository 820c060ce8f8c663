// The image for the sandbox around the whole program (docs/sandbox.md): its name, and the program that builds and runs it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** `config.sandboxImageUri` of the root package.json; the build puts it into the program. */
export const image = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).config.sandboxImageUri;

export const ENGINES = ['docker', 'podman'];

/**
 * The first program that answers.
 * @returns {{ program: string } | { problems: string[] }}
 */
export function findEngine(candidates = ENGINES) {
  const problems = [];
  for (const program of candidates) {
    const problem = problemOf(program);
    if (!problem) return { program };
    problems.push(problem);
  }
  return { problems };
}

/** `ps` asks the daemon; with `version` docker would answer alone. */
function problemOf(program) {
  const { error, status, stderr } = spawnSync(program, ['ps', '--quiet'], { encoding: 'utf8' });
  if (error) return `${program} is not installed.`;
  if (status === 0) return undefined;
  const said = (stderr.trim().split('\n').at(-1) ?? '').replace(/[.?]$/, '');
  return `${program} does not answer: ${said}. Start it (for example: systemctl start ${program}).`;
}

/** @returns the exit code */
export function buildImage(program) {
  console.log(`Building ${image} with ${program}`);
  const args = ['build', '--file', join(root, 'Dockerfile'), '--tag', image, root];
  return spawnSync(program, args, { stdio: 'inherit' }).status ?? 1;
}
