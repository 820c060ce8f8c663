/** What the installation of extensions needs of the program: folders, settings, trust, secrets, questions, the converter. */
import {
  type Environment,
  type ExtensionInstallation,
  globalGeminiDir,
  type InstallPorts,
  isTrustOn,
  type LoadedSettings,
  loadExtensionConversion,
  SecretStore,
  TrustedFolders,
} from '@gemini-cli/core';
import type { ExtensionQuestions } from '../commands/extension-actions.js';

export interface ExtensionPlaces {
  environment: Environment;
  settings: LoadedSettings;
  /** Whether the folder of the environment is trusted. */
  isTrusted: boolean;
}

export function installPorts(
  places: ExtensionPlaces,
  { consent, confirm, value, notice, signal }: ExtensionQuestions,
  { describeCapabilities }: Pick<ExtensionInstallation, 'describeCapabilities'>,
): InstallPorts {
  const { environment, settings } = places;
  return {
    environment,
    globalDir: globalGeminiDir(environment.variables),
    settings: settings.merged,
    secrets: new SecretStore({ env: environment.variables }),
    trust: folderTrust(places),
    consent,
    ask: confirm,
    promptSetting: ({ setting: { name, description, sensitive }, current, problem }) =>
      value({
        title: name,
        ...(description !== undefined && { detail: description }),
        ...(sensitive && { isSecret: true }),
        ...(current !== undefined && !sensitive && { initial: current }),
        ...(problem !== undefined && { problem }),
      }),
    notice,
    describeCapabilities,
    convertPlugin: async (folder, into) => {
      const { convertPluginFolder } = await loadExtensionConversion();
      const { rows } = await convertPluginFolder({ folder, into, environment, signal });
      for (const { source, status, reason } of rows)
        if (status === 'dropped' || status === 'degraded')
          notice(`${source}: ${status}${reason === undefined ? '' : `, ${reason}`}`);
    },
    signal,
  };
}

function folderTrust({ environment, settings, isTrusted }: ExtensionPlaces): InstallPorts['trust'] {
  const { cwd, variables: env } = environment;
  // Project settings must not decide what is trusted.
  const trustedFolders = [
    ...(settings.layer('user').trustedFolders ?? []),
    ...(settings.layer('system').trustedFolders ?? []),
  ];
  const folders = TrustedFolders.load(env, { tolerant: true, trustedFolders });
  const featureEnabled = isTrustOn(settings, env);
  return {
    isTrusted: (folder) => {
      if (folder === cwd && isTrusted) return true;
      return !featureEnabled || folders.decide(folder) === 'trusted';
    },
    setTrusted: (folder) => folders.setRule(folder, 'TRUST_FOLDER'),
  };
}
