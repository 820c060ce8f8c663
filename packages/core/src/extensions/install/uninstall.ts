/** Removes an extension with everything that is kept about it. */
import { basename } from 'node:path';
import { workspacesWithSecrets } from '../settings/store-values.js';
import type { GeminiCLIExtension } from '../types.js';
import { inTransaction } from './install.js';
import { extensionsFolder, requireInstalled } from './installed.js';
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
      const journal = { replaced: basename(extension.installPath), removed: recordsOf(extension) };
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
