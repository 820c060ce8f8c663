/** Starts the engine for a front end, or throws an error whose exit code says why it may not start. */
import {
  type ChosenSession,
  Config,
  type FrontEnd,
  openProject,
  QuietExit,
  requireTrust,
} from '@gemini-cli/core';
import type { FlagValues } from '../command-line/flags.js';
import { overridesFrom } from './overrides.js';
import type { RunFolder } from './run-folder.js';

export interface EngineRequest {
  flags: FlagValues;
  folder: RunFolder;
  /** An earlier session to continue, or a new one. */
  session: ChosenSession;
  frontEnd: FrontEnd;
  /** Reads stdin for the sandboxed program; absent: the child inherits stdin. */
  stdin?: () => Promise<string>;
  warn: (message: string) => void;
}

export async function startEngine(request: EngineRequest): Promise<Config> {
  const { flags, folder, session, frontEnd, warn } = request;
  const { cwd, environment } = folder;
  const overrides = overridesFrom(flags);
  if (!frontEnd.interactive) requireTrust(folder);
  await enterSandbox(request);
  const project = await openProject({
    cwd,
    env: environment.variables,
    frontEnd,
    overrides,
    folder,
    session,
  });
  if (flags['allowed-tools']) {
    warn('--allowed-tools is deprecated; the setting tools.allowed does the same.');
  }
  const config = new Config(project);
  await config.initialize();
  return config;
}

/** @throws RanInSandbox after the program ran inside the requested sandbox */
async function enterSandbox({ flags, folder, frontEnd, warn, stdin }: EngineRequest): Promise<void> {
  const env = folder.environment.variables;
  const { tools, context } = folder.settings.merged;
  const isRequested = env['GEMINI_SANDBOX'] || flags.sandbox !== undefined || tools?.sandbox !== undefined;
  if (env['SANDBOX'] || !isRequested) return;
  const { relaunchInSandbox } = await import('./sandbox-relaunch.js');
  const input = await stdin?.();
  const exitCode = await relaunchInSandbox({
    env,
    cwd: folder.cwd,
    flag: flags.sandbox,
    setting: tools?.sandbox,
    allowedPaths: tools?.sandboxAllowedPaths ?? [],
    includeDirectories: [...(context?.includeDirectories ?? []), ...(flags['include-directories'] ?? [])],
    args: process.argv.slice(2),
    isTerminal: frontEnd.interactive,
    notify: warn,
    ...(input !== undefined && { input }),
  });
  if (exitCode !== undefined) throw new RanInSandbox(exitCode);
}

/** Ends this process with the exit code of the sandboxed program. */
class RanInSandbox extends QuietExit {
  constructor(readonly exitCode: number) {
    super('The program ran in a sandbox.');
  }
}
