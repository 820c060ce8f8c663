/** Runs the whole program under macOS Seatbelt, with a built-in profile or one from the project. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FatalSandboxError } from '../../../base/errors.js';
import { realPathOf } from '../../files/real-path.js';
import { runProcess } from '../../process/process-runner.js';
import { proxyVariables } from './container-env.js';
import { INCLUDE_DIRECTORIES, SEATBELT_PROFILES, seatbeltProfile } from './seatbelt-profiles.js';
import { definedVariables, type SandboxSession, type WholeProcessSources } from './whole-process.js';

export async function openSeatbelt(sources: WholeProcessSources): Promise<SandboxSession> {
  const { env } = sources;
  if (env['BUILD_SANDBOX']) {
    throw new FatalSandboxError(
      'BUILD_SANDBOX builds an image; Seatbelt (sandbox-exec) has none. Unset it, or use docker.',
    );
  }
  const cacheDirectory = await userCacheDirectory(sources);
  const args = seatbeltArguments(sources, cacheDirectory);
  const proxyCommand = env['GEMINI_SANDBOX_PROXY_COMMAND'];
  const proxy = proxyCommand ? startProxy(proxyCommand, sources) : undefined;
  return {
    command: 'sandbox-exec',
    args,
    env: {
      ...definedVariables(env),
      ...(proxy ? proxyVariables('localhost', env['NO_PROXY'] ?? env['no_proxy']) : {}),
      SANDBOX: 'sandbox-exec',
    },
    close: async () => {
      proxy?.kill('SIGTERM');
    },
  };
}

/** Passes built-in profiles as text, a profile of the project as a file. */
export function seatbeltArguments(sources: WholeProcessSources, cacheDirectory: string): string[] {
  const { cwd, home, temporaryDirectory, includeDirectories, self, args } = sources;
  const parameters: Record<string, string> = {
    TARGET_DIR: realPathOf(cwd),
    TMP_DIR: realPathOf(temporaryDirectory),
    HOME_DIR: realPathOf(home),
    CACHE_DIR: realPathOf(cacheDirectory),
  };
  for (let index = 0; index < INCLUDE_DIRECTORIES; index++) {
    const directory = includeDirectories[index];
    // Every parameter that the profile uses must be set.
    parameters[`INCLUDE_DIR_${index}`] = directory ? realPathOf(directory) : '/dev/null';
  }
  return [
    ...Object.entries(parameters).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
    ...profileArguments(sources),
    ...self,
    ...args,
  ];
}

function profileArguments({ env, cwd }: WholeProcessSources): string[] {
  const name = env['SEATBELT_PROFILE'] || 'permissive-open';
  const builtIn = SEATBELT_PROFILES.find((profile) => profile === name);
  if (builtIn) return ['-p', seatbeltProfile(builtIn)];
  if (!/^[\w.-]+$/.test(name))
    throw new FatalSandboxError(`SEATBELT_PROFILE: "${name}" is not the name of a profile.`);
  const file = join(cwd, '.gemini', `sandbox-macos-${name}.sb`);
  if (existsSync(file)) return ['-f', file];
  throw new FatalSandboxError(
    `SEATBELT_PROFILE: there is no profile ${name} (${file} is missing). Built in: ${SEATBELT_PROFILES.join(', ')}.`,
  );
}

async function userCacheDirectory({ home, env }: WholeProcessSources): Promise<string> {
  const { stdout, exitCode } = await runProcess('getconf', ['DARWIN_USER_CACHE_DIR'], { env });
  const directory = stdout.trim();
  return exitCode === 0 && directory.startsWith('/') ? directory : join(home, 'Library/Caches');
}

/** By convention it listens on port 8877. */
function startProxy(command: string, { cwd, env }: WholeProcessSources): ChildProcess {
  const child = spawn('sh', ['-c', command], { cwd, env: definedVariables(env), stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
  return child;
}
