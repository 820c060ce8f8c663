/**
 * What has to be known before the engine may start, in this order: the settings of user and system, whether the
 * folder is trusted, its `.env` file, and then everything together. Nothing of a folder counts before it is trusted.
 */
import {
  decideTrust,
  FatalInputError,
  formatProblems,
  LoadedSettings,
  loadEnvFile,
  setting,
  type TrustAnswer,
  TrustedFolders,
} from '@gemini-cli/core';
import type { FlagValues } from './flags.js';

export interface Surroundings {
  cwd: string;
  settings: LoadedSettings;
  trust: TrustAnswer;
}

export interface SurroundingsRequest {
  flags: FlagValues;
  /** Completed by the variables of an `.env` file. */
  env: NodeJS.ProcessEnv;
  warn: (message: string) => void;
}

/** @throws FatalConfigError for files whose restrictions cannot be known */
export function lookAround({ flags, env, warn }: SurroundingsRequest): Surroundings {
  const cwd = currentDirectory();
  const settings = LoadedSettings.read({ cwd, env });
  const folders = TrustedFolders.load(env, { trustedFolders: settings.merged.trustedFolders });
  const trust = decideTrust({
    folder: cwd,
    env,
    skipTrust: flags['skip-trust'] === true,
    featureEnabled: isTrustOn(settings, env),
    folders,
  });
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
  for (const text of formatProblems([...settings.problems, ...folders.problems])) warn(text);
  for (const text of settings.takeNotices()) warn(text);
  return { cwd, settings, trust };
}

function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new FatalInputError('The current directory does not exist any more.', error);
  }
}

/** Test rigs of users rely on the variable: it takes trust out of the way. */
function isTrustOn(settings: LoadedSettings, env: NodeJS.ProcessEnv): boolean {
  if (env['GEMINI_CLI_INTEGRATION_TEST'] === 'true') return false;
  return setting(settings.merged, 'security.folderTrust.enabled');
}

interface EnvRequest {
  cwd: string;
  env: NodeJS.ProcessEnv;
  settings: LoadedSettings;
  folders: TrustedFolders;
  trusted: boolean;
  ignoreLocal: boolean;
  warn: (message: string) => void;
}

function addEnvFile({ cwd, env, settings, folders, trusted, ignoreLocal, warn }: EnvRequest): void {
  const { merged } = settings;
  const found = loadEnvFile({
    cwd,
    env,
    trusted,
    excluded: setting(merged, 'advanced.excludedEnvVars'),
    ignoreLocal: ignoreLocal || setting(merged, 'advanced.ignoreLocalEnv'),
    authType: setting(merged, 'security.auth.selectedType'),
    isUntrusted: (directory) => folders.decide(directory) === 'untrusted',
  });
  Object.assign(env, found.variables);
  const passedOver = found.skipped.filter(({ kind }, index, all) => {
    return kind !== 'untrusted' || all.findIndex((other) => other.kind === 'untrusted') === index;
  });
  for (const { path, reason } of passedOver) warn(`${path}: ${reason}`);
  for (const text of formatProblems(found.problems)) warn(text);
  if (found.refused.length > 0) {
    warn(`${found.path}: a project may not set ${found.refused.join(', ')}; left out.`);
  }
}
