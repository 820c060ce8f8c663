/** The values of an extension's settings survive its update, also when its name or source changes. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryReadText, tryStat } from '../../platform/files/try-read.js';
import { parseEnv } from '../../settings/env/env-parse.js';
import type { Commit } from '../install/commit.js';
import type { InstallPorts } from '../install/ports.js';
import type { PreparedExtension } from '../install/prepare.js';
import type { RecordedExtension } from '../install/transaction.js';
import { recordsOf } from '../install/uninstall.js';
import { askValues } from '../settings/ask-values.js';
import { secretService } from '../settings/read-values.js';
import { changeEnvFile, WORKSPACES_FILE } from '../settings/store-values.js';
import { EXTENSION_ENV_FILE, type GeminiCLIExtension } from '../types.js';

export interface CarriedValues {
  secrets: Commit['secrets'];
  /** What is not needed any more. */
  removed: RecordedExtension;
  /** Every variable with a value; of secrets the value may be empty here. */
  values: ReadonlyMap<string, string>;
}

/** Writes the `.env` file of the prepared version, and asks for settings that are new or became secret or open. */
export async function carryValues(
  extension: GeminiCLIExtension,
  { manifest, id }: PreparedExtension,
  staged: string,
  ports: InstallPorts,
): Promise<CarriedValues> {
  const records = recordsOf(extension);
  const wasSecret = new Map((extension.settings ?? []).map((one) => [one.envVar, one.sensitive === true]));
  const settings = manifest.settings ?? [];
  const isKept = (envVar: string, sensitive = false) => wasSecret.get(envVar) === sensitive;
  const asked = settings.filter(({ envVar, sensitive }) => !isKept(envVar, sensitive));
  const isAsked = ports.settings.experimental?.extensionConfig !== false && ports.promptSetting;
  const answers = isAsked ? await askValues(asked, isAsked) : new Map<string, string>();
  const old = parseEnv(tryReadText(join(extension.installPath, EXTENSION_ENV_FILE)) ?? '').variables;
  const plain = settings.flatMap(({ envVar, sensitive }) => {
    const value = answers.get(envVar) ?? (isKept(envVar) ? old.get(envVar) : undefined);
    return sensitive || value === undefined ? [] : [[envVar, value] as const];
  });
  await changeEnvFile(join(staged, EXTENSION_ENV_FILE), new Map(plain));
  const list = join(extension.installPath, WORKSPACES_FILE);
  if (tryStat(list)) copyFileSync(list, join(staged, WORKSPACES_FILE));

  const secret = settings.filter(({ sensitive }) => sensitive).map(({ envVar }) => envVar);
  const stored = secret.flatMap((envVar) => {
    // A value that is secret from now on moves out of the `.env` file.
    const value = answers.get(envVar) ?? (wasSecret.get(envVar) === false ? old.get(envVar) : undefined);
    return value === undefined ? [] : [{ envVar, value }];
  });
  const kept = secret.filter((envVar) => isKept(envVar, true));
  const isSameIdentity = extension.name === manifest.name && extension.id === id;
  const found = await existing(extension, kept, records.workspaces ?? [], ports);
  const values = new Map([
    ...plain,
    ...found.map(({ envVar }) => [envVar, ''] as const),
    ...stored.map(({ envVar }) => [envVar, ''] as const),
  ]);
  const dropped = records.secrets.filter((envVar) => !secret.includes(envVar));
  return {
    values,
    secrets: isSameIdentity ? stored : [...stored, ...found],
    removed: isSameIdentity ? { ...records, secrets: dropped } : records,
  };
}

async function existing(
  extension: GeminiCLIExtension,
  variables: readonly string[],
  workspaces: readonly string[],
  { secrets }: InstallPorts,
): Promise<Commit['secrets']> {
  const found: Commit['secrets'][number][] = [];
  for (const workspacePath of [undefined, ...workspaces])
    for (const envVar of variables) {
      const value = (await secrets.get(secretService(extension, workspacePath), envVar))?.value;
      if (value !== undefined)
        found.push({ envVar, value, ...(workspacePath !== undefined && { workspacePath }) });
    }
  return found;
}
