/** Brings the engine up for any front end, or says with an exit code why it may not start. */
import {
  Config,
  FatalInputError,
  FatalSandboxError,
  FatalUntrustedWorkspaceError,
  isFolderExplicitlyUntrusted,
} from '@gemini-cli/core';
import { type EngineSources, toParameters } from './engine-parameters.js';
import type { FlagValues } from './flags.js';

export type EngineRequest = Omit<EngineSources, 'cwd'>;

export async function startEngine(request: EngineRequest): Promise<Config> {
  const { flags, env, warn } = request;
  const cwd = currentDirectory();
  requireTrust(cwd, flags, env);
  refuseSandbox(flags, env);
  if (flags['allowed-tools']) {
    warn('--allowed-tools is deprecated; the setting tools.allowed does the same.');
  }
  const config = new Config(toParameters({ ...request, cwd }));
  await config.initialize();
  return config;
}

function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new FatalInputError('The current directory does not exist any more.', error);
  }
}

function requireTrust(cwd: string, flags: FlagValues, env: NodeJS.ProcessEnv): void {
  const forSession = env['GEMINI_CLI_TRUST_WORKSPACE'];
  if (flags['skip-trust'] || forSession === 'true' || env['GEMINI_CLI_INTEGRATION_TEST'] === 'true') return;
  if (forSession !== 'false' && !isFolderExplicitlyUntrusted(cwd)) return;
  throw new FatalUntrustedWorkspaceError(
    `The folder ${cwd} is not trusted. To work here for this run, use --skip-trust or set ` +
      'GEMINI_CLI_TRUST_WORKSPACE=true.',
  );
}

/** A run that was asked to be sandboxed must not go on without one. */
function refuseSandbox(flags: FlagValues, env: NodeJS.ProcessEnv): void {
  if (env['SANDBOX']) return;
  const fromEnv = env['GEMINI_SANDBOX'];
  const wanted = fromEnv ? fromEnv !== 'false' && fromEnv !== '0' : flags.sandbox === true;
  if (!wanted) return;
  const origin = fromEnv ? 'GEMINI_SANDBOX' : '--sandbox';
  throw new FatalSandboxError(
    `The sandbox asked for by ${origin} is not available yet, and nothing is run without it. ` +
      `Remove ${origin}, or start the program inside a container of your own.`,
  );
}
