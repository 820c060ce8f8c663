/** Brings the engine up for any front end, or says with an exit code why it may not start. */
import {
  Config,
  FatalConfigError,
  FatalInputError,
  FatalSandboxError,
  FatalUntrustedWorkspaceError,
  isFolderExplicitlyUntrusted,
} from '@gemini-cli/core';
import { type EngineSources, toParameters } from './engine-parameters.js';
import type { FlagValues } from './flags.js';

export type EngineRequest = Omit<EngineSources, 'cwd'>;

export async function startEngine(request: EngineRequest): Promise<Config> {
  const { flags, env, settings, warn } = request;
  const cwd = currentDirectory();
  requireTrust(cwd, flags, env);
  refuseSandbox(flags, env, settings.tools?.sandbox);
  refuseYolo(flags, settings.security?.disableYoloMode);
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
function refuseSandbox(flags: FlagValues, env: NodeJS.ProcessEnv, setting: unknown): void {
  if (env['SANDBOX']) return;
  const origin = sandboxOrigin(flags, env, setting);
  if (!origin) return;
  throw new FatalSandboxError(
    `The sandbox asked for by ${origin} is not available yet, and nothing is run without it. ` +
      `Remove ${origin}, or start the program inside a container of your own.`,
  );
}

/** Who asks for a sandbox; the environment beats the flag, the flag beats the settings. */
function sandboxOrigin(flags: FlagValues, env: NodeJS.ProcessEnv, setting: unknown): string | undefined {
  const fromEnv = env['GEMINI_SANDBOX'];
  if (fromEnv) return isOff(fromEnv) ? undefined : 'GEMINI_SANDBOX';
  if (flags.sandbox !== undefined) return flags.sandbox ? '--sandbox' : undefined;
  return setting === undefined || isOff(setting) ? undefined : 'tools.sandbox in settings.json';
}

function isOff(value: unknown): boolean {
  if (typeof value === 'object' && value !== null && 'enabled' in value) return value.enabled === false;
  return value === false || value === 'false' || value === '0' || value === '' || value === null;
}

function refuseYolo(flags: FlagValues, isDisabled: boolean | undefined): void {
  if (!isDisabled || !(flags.yolo || flags['approval-mode'] === 'yolo')) return;
  throw new FatalConfigError('Yolo mode is switched off by security.disableYoloMode in settings.json.');
}
