import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SecretStore } from '../../platform/secrets/secret-store.js';
import { addFiles, type FileContents, folderWith } from '../extension-folders.test-helper.js';
import { secretService } from '../settings/read-values.js';
import { updateExtension } from '../update/update.js';
import { installExtension } from './install.js';
import { InstallLab, stateBelow } from './install-lab.test-helper.js';
import { GROWS, noSpace, watchingDisk } from './watched-disk.test-helper.js';

const KEY = { name: 'Key', envVar: 'DEMO_KEY', sensitive: true };
const ADDRESS = { name: 'Address', envVar: 'DEMO_URL' };
const manifest = (version: string, more: object = {}): FileContents => ({
  'gemini-extension.json': { name: 'demo', version, settings: [ADDRESS, KEY], ...more },
});

let lab: InstallLab;
let source: string;
beforeEach(() => {
  lab = new InstallLab();
  source = folderWith(manifest('1.0.0'));
});
afterEach(() => lab.remove());

/** One store for all steps: its key takes long to derive. */
const ports = (secrets: SecretStore) =>
  lab.ports({ secrets, promptSetting: async ({ setting }) => `value of ${setting.envVar}` });
const install = (secrets: SecretStore) => installExtension({ source }, ports(secrets));
const secret = async (envVar: string) => (await lab.secrets().get(secretService(lab.only()), envVar))?.value;

describe('a full disk', () => {
  /** Fails from the n-th growing step on, for every n until the work succeeds. */
  async function atEveryStep(work: () => Promise<unknown>, isExpected: () => void): Promise<number> {
    for (let limit = 0; ; limit++) {
      let steps = 0;
      const fail = (change: Parameters<typeof GROWS.has>[0]) => {
        if (GROWS.has(change) && ++steps > limit) throw noSpace();
      };
      const error: unknown = await watchingDisk(fail, work).then(
        () => undefined,
        (caught) => caught,
      );
      if (error === undefined) return limit;
      expect(String(error), `step ${limit}`).toMatch(/disk is full|no space left|ENOSPC/i);
      isExpected();
    }
  }

  it('at any step of an install leaves nothing', async () => {
    const secrets = lab.secrets();
    const steps = await atEveryStep(
      () => install(secrets),
      () => {
        const left = Object.keys(lab.state()).filter((path) => path !== '.gemini');
        // Even removing a record needs space for a lock; then the user is told.
        const records = /(?:integrity\.key|gemini-credentials\.json|extensions|extension-enablement\.json)$/;
        for (const path of left) expect(path).toMatch(records);
        if (left.some((path) => !path.endsWith('.key')))
          expect(lab.notices.join()).toContain('Some records of the extension "demo" are left');
      },
    );
    expect(steps).toBeGreaterThan(8);
    expect(lab.only().version).toBe('1.0.0');
  });

  it('at any step of an update keeps the old version with its values', async () => {
    const secrets = lab.secrets();
    await install(secrets);
    addFiles(source, manifest('2.0.0', { settings: [ADDRESS, KEY, { ...KEY, envVar: 'DEMO_NEW' }] }));
    const files = stateBelow(lab.root);
    const steps = await atEveryStep(
      () => updateExtension('demo', ports(secrets)),
      () => expect(stateBelow(lab.root)).toEqual(files),
    );
    expect(steps).toBeGreaterThan(8);
    expect([await secret('DEMO_KEY'), await secret('DEMO_NEW')]).toEqual([
      'value of DEMO_KEY',
      'value of DEMO_NEW',
    ]);
  });
});
