/** Installs or links an extension: checks, copy, consent, settings; then all of it comes into effect at once, or nothing. */
import { join } from 'node:path';
import { codeOf, messageOf, UserError } from '../../base/errors.js';
import { visibleName } from '../../base/visible-text.js';
import { sourceRefusal } from '../load/allowed-sources.js';
import { askValues } from '../settings/ask-values.js';
import { changeEnvFile } from '../settings/store-values.js';
import { EXTENSION_ENV_FILE, type ExtensionSourceType } from '../types.js';
import { commitExtension } from './commit.js';
import { consentBody } from './consent.js';
import { ExtensionInstallError } from './error.js';
import type { SourceWish } from './fetch.js';
import { requireTrustedSource, requireTrustedWorkspace } from './folder-trust.js';
import { extensionsFolder, requireFree } from './installed.js';
import type { InstalledExtension, InstallPorts } from './ports.js';
import { type PreparedExtension, prepareExtension, prepareLink } from './prepare.js';
import { finishInterrupted } from './recover.js';
import { parseSource } from './source.js';
import { InstallTransaction, withInstallLock } from './transaction.js';

export interface InstallRequest extends Omit<SourceWish, 'source'> {
  /** As the user wrote it. */
  source: string;
  skipSettings?: boolean;
}

/** @throws UserError; then nothing is installed */
export async function installExtension(
  { source: written, skipSettings, ...options }: InstallRequest,
  ports: InstallPorts,
): Promise<InstalledExtension> {
  const source = parseSource(written, ports.environment);
  requireAllowed({ source: source.source, type: source.kind === 'local' ? 'local' : 'git' }, ports);
  await requireTrustedWorkspace(ports);
  return inTransaction(ports, async (transaction) => {
    const prepared = await prepareExtension({ ...options, source }, transaction, ports);
    return finishInstallation(prepared, transaction, ports, {
      action: `Installing extension "${prepared.manifest.name}" (${visibleName(prepared.manifest.version)})`,
      asksSettings: skipSettings !== true,
      ...(source.kind === 'local' && !source.isArchive && { folder: source.source }),
    });
  });
}

/** The source's folder is used as it is. @throws UserError */
export async function linkExtension(path: string, ports: InstallPorts): Promise<InstalledExtension> {
  const source = parseSource(path, ports.environment);
  if (source.kind !== 'local' || source.isArchive)
    throw new ExtensionInstallError('Only a folder can be linked. Use: gemini extensions install');
  requireAllowed({ source: source.source, type: 'link' }, ports);
  await requireTrustedWorkspace(ports);
  return inTransaction(ports, async (transaction) => {
    const prepared = prepareLink(source.source, transaction, ports);
    return finishInstallation(prepared, transaction, ports, {
      action: `Linking extension "${prepared.manifest.name}" (${visibleName(prepared.manifest.version)})`,
      asksSettings: true,
      folder: source.source,
    });
  });
}

async function finishInstallation(
  prepared: PreparedExtension,
  transaction: InstallTransaction,
  ports: InstallPorts,
  { action, asksSettings, folder }: { action: string; asksSettings: boolean; folder?: string },
): Promise<InstalledExtension> {
  const { manifest, metadata, subject, warnings } = prepared;
  const { name, version, settings = [] } = manifest;
  requireFree(name, ports);
  for (const warning of warnings) ports.notice(warning);
  if (folder !== undefined) await requireTrustedSource(folder, prepared, ports);
  const body = await consentBody(subject);
  await requireConsent(`${action} from ${visibleName(metadata.source)}.\n${body}`, ports);
  const isAsked = asksSettings && ports.settings.experimental?.extensionConfig !== false;
  const values =
    isAsked && ports.promptSetting
      ? await askValues(settings, ports.promptSetting)
      : new Map<string, string>();
  const plain = settings.filter(({ sensitive, envVar }) => !sensitive && values.has(envVar));
  await changeEnvFile(
    join(transaction.staged, EXTENSION_ENV_FILE),
    new Map(plain.map(({ envVar }) => [envVar, values.get(envVar)])),
  );
  const secrets = settings.flatMap(({ sensitive, envVar }) => {
    const value = values.get(envVar);
    return sensitive && value !== undefined ? [{ envVar, value }] : [];
  });
  const root = extensionsFolder(ports);
  await withInstallLock(root, async () => {
    await finishInterrupted(root, ports);
    requireFree(name, ports);
    await commitExtension({ prepared, transaction, secrets }, ports);
  });
  noticeMissing(prepared, values, ports);
  return { name, version, installPath: join(root, name) };
}

export async function inTransaction<T>(
  ports: InstallPorts,
  work: (transaction: InstallTransaction) => Promise<T>,
): Promise<T> {
  let transaction: InstallTransaction | undefined;
  try {
    transaction = InstallTransaction.open(extensionsFolder(ports));
    return await work(transaction);
  } catch (error) {
    throw worded(error, ports);
  } finally {
    transaction?.close();
  }
}

/** @throws ExtensionInstallError */
export function requireAllowed(
  source: { source: string; type: ExtensionSourceType },
  { settings }: Pick<InstallPorts, 'settings'>,
): void {
  if (settings.admin?.extensions?.enabled === false)
    throw new ExtensionInstallError('Extensions are disabled by the administrator.');
  const refusal = sourceRefusal(source, settings.security ?? {});
  if (refusal) throw new ExtensionInstallError(`The extension is refused: ${refusal}.`);
}

/** @throws ExtensionInstallError */
export async function requireConsent(
  text: string,
  { consent }: Pick<InstallPorts, 'consent'>,
): Promise<void> {
  if (!consent)
    throw new ExtensionInstallError('Nothing was changed. Without a terminal to ask on, add --consent.');
  if (!(await consent(text))) throw new ExtensionInstallError('Nothing was changed: you did not agree.');
}

export function noticeMissing(
  { manifest: { name, settings = [] } }: Pick<PreparedExtension, 'manifest'>,
  values: ReadonlyMap<string, string>,
  { notice }: Pick<InstallPorts, 'notice'>,
): void {
  const missing = settings.filter((one) => one.default === undefined && !values.has(one.envVar));
  if (missing.length === 0) return;
  const names = missing.map((one) => visibleName(one.name)).join(', ');
  notice(
    `Extension "${name}" has settings without a value: ${names}. Set them: gemini extensions config ${name}`,
  );
}

function worded(error: unknown, { signal }: InstallPorts): unknown {
  if (error instanceof UserError || signal?.aborted) return error;
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'no_space')
    return new ExtensionInstallError(
      'The disk is full; nothing was changed. Free some space and try again.',
      {
        cause: error,
      },
    );
  if (code === undefined) return error;
  return new ExtensionInstallError(`Nothing was changed: ${messageOf(error)}`, { cause: error });
}
