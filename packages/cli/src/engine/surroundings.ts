/**
 * What has to be known before the engine may start, in this order: the settings of user and system, whether the
 * folder is trusted, its `.env` file, and then everything together. Nothing of a folder counts before it is trusted.
 */
import {
  decideTrust,
  type Environment,
  environmentOf,
  FatalInputError,
  type FileProblem,
  formatProblems,
  LoadedSettings,
  loadEnvFile,
  setting,
  type TrustAnswer,
  TrustedFolders,
  type Worktree,
} from '@gemini-cli/core';
import type { FlagValues } from '../command-line/flags.js';

export interface Surroundings {
  cwd: string;
  /** With the variables of the `.env` file that counts here. */
  environment: Environment;
  settings: LoadedSettings;
  trust: TrustAnswer;
  /** Where `--worktree` has led; `cwd` is in it. */
  worktree?: Worktree;
}

export interface SurroundingsRequest {
  flags: FlagValues;
  /** The caller's own copy, never `process.env`: the variables of an `.env` file are added to it. */
  env: NodeJS.ProcessEnv;
  warn: (message: string) => void;
}

/** @throws FatalConfigError for files whose restrictions cannot be known */
export async function lookAround(request: SurroundingsRequest): Promise<Surroundings> {
  const { flags, env, warn } = request;
  const cwd = currentDirectory();
  const { settings, folders, trust } = judge(cwd, flags, env);
  if (flags.worktree !== undefined) {
    const { enterWorktree } = await import('./worktree.js');
    const worktree = await enterWorktree({ flags, env, cwd, settings, trust });
    // All of it again, for the folder where the session is going to be.
    const { worktree: _, ...others } = flags;
    return { ...(await lookAround({ ...request, flags: others })), worktree };
  }
  addEnvFile({
    cwd,
    env,
    settings,
    folders,
    trusted: trust.trusted,
    ignoreLocal: flags['ignore-env'] === true,
    warn,
  });
  settings.activate({ trusted: trust.trusted, env });
  await settings.loadExtraFiles();
  warnOf([...settings.problems, ...folders.problems], warn);
  for (const text of settings.takeNotices()) warn(text);
  return { cwd, environment: environmentOf(env, cwd), settings, trust };
}

/** By the settings of user and system alone. */
function judge(cwd: string, flags: FlagValues, env: NodeJS.ProcessEnv) {
  const settings = LoadedSettings.read({ cwd, env });
  const folders = TrustedFolders.load(env, { trustedFolders: settings.merged.trustedFolders });
  const trust = decideTrust({
    folder: cwd,
    env,
    skipTrust: flags['skip-trust'] === true,
    featureEnabled: isTrustOn(settings, env),
    folders,
  });
  return { settings, folders, trust };
}

function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new FatalInputError('The current directory does not exist any more.', error);
  }
}

/** A warning per line: one that holds many problems cannot be read. */
function warnOf(problems: readonly FileProblem[], warn: (message: string) => void): void {
  for (const block of formatProblems(problems)) for (const line of block.split('\n')) warn(line);
}

/** Test rigs of users rely on the variable: it takes trust out of the way. */
export function isTrustOn(settings: LoadedSettings, env: NodeJS.ProcessEnv): boolean {
  if (env['GEMINI_CLI_INTEGRATION_TEST'] === 'true') return false;
  return setting(settings.merged, 'security.folderTrust.enabled');
}

interface EnvRequest {
  cwd: string;
  env: NodeJS.ProcessEnv;
  settings: LoadedSettings;
  folders: TrustedFolders;
  trusted: boolean;
  /** `--ignore-env` */
  ignoreLocal: boolean;
}

/** The `.env` file that counts here. Changes nothing. */
export function findEnvFile({ cwd, env, settings, folders, trusted, ignoreLocal }: EnvRequest) {
  const { merged } = settings;
  return loadEnvFile({
    cwd,
    env,
    trusted,
    excluded: setting(merged, 'advanced.excludedEnvVars'),
    ignoreLocal: ignoreLocal || setting(merged, 'advanced.ignoreLocalEnv'),
    authType: setting(merged, 'security.auth.selectedType'),
    isUntrusted: (directory) => folders.decide(directory) === 'untrusted',
  });
}

function addEnvFile({ warn, ...request }: EnvRequest & Pick<SurroundingsRequest, 'warn'>): void {
  const { env } = request;
  const found = findEnvFile(request);
  Object.assign(env, found.variables);
  const passedOver = found.skipped.filter(({ kind }, index, all) => {
    return kind !== 'untrusted' || all.findIndex((other) => other.kind === 'untrusted') === index;
  });
  for (const { path, reason } of passedOver) warn(`${path}: ${reason}`);
  warnOf(found.problems, warn);
  if (found.refused.length > 0) {
    warn(`${found.path}: a project may not set ${found.refused.join(', ')}; left out.`);
  }
}
