/** Updates named extensions or all of them; what happens to one does not stop the others. */
import { type ExtensionInstallation, type InstallPorts, messageOf } from '@gemini-cli/core';
import type { ExtensionUpdateResult } from '../commands/extension-actions.js';

type Installed = ReturnType<ExtensionInstallation['requireInstalled']>;

export async function runUpdate(
  names: readonly string[] | 'all',
  core: ExtensionInstallation,
  ports: InstallPorts,
): Promise<ExtensionUpdateResult[]> {
  const wanted =
    names === 'all'
      ? core.installedExtensions(ports)
      : names.map((name) => core.requireInstalled(name, ports));
  // Together: each may wait for its server. Updates themselves ask, so these come one after the other.
  const checks = await Promise.all(
    wanted.map(async (extension) => ({ extension, check: await core.checkForUpdate(extension, ports) })),
  );
  const results: ExtensionUpdateResult[] = [];
  for (const { extension, check } of checks) {
    if (check.status === core.ExtensionUpdateStatus.UpdateAvailable)
      results.push(await updateOne(extension, core, ports));
    else if (names !== 'all' || check.status !== core.ExtensionUpdateStatus.NotUpdatable)
      results.push(withoutUpdate(extension, check, core));
  }
  return results;
}

async function updateOne(
  { name }: Installed,
  core: ExtensionInstallation,
  ports: InstallPorts,
): Promise<ExtensionUpdateResult> {
  try {
    const { previousVersion, version } = await core.updateExtension(name, ports);
    const message = `Extension "${name}" successfully updated: ${previousVersion} → ${version}.`;
    return { name, message, level: 'info', hasChanged: true };
  } catch (error) {
    return { name, message: messageOf(error), level: 'error', hasChanged: false };
  }
}

function withoutUpdate(
  { name }: Installed,
  { status, message: reason }: Awaited<ReturnType<ExtensionInstallation['checkForUpdate']>>,
  { ExtensionUpdateStatus: states }: ExtensionInstallation,
): ExtensionUpdateResult {
  const because = reason === undefined ? '' : `: ${reason}`;
  if (status === states.UpToDate)
    return { name, message: `Extension "${name}" is already up to date.`, level: 'info', hasChanged: false };
  if (status === states.NotUpdatable) {
    const why = because || ': it is a link or was copied by hand';
    return {
      name,
      message: `Extension "${name}" cannot be updated${why}.`,
      level: 'warning',
      hasChanged: false,
    };
  }
  const message = `Extension "${name}" could not be checked for updates${because}`;
  return { name, message, level: 'error', hasChanged: false };
}
