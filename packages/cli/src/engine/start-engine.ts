/** Brings the engine up for any front end, or says with an exit code why it may not start. */
import {
  Config,
  type EventStream,
  FatalConfigError,
  FatalUntrustedWorkspaceError,
  resolveTelemetry,
  type TrustAnswer,
} from '@gemini-cli/core';
import type { FlagValues } from '../command-line/flags.js';
import { type EngineSources, liveParameters, toParameters } from './engine-parameters.js';
import type { Surroundings } from './surroundings.js';

export interface EngineRequest extends Omit<EngineSources, 'cwd' | 'env' | 'settings' | 'trusted'> {
  surroundings: Surroundings;
  /** What was read from stdin; absent: it was left alone. */
  stdin?: () => Promise<string>;
  /** Where the front end listens and answers. */
  events: EventStream;
  /** The front end can open proposals in an editor. */
  offersEditor?: boolean;
  /** Gets what telemetry writes to the console. */
  writeConsole: (text: string) => void;
}

export async function startEngine(request: EngineRequest): Promise<Config> {
  const { flags, surroundings, warn } = request;
  const { cwd, environment, settings, trust } = surroundings;
  const env = environment.variables;
  const { merged } = settings;
  if (!request.interactive) requireTrust(cwd, trust);
  await enterSandbox(request);
  refuseYolo(flags, merged.security?.disableYoloMode);
  if (flags['allowed-tools']) {
    warn('--allowed-tools is deprecated; the setting tools.allowed does the same.');
  }
  const derive = (trusted: boolean) =>
    toParameters({ ...request, cwd, env, settings: settings.merged, trusted });
  const config = new Config({
    ...derive(trust.trusted),
    events: request.events,
    offersEditor: request.offersEditor,
    environment,
    settings,
    deriveForTrust: (trusted) => liveParameters(derive(trusted)),
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

function telemetryFrom({ surroundings, warn, writeConsole }: EngineRequest) {
  const env = surroundings.environment.variables;
  const resolved = resolveTelemetry({ env, settings: surroundings.settings.merged.telemetry });
  if (resolved.enabled) {
    const phases = () => [{ name: 'start', durationMs: performance.now() }];
    return { settings: resolved.settings, writeConsole, phases };
  }
  if (resolved.problem) warn(`Telemetry is off: ${resolved.problem}`);
  return undefined;
}

/** Throws `RanInSandbox` when the program ran inside the sandbox that was asked for. */
async function enterSandbox(request: EngineRequest): Promise<void> {
  const { flags, surroundings, warn, stdin } = request;
  const env = surroundings.environment.variables;
  const { tools, context } = surroundings.settings.merged;
  const isAsked = env['GEMINI_SANDBOX'] || flags.sandbox !== undefined || tools?.sandbox !== undefined;
  if (env['SANDBOX'] || !isAsked) return;
  const { relaunchInSandbox } = await import('./sandbox-relaunch.js');
  const input = await stdin?.();
  const exitCode = await relaunchInSandbox({
    env,
    cwd: surroundings.cwd,
    flag: flags.sandbox,
    setting: tools?.sandbox,
    allowedPaths: tools?.sandboxAllowedPaths ?? [],
    includeDirectories: [...(context?.includeDirectories ?? []), ...(flags['include-directories'] ?? [])],
    args: process.argv.slice(2),
    isTerminal: request.interactive,
    notify: warn,
    ...(input !== undefined && { input }),
  });
  if (exitCode !== undefined) throw new RanInSandbox(exitCode);
}

/** The program has run already, in a sandbox; its exit code is ours. */
export class RanInSandbox extends Error {
  constructor(readonly exitCode: number) {
    super('The program ran in a sandbox.');
  }
}

function refuseYolo(flags: FlagValues, isDisabled: boolean | undefined): void {
  if (!isDisabled || !(flags.yolo || flags['approval-mode'] === 'yolo')) return;
  throw new FatalConfigError('Yolo mode is switched off by security.disableYoloMode in settings.json.');
}
