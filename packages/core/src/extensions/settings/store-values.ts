/** Stores the values of an extension's settings: secrets in the keychain or its encrypted file, others in `.env` files. */
import { join } from 'node:path';
import { isObject } from '../../base/objects.js';
import { replaceFile } from '../../platform/files/atomic-write.js';
import { readSmallFile, removePrivateFile, writePrivateFile } from '../../platform/files/private-file.js';
import { withFileLock } from '../../platform/locks/file-lock.js';
import type { SecretStore } from '../../platform/secrets/secret-store.js';
import {
  EXTENSION_ENV_FILE,
  type ExtensionSetting,
  type ExtensionSettingScope,
  type GeminiCLIExtension,
} from '../types.js';
import { editEnv } from './env-edit.js';
import { secretService } from './read-values.js';

/** In the folder of an installed extension: the workspaces with secrets of their own, so that uninstalling removes these. */
export const WORKSPACES_FILE = '.gemini-extension-workspaces.json';

export interface SettingPlace {
  extension: Pick<GeminiCLIExtension, 'name' | 'id' | 'installPath'>;
  scope: ExtensionSettingScope;
  workspacePath: string;
  secrets: Pick<SecretStore, 'set' | 'delete'>;
}

/** @param value undefined removes it @throws UserError */
export async function storeValue(
  setting: ExtensionSetting,
  value: string | undefined,
  { extension, scope, workspacePath, secrets }: SettingPlace,
): Promise<void> {
  const { envVar, sensitive } = setting;
  const isWorkspace = scope === 'workspace';
  if (!sensitive) {
    const file = join(isWorkspace ? workspacePath : extension.installPath, EXTENSION_ENV_FILE);
    return changeEnvFile(file, new Map([[envVar, value]]));
  }
  const service = secretService(extension, isWorkspace ? workspacePath : undefined);
  if (value === undefined) return secrets.delete(service, envVar);
  // First: a secret that is not on the list would be left behind.
  if (isWorkspace) await rememberWorkspace(extension.installPath, workspacePath);
  await secrets.set(service, envVar, value);
}

/** A file that becomes empty is removed; its rights stay, since that of a workspace belongs to the user. */
export async function changeEnvFile(
  file: string,
  changes: ReadonlyMap<string, string | undefined>,
): Promise<void> {
  await withFileLock(file, () => {
    const before = readSmallFile(file)?.text ?? '';
    const after = editEnv(before, changes);
    if (after === before) return;
    if (after === '') removePrivateFile(file);
    else replaceFile(file, Buffer.from(after));
  });
}

export function workspacesWithSecrets(installPath: string): string[] {
  try {
    const value: unknown = JSON.parse(readSmallFile(join(installPath, WORKSPACES_FILE))?.text ?? '{}');
    const list = isObject(value) ? value['workspaces'] : undefined;
    return Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : [];
  } catch {
    return []; // damaged: only the secrets for all folders are known
  }
}

async function rememberWorkspace(installPath: string, workspacePath: string): Promise<void> {
  const file = join(installPath, WORKSPACES_FILE);
  await withFileLock(file, () => {
    const known = workspacesWithSecrets(installPath);
    if (known.includes(workspacePath)) return;
    writePrivateFile(file, `${JSON.stringify({ workspaces: [...known, workspacePath] }, null, 2)}\n`);
  });
}
