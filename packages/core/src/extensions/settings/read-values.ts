/** The values of an extension's settings: those of the workspace over those of the user over defaults. */
import { join } from 'node:path';
import { readSmallFile } from '../../platform/files/private-file.js';
import type { SecretStore } from '../../platform/secrets/secret-store.js';
import { parseEnv } from '../../settings/env/env-parse.js';
import {
  EXTENSION_ENV_FILE,
  type ExtensionSetting,
  type GeminiCLIExtension,
  type ResolvedExtensionSetting,
} from '../types.js';
import { isRefusedVariable } from './variable-names.js';

type Owner = Pick<GeminiCLIExtension, 'name' | 'id' | 'installPath' | 'settings'>;

export interface ValueSources {
  globalDir: string;
  workspacePath: string;
  /** False: values of the workspace are ignored. */
  isTrusted: boolean;
  /** Asked only for sensitive settings. */
  secrets: Pick<SecretStore, 'get'>;
}

export async function resolveSettings(
  extension: Owner,
  sources: ValueSources,
): Promise<ResolvedExtensionSetting[]> {
  const plain = resolvePlainSettings(extension, sources);
  return Promise.all(
    plain.map(async (setting) =>
      setting.sensitive ? withDefault(await fromSecrets(setting, extension, sources)) : setting,
    ),
  );
}

/** Without keychain: a sensitive setting comes without value. */
function resolvePlainSettings(
  { installPath, settings = [] }: Owner,
  { workspacePath, isTrusted }: Omit<ValueSources, 'secrets'>,
): ResolvedExtensionSetting[] {
  const allowed = settings.filter(({ envVar }) => !isRefusedVariable(envVar));
  if (allowed.every(({ sensitive }) => sensitive)) return [...allowed];
  const places = [
    ...(isTrusted ? [{ from: 'workspace' as const, place: join(workspacePath, EXTENSION_ENV_FILE) }] : []),
    { from: 'user' as const, place: join(installPath, EXTENSION_ENV_FILE) },
  ].map((one) => ({ ...one, values: valuesIn(one.place) }));
  return allowed.map((setting) => {
    if (setting.sensitive) return setting;
    const holder = places.find(({ values }) => values.has(setting.envVar));
    const value = holder?.values.get(setting.envVar);
    if (!holder || value === undefined) return withDefault(setting);
    return { ...setting, value, from: holder.from, place: holder.place };
  });
}

/** The keychain service that holds the secrets of an extension, for all folders or for one. */
export function secretService({ name, id }: Pick<Owner, 'name' | 'id'>, workspacePath?: string): string {
  const service = `Gemini CLI Extensions ${name} ${id}`;
  return workspacePath === undefined ? service : `${service} ${workspacePath}`;
}

async function fromSecrets(
  setting: ExtensionSetting,
  extension: Owner,
  { workspacePath, isTrusted, secrets }: ValueSources,
): Promise<ResolvedExtensionSetting> {
  const ofUser = { from: 'user' as const, service: secretService(extension) };
  const ofWorkspace = { from: 'workspace' as const, service: secretService(extension, workspacePath) };
  for (const { from, service } of isTrusted ? [ofWorkspace, ofUser] : [ofUser]) {
    const found = await secrets.get(service, setting.envVar);
    if (!found) continue;
    const place = found.place === 'keychain' ? `keychain: ${service}` : `encrypted file: ${service}`;
    return { ...setting, value: found.value, from, place };
  }
  return setting;
}

function withDefault(setting: ResolvedExtensionSetting): ResolvedExtensionSetting {
  if (setting.value !== undefined || setting.default === undefined) return setting;
  return { ...setting, value: setting.default, from: 'default' };
}

function valuesIn(file: string): Map<string, string> {
  try {
    const text = readSmallFile(file)?.text;
    return text === undefined ? new Map() : new Map(parseEnv(text).variables);
  } catch {
    return new Map(); // a folder of this name, or a file that cannot be read
  }
}
