/** A program for the tests to kill: installs, updates or removes an extension, and kills itself before the n-th step. */
import { join } from 'node:path';
import { updateExtension } from '../update/update.js';
import { installExtension } from './install.js';
import { InstallLab } from './install-lab.test-helper.js';
import { uninstallExtension } from './uninstall.js';
import { watchingDisk } from './watched-disk.test-helper.js';

export async function change(verb: string, lab: InstallLab): Promise<void> {
  const ports = lab.ports({ promptSetting: async ({ setting }) => `value of ${setting.envVar}` });
  if (verb === 'install') await installExtension({ source: join(lab.base, 'source') }, ports);
  else if (verb === 'update') await updateExtension('demo', ports);
  else await uninstallExtension('demo', ports);
}

async function killedAt(last: number, verb: string, lab: InstallLab): Promise<void> {
  let step = 0;
  const count = () => {
    if (++step !== last) return;
    process.kill(process.pid, 'SIGKILL');
    // The signal may take a moment; nothing more may be written.
    for (;;);
  };
  await watchingDisk(count, () => change(verb, lab));
  process.stdout.write(`${step}`);
}

const [base, verb, last] = process.argv.slice(2);
if (base && verb && last) void killedAt(Number(last), verb, new InstallLab(base));
