/** Finds out how this copy was installed, from its path, and with which command it can be updated. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Package {
  name: string;
  /** Never published: a package of this name in a public registry belongs to another owner. */
  isPrivate: boolean;
}

export interface Installation {
  package: Package;
  /** From a checkout of the sources. */
  isCheckout: boolean;
  /** The command that installs a version; undefined when there is none, or none is allowed. */
  updateCommand(version: string): readonly string[] | undefined;
}

/** @param script the file Node runs @returns undefined when it is not part of a package */
export function findInstallation(
  script: string | undefined,
  env: NodeJS.ProcessEnv,
): Installation | undefined {
  const path = realPath(script ?? '');
  const folder = path && packageFolder(path);
  const own = folder && readPackage(join(folder, 'package.json'));
  if (!path || !folder || !own) return undefined;
  const isCheckout = isBelowGit(folder);
  const mayUpdate = !isCheckout && !own.isPrivate && !env['SANDBOX'] && !isForOneRun(path);
  return {
    package: own,
    isCheckout,
    updateCommand: (version) => (mayUpdate ? commandFor(path, own.name, version) : undefined),
  };
}

/** npx, pnpx and bunx install a temporary copy. */
function isForOneRun(path: string): boolean {
  return /[/\\](_npx|\.?npx|dlx(-[^/\\]+)?|bunx-[^/\\]+)[/\\]/.test(path);
}

function commandFor(path: string, name: string, version: string): string[] | undefined {
  const is = (pattern: RegExp) => pattern.test(path);
  const formula = /[/\\]Cellar[/\\]([^/\\]+)[/\\]/.exec(path)?.[1];
  const wanted = `${name}@${version}`;
  if (formula) return ['brew', 'upgrade', formula];
  if (is(/[/\\]\.?volta[/\\]/i)) return ['volta', 'install', wanted];
  if (is(/[/\\]\.bun[/\\]/)) return ['bun', 'add', '-g', wanted];
  if (is(/[/\\]\.?pnpm[/\\]/)) return ['pnpm', 'add', '-g', wanted];
  if (is(/[/\\](\.yarn|yarn[/\\]global|\.config[/\\]yarn)[/\\]/i)) return ['yarn', 'global', 'add', wanted];
  // Below the prefix of npm, not in the folder of a project.
  if (is(/[/\\]lib[/\\]node_modules[/\\]/) || is(/[/\\]npm[/\\]node_modules[/\\]/))
    return ['npm', 'install', '-g', wanted];
  return undefined;
}

function packageFolder(path: string): string | undefined {
  for (let folder = dirname(path), depth = 0; depth < 4; folder = dirname(folder), depth++)
    if (existsSync(join(folder, 'package.json'))) return folder;
  return undefined;
}

function readPackage(file: string): Package | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value !== 'object' || value === null || !('name' in value)) return undefined;
    if (typeof value.name !== 'string' || !/^(@[\w.-]+\/)?[\w.-]+$/.test(value.name)) return undefined;
    return { name: value.name, isPrivate: 'private' in value && value.private === true };
  } catch {
    return undefined;
  }
}

function isBelowGit(start: string): boolean {
  for (let folder = start; ; folder = dirname(folder)) {
    // A package below node_modules was installed, even if the folder is inside a repository.
    if (/[/\\]node_modules[/\\]?/.test(folder)) return false;
    if (existsSync(join(folder, '.git'))) return true;
    if (dirname(folder) === folder) return false;
  }
}

function realPath(path: string): string | undefined {
  try {
    return path === '' ? undefined : realpathSync(path);
  } catch {
    return undefined;
  }
}
