/** Administrator policies are trusted only if root alone could have written them. */
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Variables } from '../../platform/environment.js';
import { runProcess } from '../../platform/process/process-runner.js';

/** Why the directory cannot be trusted; undefined when it can, or does not exist. */
export async function adminDirectoryProblem(
  directory: string,
  variables: Variables,
): Promise<string | undefined> {
  const stats = lstatSync(directory, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (process.platform === 'win32') return windowsProblem(directory, variables);
  if (!stats.isDirectory()) return 'it is not a directory';
  return ownershipProblem(directory, stats);
}

/** Checks the files and the parent directory too: a user who can replace one of them replaces the policy. */
function ownershipProblem(directory: string, stats: Stats): string | undefined {
  const own = weakness(stats);
  if (own) return own;
  const parent = lstatSync(dirname(directory), { throwIfNoEntry: false });
  const above = parent && weakness(parent);
  if (above && !isSticky(parent)) return `${dirname(directory)}: ${above}`;
  for (const name of readdirSync(directory).filter((item) => item.endsWith('.toml'))) {
    const problem = weakness(lstatSync(join(directory, name)));
    if (problem) return `${name}: ${problem}`;
  }
  return undefined;
}

function weakness(stats: Stats): string | undefined {
  if (stats.uid !== 0) return 'it is not owned by root';
  if (!stats.isSymbolicLink() && (stats.mode & 0o022) !== 0) return 'its group or others may write to it';
  return undefined;
}

function isSticky(stats: Stats): boolean {
  return (stats.mode & 0o1000) !== 0;
}

async function windowsProblem(directory: string, env: Variables): Promise<string | undefined> {
  const { stdout, exitCode } = await runProcess('icacls', [directory], { env, timeoutMs: 5_000 });
  if (exitCode !== 0) return 'its permissions cannot be read';
  const open = /(?:Everyone|BUILTIN\\Users|\\Users):[^\r\n]*\((?:[^()]*,)?(?:F|M|W)(?:,[^()]*)?\)/i.test(
    stdout,
  );
  return open ? 'Users or Everyone may write to it' : undefined;
}
