/** What is kept about an extension outside its folder: enablement, integrity, secrets. */
import { messageOf } from '../../base/errors.js';
import { ownVariables } from '../../platform/environment.js';
import { copyRules, forget, setEnabled } from '../enablement/enablement.js';
import { IntegrityStore } from '../integrity/integrity-store.js';
import { secretService } from '../settings/read-values.js';
import type { InstallPorts } from './ports.js';
import type { Journal, RecordedExtension } from './transaction.js';

type RecordPorts = Pick<InstallPorts, 'globalDir' | 'environment' | 'secrets' | 'notice'>;

export function integrityStore({
  globalDir,
  environment,
}: Pick<InstallPorts, 'globalDir' | 'environment'>): IntegrityStore {
  return new IntegrityStore({ globalDir, variables: ownVariables(environment) });
}

/**
 * Makes the records fit the folder that is in place now. What can fail comes first, and while it fails, `undoRecords`
 * still can undo all of it.
 */
export async function completeRecords(journal: Journal, ports: RecordPorts): Promise<void> {
  const { target, replaced, added, removed, integrity } = journal;
  const { globalDir, environment } = ports;
  if (added && target !== undefined) {
    const { name } = added;
    if (removed && removed.name !== name) await copyRules(globalDir, removed.name, name);
    else if (replaced === undefined)
      await setEnabled(globalDir, name, {
        enabled: true,
        scope: 'user',
        path: environment.cwd,
        home: environment.home,
      });
    if (integrity) await integrityStore(ports).recordSigned(name, integrity);
  }
  if (!removed) return;
  await removeSecrets(removed, ports);
  if (target === undefined || removed.name !== added?.name) await removeNamed(removed.name, ports);
}

/** @param isInstalled there is still an extension of that name */
export async function undoRecords(
  { added }: Journal,
  ports: RecordPorts,
  isInstalled: boolean,
): Promise<void> {
  if (!added) return;
  await removeSecrets(added, ports);
  if (!isInstalled) await removeNamed(added.name, ports);
}

/** What cannot be removed is said and left: the extension is gone all the same. */
async function removeNamed(name: string, ports: RecordPorts): Promise<void> {
  await tolerantly(name, ports, () => forget(ports.globalDir, name));
  await tolerantly(name, ports, () => integrityStore(ports).remove(name));
}

async function removeSecrets(extension: RecordedExtension, ports: RecordPorts): Promise<void> {
  const services = [undefined, ...(extension.workspaces ?? [])].map((path) => secretService(extension, path));
  for (const service of services)
    for (const entry of extension.secrets)
      await tolerantly(extension.name, ports, () => ports.secrets.delete(service, entry));
}

async function tolerantly(name: string, ports: RecordPorts, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    ports.notice(`Some records of the extension "${name}" are left: ${messageOf(error)}`);
  }
}
