/** Brings the engine up for any front end, or says with an exit code why it may not start. */
import {
  Config,
  FatalConfigError,
  FatalSandboxError,
  FatalUntrustedWorkspaceError,
  resolveTelemetry,
  type TrustAnswer,
} from '@gemini-cli/core';
import { type EngineSources, liveParameters, toParameters } from './engine-parameters.js';
import type { FlagValues } from './flags.js';
import type { Surroundings } from './surroundings.js';

export interface EngineRequest extends Omit<EngineSources, 'cwd' | 'settings' | 'trusted'> {
  surroundings: Surroundings;
  /** Gets what telemetry writes to the console. */
  writeConsole: (text: string) => void;
}

export async function startEngine(request: EngineRequest): Promise<Config> {
  const { flags, env, surroundings, warn } = request;
  const { cwd, settings, trust } = surroundings;
  const { merged } = settings;
  if (!request.interactive) requireTrust(cwd, trust);
  refuseSandbox(flags, env, merged.tools?.sandbox);
  refuseYolo(flags, merged.security?.disableYoloMode);
  if (flags['allowed-tools']) {
    warn('--allowed-tools is deprecated; the setting tools.allowed does the same.');
  }
  const derive = (trusted: boolean) => toParameters({ ...request, cwd, settings: settings.merged, trusted });
  const config = new Config({
    ...derive(trust.trusted),
    settings,
    deriveForTrust: (trusted) => liveParameters(derive(trusted)),
    onNotice: warn,
    telemetry: telemetryFrom(request),
  });
  await config.initialize();
  return config;
}

function requireTrust(cwd: string, { trusted, source }: TrustAnswer): void {
  if (trusted) return;
  const why =
    source === 'none' ? 'Nobody has said yet that this folder is trusted' : 'This folder is not trusted';
  throw new FatalUntrustedWorkspaceError(
    `${why}: ${cwd}. To work here for this run, use --skip-trust or set GEMINI_CLI_TRUST_WORKSPACE=true.`,
  );
}

function telemetryFrom({ env, surroundings, warn, writeConsole }: EngineRequest) {
  const resolved = resolveTelemetry({ env, settings: surroundings.settings.merged.telemetry });
  if (resolved.enabled) {
    const phases = () => [{ name: 'start', durationMs: performance.now() }];
    return { settings: resolved.settings, warn, writeConsole, phases };
  }
  if (resolved.problem) warn(`Telemetry is off: ${resolved.problem}`);
  return undefined;
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
