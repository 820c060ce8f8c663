/** Removes an extension with everything that is kept about it. */
import { basename } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { secretService } from '../settings/read-values.js';
import { workspacesWithSecrets } from '../settings/store-values.js';
import type { GeminiCLIExtension } from '../types.js';
import { inTransaction } from './install.js';
import { extensionsFolder, isReadable, requireInstalled } from './installed.js';
import type { InstallPorts } from './ports.js';
import { completeRecords } from './records.js';
import { finishInterrupted } from './recover.js';
import { type RecordedExtension, withInstallLock } from './transaction.js';

/** @param wanted name or source @returns what was removed @throws UserError; then it is still there */
export async function uninstallExtension(wanted: string, ports: InstallPorts): Promise<GeminiCLIExtension> {
  requireInstalled(wanted, ports);
  const root = extensionsFolder(ports);
  return inTransaction(ports, (transaction) =>
    withInstallLock(root, async () => {
      await finishInterrupted(root, ports);
      const extension = requireInstalled(wanted, ports);
      const known = recordsOf(extension);
      const removed = isReadable(extension, ports) ? known : await withAllSecrets(known, ports);
      const journal = { replaced: basename(extension.installPath), removed };
      transaction.write(journal);
      transaction.swap(journal);
      await completeRecords(journal, ports);
      return extension;
    }),
  );
}

/** Everything that is kept about an installed extension. */
export function recordsOf({ name, id, settings = [], installPath }: GeminiCLIExtension): RecordedExtension {
  return {
    name,
    id,
    secrets: settings.filter(({ sensitive }) => sensitive).map(({ envVar }) => envVar),
    workspaces: workspacesWithSecrets(installPath),
  };
}

/** Asks where they are stored, since the manifest does not tell. */
async function withAllSecrets(
  extension: RecordedExtension,
  { secrets, notice }: InstallPorts,
): Promise<RecordedExtension> {
  const services = [undefined, ...(extension.workspaces ?? [])].map((path) => secretService(extension, path));
  try {
    const found = await Promise.all(services.map((service) => secrets.entries(service)));
    return { ...extension, secrets: [...new Set([...extension.secrets, ...found.flat()])] };
  } catch (error) {
    notice(`Secrets of the extension "${extension.name}" may be left: ${messageOf(error)}`);
    return extension;
  }
}
