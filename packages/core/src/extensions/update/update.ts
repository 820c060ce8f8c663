/** Updates an extension: the new version with the values and rules of the old one comes into effect at once, or nothing. */
import { basename } from 'node:path';
import { visibleName } from '../../base/visible-text.js';
import { widened } from '../capabilities/widened.js';
import { commitExtension } from '../install/commit.js';
import { consentBody } from '../install/consent.js';
import { ExtensionInstallError } from '../install/error.js';
import { inTransaction, noticeMissing, requireAllowed, requireConsent } from '../install/install.js';
import { extensionsFolder, requireFree, requireInstalled } from '../install/installed.js';
import type { InstallPorts } from '../install/ports.js';
import { type PreparedExtension, prepareExtension } from '../install/prepare.js';
import { integrityStore } from '../install/records.js';
import { finishInterrupted } from '../install/recover.js';
import { withInstallLock } from '../install/transaction.js';
import { readManifest } from '../manifest/read-manifest.js';
import type { GeminiCLIExtension } from '../types.js';
import { carryValues } from './carry-values.js';
import { updateWish } from './check.js';

export interface UpdatedExtension {
  name: string;
  /** Before an extension changed it. */
  previousName: string;
  previousVersion: string;
  version: string;
}

/** @throws UserError; then the old version is still there */
export async function updateExtension(wanted: string, ports: InstallPorts): Promise<UpdatedExtension> {
  const extension = requireInstalled(wanted, ports);
  await requireIntegrity(extension, ports);
  const wish = await updateWish(extension, ports);
  requireAllowed({ source: wish.source.source, type: wish.source.kind === 'local' ? 'local' : 'git' }, ports);
  return inTransaction(ports, async (transaction) => {
    const prepared = await prepareExtension(wish, transaction, ports);
    const { manifest, warnings } = prepared;
    requireFree(manifest.name, ports, extension);
    for (const warning of warnings) ports.notice(warning);
    await requireUpdateConsent(extension, prepared, ports);
    const carried = await carryValues(extension, prepared, transaction.staged, ports);
    const root = extensionsFolder(ports);
    await withInstallLock(root, async () => {
      await finishInterrupted(root, ports);
      requireUnchanged(extension, ports);
      requireFree(manifest.name, ports, extension);
      const { secrets, removed } = carried;
      const replaced = basename(extension.installPath);
      await commitExtension({ prepared, transaction, secrets, removed, replaced }, ports);
    });
    noticeMissing(prepared, carried.values, ports);
    const { name: previousName, version: previousVersion } = extension;
    return { name: manifest.name, previousName, previousVersion, version: manifest.version };
  });
}

/** A change of the recorded source would let another program choose what the update installs. */
async function requireIntegrity(extension: GeminiCLIExtension, ports: InstallPorts): Promise<void> {
  const { name, installMetadata } = extension;
  if (!installMetadata || installMetadata.type === 'link')
    throw new ExtensionInstallError(
      `Extension "${name}" cannot be updated: it is a link or was copied by hand.`,
    );
  if ((await integrityStore(ports).verify(name, installMetadata)) === 'invalid')
    throw new ExtensionInstallError(
      `Extension "${name}" is not updated: the record of its source was changed. Uninstall it and install it again.`,
    );
}

async function requireUpdateConsent(
  extension: GeminiCLIExtension,
  prepared: PreparedExtension,
  ports: InstallPorts,
): Promise<void> {
  const { manifest, subject, metadata } = prepared;
  const { path: dir } = extension;
  const { workspacePath } = subject;
  const old = readManifest(dir, { workspacePath }).manifest;
  const before = old && (await consentBody({ manifest: old, dir, extensionPath: dir, workspacePath }));
  const after = await consentBody(subject);
  const isMoved = metadata.source !== extension.installMetadata?.source;
  const more = old ? widened(old.capabilities, manifest.capabilities) : [];
  if (before === after && !isMoved && more.length === 0) return;
  const renamed = manifest.name === extension.name ? '' : `, which is called "${manifest.name}" now`;
  const moved = isMoved ? ` from its new source ${visibleName(metadata.source)}` : '';
  const versions = `${visibleName(extension.version)} → ${visibleName(manifest.version)}`;
  const title = `Updating extension "${extension.name}"${renamed}${moved} (${versions}). What it brings has changed:`;
  // First, so that it is not lost among what stays the same.
  const news = more.length === 0 ? [] : ['It asks for more rights:', ...more.map((line) => `  * ${line}`)];
  await requireConsent([title, ...news, after].join('\n'), ports);
}

/** Another process may have updated or removed it while the user was asked. */
function requireUnchanged(extension: GeminiCLIExtension, ports: InstallPorts): void {
  const now = requireInstalled(extension.name, ports);
  const isSame =
    now.version === extension.version &&
    JSON.stringify(now.installMetadata) === JSON.stringify(extension.installMetadata);
  if (!isSame)
    throw new ExtensionInstallError(
      `Extension "${extension.name}" was changed by another process. Try again.`,
    );
}
