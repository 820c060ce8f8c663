/** Checks the programs that the agent's tools run. */
import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join as joinPath } from 'node:path';
import { setting } from '@gemini-cli/core';
import { type Check, type CheckResult, type Facts, join, ok, warning } from './check.js';

export const tools: Check = {
  id: 'tools',
  title: 'Tools',
  async run(facts) {
    return join(await Promise.all([git(facts), ripgrep(facts), shell(facts), pty(facts)]));
  },
};

async function git({ env }: Facts): Promise<CheckResult> {
  const path = findProgram('git', env);
  if (!path)
    return warning(['git was not found'], 'Install git: without it changes cannot be compared or restored.');
  return ok(`${await versionOf(path)} (${path})`);
}

async function ripgrep({ engine, cwd, env, settings }: Facts): Promise<CheckResult> {
  if (setting(settings.merged, 'tools.useRipgrep') === false) {
    return ok('ripgrep is disabled (tools.useRipgrep); the built-in search is used');
  }
  const path = engine.locateRipgrep([cwd], env);
  if (path) return ok(`${await versionOf(path)} (${path})`);
  return warning(['ripgrep was not found; the slower built-in search is used'], 'Install ripgrep (rg).');
}

async function shell({ env }: Facts): Promise<CheckResult> {
  if (process.platform === 'win32') return ok('commands run in PowerShell');
  const path = findProgram('bash', env);
  if (path) return ok(`${await versionOf(path)} (${path})`);
  return warning(['bash was not found'], 'Install bash: commands are written for it.');
}

async function pty({ engine, env }: Facts): Promise<CheckResult> {
  if (await engine.canOpenTerminal(env)) return ok('commands can run in a pseudo-terminal');
  return warning(
    ['no pseudo-terminal can be opened; commands run on pipes'],
    'Reinstall the program to get its native part, and check that /dev/pts is there.',
  );
}

/** Searches only absolute directories of PATH: a project must not choose what is started. */
function findProgram(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter((directory) => isAbsolute(directory))
    .map((directory) => joinPath(directory, file))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const LIMIT_MS = 3000;

/** The first line of `--version`. Runs in the root directory, so that no project configures the program. */
function versionOf(path: string): Promise<string> {
  const options = { timeout: LIMIT_MS, cwd: '/', env: { PATH: '/usr/bin:/bin' }, windowsHide: true };
  return new Promise((resolve) => {
    execFile(path, ['--version'], options, (error, stdout) => {
      const [line = ''] = stdout.split('\n');
      resolve(error || line === '' ? 'version unknown' : line.trim());
    });
  });
}
