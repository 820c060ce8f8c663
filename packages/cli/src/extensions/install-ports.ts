/** What the installation of extensions needs of the program: folders, settings, trust, secrets, questions, the converter. */
import {
  type Environment,
  type ExtensionInstallation,
  globalGeminiDir,
  type InstallPorts,
  isTrustOn,
  type LoadedSettings,
  loadExtensionConversion,
  TrustedFolders,
} from '@gemini-cli/core';
import type { ExtensionQuestions } from '../commands/extension-actions.js';

type SettingPrompt = Parameters<NonNullable<InstallPorts['promptSetting']>>[0];

export interface ExtensionPlaces {
  environment: Environment;
  settings: LoadedSettings;
  /** Whether the folder of the environment is trusted. */
  isTrusted: boolean;
}

export function installPorts(
  places: ExtensionPlaces,
  { consent, confirm, value, notice, clonesUnasked = false, signal }: ExtensionQuestions,
  { SecretStore }: Pick<ExtensionInstallation, 'SecretStore'>,
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
    promptSetting: ({ setting, current, problem }) => {
      const { name, label, sensitive } = setting;
      const detail = settingDetail(setting);
      return value({
        title: label ?? name,
        ...(detail !== '' && { detail }),
        ...(sensitive && { isSecret: true }),
        ...(current !== undefined && !sensitive && { initial: current }),
        ...(problem !== undefined && { problem }),
      });
    },
    notice,
    clonesUnasked,
    convertPlugin: async (folder, into, { conversion }) => {
      const { choicesOf, convertPluginFolder } = await loadExtensionConversion();
      const { checkCommandFiles: checkCommands } = await import('../commands/loaders/check-files.js');
      const { rows } = await convertPluginFolder({
        folder,
        into,
        ...choicesOf(conversion),
        environment,
        checkCommands,
        signal,
      });
      for (const { source, action, reason } of rows)
        if (action === 'skipped' || action === 'warned') notice(`${source}: ${reason ?? action}`);
    },
    signal,
  };
}

/** What the setting is for, which answers fit, and what an empty one means. */
function settingDetail(setting: SettingPrompt['setting']): string {
  const { description, type, options } = setting;
  const fitting = options ? `One of: ${options.join(', ')}.` : type === 'boolean' && 'true or false.';
  const fallback = setting.default !== undefined && `Empty: ${setting.default}`;
  return [description, fitting, fallback].filter(Boolean).join('\n');
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
      // For this session the user vouches for every folder that the command names.
      if (env['GEMINI_CLI_TRUST_WORKSPACE'] === 'true') return true;
      return !featureEnabled || folders.decide(folder) === 'trusted';
    },
    setTrusted: (folder) => folders.setRule(folder, 'TRUST_FOLDER'),
  };
}
