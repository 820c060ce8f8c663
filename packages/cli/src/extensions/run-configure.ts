/** Asks for the values of extensions' settings and stores them. */
import { type ExtensionInstallation, type InstallPorts, UserError, visibleName } from '@gemini-cli/core';
import type { ExtensionConfigRequest, ExtensionQuestions } from '../commands/extension-actions.js';

type Extension = ReturnType<ExtensionInstallation['requireInstalled']>;
type Setting = NonNullable<Extension['settings']>[number];

/** @returns a line for each value that was set or removed */
export async function runConfigure(
  { name, setting: wanted, scope }: ExtensionConfigRequest,
  core: ExtensionInstallation,
  ports: InstallPorts,
  ask: Pick<ExtensionQuestions, 'confirm'>,
): Promise<string[]> {
  if (ports.settings.experimental?.extensionConfig === false)
    throw new UserError('Settings of extensions are switched off: experimental.extensionConfig is false.');
  const lines: string[] = [];
  for (const extension of extensionsWithSettings(name, core, ports)) {
    const chosen = wanted === undefined ? (extension.settings ?? []) : [settingOf(extension, wanted)];
    for (const setting of chosen) {
      const line = await configureOne({ extension, setting, scope, isNamed: wanted !== undefined });
      if (line !== undefined) lines.push(line);
    }
  }
  return lines;

  async function configureOne(one: {
    extension: Extension;
    setting: Setting;
    scope: 'user' | 'workspace';
    isNamed: boolean;
  }) {
    const { extension, setting, isNamed } = one;
    const workspacePath = ports.environment.cwd;
    const current = await currentValue(extension, setting, { scope, workspacePath }, core, ports);
    const label = `"${visibleName(setting.name)}" of "${extension.name}"`;
    if (!isNamed && current !== undefined && !(await ask.confirm(`${label} is set already. Replace it?`)))
      return undefined;
    let hasAnswered = false;
    const prompt: NonNullable<InstallPorts['promptSetting']> = async (question) => {
      const answer = await ports.promptSetting?.(question);
      hasAnswered ||= answer !== undefined;
      return answer;
    };
    // An empty answer removes the value, so it is never refused as missing.
    const value = await core.askValue({ ...setting, required: false }, prompt, current);
    if (!hasAnswered || (value === undefined && current === undefined)) return undefined;
    await core.storeValue(setting, value, { extension, scope, workspacePath, secrets: ports.secrets });
    if (value === undefined) return `Removed ${label} (${scope}).`;
    return `Set ${label} (${scope}): ${setting.sensitive ? '***' : visibleName(value)}`;
  }
}

/** @throws UserError */
function extensionsWithSettings(
  name: string | undefined,
  core: ExtensionInstallation,
  ports: InstallPorts,
): Extension[] {
  if (name === undefined) {
    const all = core.installedExtensions(ports).filter(({ settings = [] }) => settings.length > 0);
    if (all.length === 0) throw new UserError('No installed extension has settings.');
    return all;
  }
  const extension = core.requireInstalled(name, ports);
  if (!extension.settings?.length) throw new UserError(`Extension "${extension.name}" has no settings.`);
  return [extension];
}

/** @throws UserError */
function settingOf({ name, settings = [] }: Extension, wanted: string): Setting {
  const key = wanted.toLowerCase();
  const found = settings.find((one) => one.name.toLowerCase() === key || one.envVar.toLowerCase() === key);
  if (found) return found;
  const known = settings.map((one) => `${visibleName(one.name)} (${one.envVar})`).join(', ');
  throw new UserError(`Extension "${name}" has no setting "${visibleName(wanted)}". It has: ${known}.`);
}

async function currentValue(
  extension: Extension,
  setting: Setting,
  { scope, workspacePath }: { scope: 'user' | 'workspace'; workspacePath: string },
  core: ExtensionInstallation,
  { secrets, globalDir }: InstallPorts,
): Promise<string | undefined> {
  const isTrusted = scope === 'workspace';
  const sources = { globalDir, workspacePath, isTrusted, secrets };
  const [found] = await core.resolveSettings({ ...extension, settings: [setting] }, sources);
  return found?.from === scope ? found.value : undefined;
}
