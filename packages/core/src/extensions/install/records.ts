/** What is kept about an extension outside its folder: enablement, integrity, secrets. */
import { messageOf } from '../../base/errors.js';
import { ownVariables } from '../../platform/environment.js';
import { forget } from '../enablement/enablement.js';
import { IntegrityStore } from '../integrity/integrity-store.js';
import { secretService } from '../settings/read-values.js';
import type { InstallPorts } from './ports.js';

export interface RecordedExtension {
  name: string;
  id: string;
  /** Variables of its sensitive settings. */
  secrets: readonly string[];
}

export function integrityStore({ globalDir, environment }: InstallPorts): IntegrityStore {
  return new IntegrityStore({ globalDir, variables: ownVariables(environment) });
}

/** What cannot be removed is said and left: the extension is gone all the same. */
export async function removeRecords(extension: RecordedExtension, ports: InstallPorts): Promise<void> {
  const { globalDir, environment, secrets } = ports;
  const { name } = extension;
  const services = [secretService(extension), secretService(extension, environment.cwd)];
  const steps = [
    () => forget(globalDir, name),
    () => integrityStore(ports).remove(name),
    ...services.flatMap((service) => extension.secrets.map((one) => () => secrets.delete(service, one))),
  ];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      ports.notice(`Some records of the extension "${name}" are left: ${messageOf(error)}`);
    }
  }
}
