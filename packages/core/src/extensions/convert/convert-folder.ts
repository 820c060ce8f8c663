/** For the installation of extensions: a folder with a plugin is written as an extension. */
import type { Environment } from '../../platform/environment.js';
import { ConvertError } from './convert-error.js';
import { convertPlugin } from './convert-plugin.js';
import { readPlugin } from './read/read-plugin.js';
import { openPlugins } from './source/open-plugins.js';
import type { ConvertOptions, ReportRow } from './types.js';
import { checkResult } from './write/check-result.js';
import { type Validate, writeAndCheck } from './write/write-extension.js';

export interface FolderConversion {
  /** Absolute: the folder of a plugin, or of a marketplace. */
  folder: string;
  /** Does not exist yet; the caller removes it after an error. */
  into: string;
  /** One of a marketplace. */
  plugin?: string;
  options?: ConvertOptions;
  environment: Pick<Environment, 'variables' | 'cwd' | 'home'>;
  validate?: Validate;
  signal?: AbortSignal;
}

/** @throws ConvertError @returns the report, which names every loss */
export async function convertPluginFolder(
  wanted: FolderConversion,
): Promise<{ name: string; version: string; rows: readonly ReportRow[] }> {
  const { folder, into, plugin, options = {}, environment, validate = checkResult, signal } = wanted;
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
    await writeAndCheck(converted, into, validate);
    const { name, version, rows } = converted;
    return { name, version, rows };
  } finally {
    opened.close();
  }
}
