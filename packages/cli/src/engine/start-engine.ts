/** Starts the engine for a front end, or throws an error whose exit code says why it may not start. */
import { setDefaultResultOrder } from 'node:dns';
import {
  type ChosenSession,
  Config,
  type ConfigParameters,
  type FrontEnd,
  openProject,
  QuietExit,
  requireTrust,
  setting,
} from '@gemini-cli/core';
import type { FlagValues } from '../command-line/flags.js';
import { overridesFrom } from './overrides.js';
import type { RunFolder } from './run-folder.js';
import type { EnterSandbox } from './sandbox-relaunch.js';

export interface EngineRequest {
  flags: FlagValues;
  folder: RunFolder;
  /** An earlier session to continue, or a new one. */
  session: ChosenSession;
  frontEnd: FrontEnd;
  /** In a program that runs already: a sandbox requested since then starts with the next program. */
  isRestart?: boolean;
  /** Reads stdin for the sandboxed program; absent: the child inherits stdin. */
  stdin?: () => Promise<string>;
  warn: (message: string) => void;
  /** What the client of this session brings. */
  parameters?: Partial<ConfigParameters>;
}

/** @throws SandboxDue where a screen must be left first */
export async function startEngine(request: EngineRequest): Promise<Config> {
  const { flags, folder, session, frontEnd, warn } = request;
  const { cwd, environment } = folder;
  const overrides = overridesFrom(flags);
  // For the whole process, which is the program's own.
  setDefaultResultOrder(setting(folder.settings.merged, 'advanced.dnsResolutionOrder'));
  if (!frontEnd.interactive) requireTrust(folder);
  const enter = request.isRestart
    ? undefined
    : await sandboxOf({ flags, folder, isTerminal: frontEnd.interactive });
  if (enter && frontEnd.interactive) throw new SandboxDue(enter);
  if (enter) throw new RanInSandbox(await enter({ notify: warn, input: await request.stdin?.() }));
  const project = await openProject({
    cwd,
    env: environment.variables,
    frontEnd,
    overrides,
    folder,
    session,
    ...(request.parameters && { parameters: request.parameters }),
  });
  if (flags['allowed-tools']) {
    warn('--allowed-tools is deprecated; the setting tools.allowed does the same.');
  }
  const config = new Config(project);
  await config.initialize();
  return config;
}

/** @returns undefined when no sandbox is requested. @throws FatalSandboxError when it is not available */
export async function sandboxOf({
  flags,
  folder,
  isTerminal,
}: Pick<EngineRequest, 'flags' | 'folder'> & { isTerminal: boolean }): Promise<EnterSandbox | undefined> {
  const env = folder.environment.variables;
  const { tools } = folder.settings.merged;
  const isRequested = env['GEMINI_SANDBOX'] || flags.sandbox !== undefined || tools?.sandbox !== undefined;
  if (env['SANDBOX'] || !isRequested) return undefined;
  const { allowedPathsIn, keyVariables, requestedSandbox, withoutPaths } = await import(
    './sandbox-relaunch.js'
  );
  const ofProject = folder.settings.layer('workspace');
  const ofUser = USERS_SCOPES.map((scope) => folder.settings.layer(scope));
  return requestedSandbox({
    env,
    cwd: folder.cwd,
    flag: flags.sandbox,
    setting: withoutPaths(tools?.sandbox),
    allowedPaths: ofUser.flatMap(allowedPathsIn),
    includeDirectories: [
      ...ofUser.flatMap(({ context }) => context?.includeDirectories ?? []),
      ...(flags['include-directories'] ?? []),
    ],
    projectDirectories: [...(ofProject.context?.includeDirectories ?? []), ...allowedPathsIn(ofProject)],
    keyVariables: ofUser.flatMap(keyVariables),
    args: process.argv.slice(2),
    defaultImage: __SANDBOX_IMAGE__,
    isTerminal,
  });
}

/** Scopes that a project cannot write. */
const USERS_SCOPES = ['system-defaults', 'user', 'system'] as const;

/** The terminal must be given back before the program starts in its sandbox. */
export class SandboxDue extends QuietExit {
  readonly exitCode = 0;
  constructor(readonly enter: EnterSandbox) {
    super('The program continues in a sandbox.');
  }
}

/** Ends this process with the exit code of the sandboxed program. */
class RanInSandbox extends QuietExit {
  constructor(readonly exitCode: number) {
    super('The program ran in a sandbox.');
  }
}
