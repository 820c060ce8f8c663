/**
 * What must be known about a folder before an engine may start in it, in this order: user and system settings,
 * whether the folder is trusted, its `.env` file, then all settings together. Nothing in a folder counts before it is
 * trusted, and its `.env` file goes into a copy of the variables, never into the process.
 */
import type { ExtensionParts } from '../extensions/load/extension-parts.js';
import { holdEditor } from '../ide/held-editor.js';
import type { IdeClient } from '../ide/ide-client.js';
import { type Environment, environmentOf, type Variables } from '../platform/environment.js';
import { formatProblems } from '../settings/checking/format-problems.js';
import { loadEnvFile } from '../settings/env/env-file.js';
import { LoadedSettings } from '../settings/loaded-settings.js';
import { setting } from '../settings/schema/index.js';
import { idleGuards } from '../settings/trust/idle-guards.js';
import { decideTrust, type TrustAnswer, TrustedFolders } from '../settings/trust/trust.js';
import type { FileProblem } from '../settings/types.js';
import type { ProjectOverrides } from './overrides.js';
import { readExtensions } from './read-extensions.js';

export interface ProjectFolder {
  cwd: string;
  /** With the variables of the `.env` file that applies here. */
  environment: Environment;
  settings: LoadedSettings;
  trust: TrustAnswer;
  /** Read at the first call, and at the first one after `forgetExtensions`. */
  extensions(): Promise<ExtensionParts>;
  /** They have changed on disk, or others are chosen. @param only as in `ProjectOverrides` */
  forgetExtensions(only: readonly string[] | undefined): void;
}

export interface FolderRequest {
  cwd: string;
  env: Variables;
  overrides?: Pick<ProjectOverrides, 'skipTrust' | 'ignoreEnv' | 'extensions' | 'settings' | 'editorTrusts'>;
  /** Gets a message about each ignored file and value. */
  notice: (message: string) => void;
  /** A session begins here: it takes the connection to the editor over. */
  keepsEditor?: boolean;
  /** Problems of extensions that are not active are told, too. */
  tellsInactive?: boolean;
}

/** @throws FatalConfigError for a broken file that may hold restrictions */
export async function readFolder({
  cwd,
  env,
  overrides = {},
  notice,
  keepsEditor = false,
  tellsInactive = false,
}: FolderRequest): Promise<ProjectFolder> {
  const variables = { ...env };
  const judged = judgeFolder({ cwd, env: variables, overrides });
  const { settings, folders } = judged;
  const answer = await editorsAnswer(judged, { cwd, env: variables, overrides, keepsEditor });
  const trust = answer?.trust ?? judged.trust;
  const fromProject = addEnvFile(
    {
      cwd,
      env: variables,
      settings,
      folders,
      trusted: trust.trusted,
      ignoreLocal: overrides.ignoreEnv === true,
    },
    notice,
  );
  settings.activate({ trusted: trust.trusted, env: variables });
  await settings.loadExtraFiles();
  for (const text of idleGuards(settings.merged)) notice(text);
  tellProblems([...settings.problems, ...folders.problems], notice);
  const { proxy } = settings.merged.general ?? {};
  const environment = { ...environmentOf(variables, cwd, proxy), fromProject };
  if (answer?.client) holdEditor(environment, answer.client);
  const folder = { cwd, environment, settings, trust };
  let extensions: Promise<ExtensionParts> | undefined;
  let only = overrides.extensions;
  return {
    ...folder,
    extensions: () => {
      extensions ??= readExtensions(folder, { ...(only && { extensions: only }), tellsInactive }, notice);
      return extensions;
    },
    forgetExtensions: (chosen) => {
      only = chosen;
      extensions = undefined;
    },
  };
}

/** The editor counts before the saved rules; without one, or when it does not say, they decide. */
async function editorsAnswer(
  { settings, trust }: Pick<ReturnType<typeof judgeFolder>, 'settings' | 'trust'>,
  request: Required<Omit<FolderRequest, 'notice' | 'tellsInactive'>>,
): Promise<{ trust?: TrustAnswer; client?: IdeClient } | undefined> {
  const isDecidedBefore = trust.source !== 'none' && trust.source !== 'file';
  if (isDecidedBefore || !setting(settings.merged, 'ide.enabled')) return undefined;
  const { editorTrust } = await import('../ide/editor-trust.js');
  const { keepsEditor, ...asked } = request;
  const { trusted, client } = await editorTrust(environmentOf(request.env, request.cwd), keepsEditor);
  const kept = { ...(client && { client }) };
  if (trusted === undefined) return kept;
  const { trust: withEditor } = judgeFolder({
    ...asked,
    overrides: { ...request.overrides, editorTrusts: trusted },
  });
  return { trust: withEditor, ...kept };
}

/** By user and system settings alone. */
export function judgeFolder({ cwd, env, overrides = {} }: Omit<FolderRequest, 'notice'>) {
  const settings = LoadedSettings.read({ cwd, env, program: overrides.settings });
  const folders = TrustedFolders.load(env, { trustedFolders: settings.merged.trustedFolders });
  const trust = decideTrust({
    folder: cwd,
    env,
    skipTrust: overrides.skipTrust === true,
    featureEnabled: isTrustOn(settings, env),
    ...(overrides.editorTrusts !== undefined && { ideAnswer: overrides.editorTrusts }),
    folders,
  });
  return { settings, folders, trust };
}

/** Users' test rigs rely on this variable, which disables the trust check. */
export function isTrustOn(settings: LoadedSettings, env: Variables): boolean {
  if (env['GEMINI_CLI_INTEGRATION_TEST'] === 'true') return false;
  return setting(settings.merged, 'security.folderTrust.enabled');
}

export interface EnvFileRequest {
  cwd: string;
  env: Variables;
  settings: LoadedSettings;
  folders: TrustedFolders;
  trusted: boolean;
  /** `--ignore-env` */
  ignoreLocal: boolean;
}

/** Reads the `.env` file that applies here. Changes nothing. */
export function findEnvFile({ cwd, env, settings, folders, trusted, ignoreLocal }: EnvFileRequest) {
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

/** @returns the names of the variables that the project has added */
function addEnvFile(
  request: EnvFileRequest & { env: Record<string, string | undefined> },
  notice: (message: string) => void,
): string[] {
  const found = findEnvFile(request);
  Object.assign(request.env, found.variables);
  const reported = found.skipped.filter(({ kind }, index, all) => {
    return kind !== 'untrusted' || all.findIndex((other) => other.kind === 'untrusted') === index;
  });
  for (const { path, reason } of reported) notice(`Ignored ${path}: ${reason}`);
  tellProblems(found.problems, notice);
  if (found.refused.length > 0) {
    notice(`${found.path}: a project may not set ${found.refused.join(', ')}; left out.`);
  }
  return found.fromProject;
}

/** One notice per line: a notice with many problems is hard to read. */
function tellProblems(problems: readonly FileProblem[], notice: (message: string) => void): void {
  for (const block of formatProblems(problems)) for (const line of block.split('\n')) notice(line);
}
