/** For the installation of extensions: a folder with a plugin is written as an extension. */
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Environment } from '../../platform/environment.js';
import { ConvertError } from './convert-error.js';
import { convertPlugin } from './convert-plugin.js';
import { readPlugin } from './read/read-plugin.js';
import { openPlugins } from './source/open-plugins.js';
import type { ConvertOptions, ReportRow } from './types.js';
import { type CheckCommands, writeAndCheck } from './write/write-extension.js';

export interface FolderConversion {
  /** Absolute: the folder of a plugin, or of a marketplace. */
  folder: string;
  /** Does not exist yet, but the folder above does. After an error it still does not exist. */
  into: string;
  /** One of a marketplace. */
  plugin?: string;
  options?: ConvertOptions;
  environment: Pick<Environment, 'variables' | 'cwd' | 'home'>;
  checkCommands?: CheckCommands;
  signal?: AbortSignal;
}

/** @throws ConvertError @returns the report, which names every loss */
export async function convertPluginFolder(
  wanted: FolderConversion,
): Promise<{ name: string; version: string; rows: readonly ReportRow[] }> {
  const { folder, into, plugin, options = {}, environment, checkCommands, signal } = wanted;
  const opened = await openPlugins({
    source: folder,
    environment,
    ...(plugin !== undefined && { plugin }),
    ...(signal && { signal }),
  });
  try {
    const [location] = opened.plugins;
    if (!location) throw new ConvertError(`${folder} has no plugin.`);
    const converted = await convertPlugin(await readPlugin(location, options), options, {
      kind: 'extension',
    });
    const { name, version, rows } = converted;
    const losses = await writeInto(into, (folder) => writeAndCheck(converted, folder, checkCommands), name);
    return { name, version, rows: [...rows, ...losses] };
  } finally {
    opened.close();
  }
}

/** The check wants a folder that is called like the extension. */
async function writeInto<T>(into: string, write: (folder: string) => Promise<T>, name: string): Promise<T> {
  const staging = mkdtempSync(join(dirname(into), 'convert-'));
  try {
    const folder = join(staging, name);
    const written = await write(folder);
    renameSync(folder, into);
    return written;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
