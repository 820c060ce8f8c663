/** The version that an imported plugin has in its source now, as the converter writes it. */
import type { Environment } from '../../platform/environment.js';
import { choicesOf } from './choices.js';
import { versionOf } from './components/manifest.js';
import { ConvertError } from './convert-error.js';
import { readPlugin } from './read/read-plugin.js';
import { openPlugins } from './source/open-plugins.js';

/** @throws ConvertError */
export async function pluginVersion(
  folder: string,
  recorded: unknown,
  environment: Pick<Environment, 'variables' | 'cwd' | 'home'>,
): Promise<string> {
  const { plugin, options } = choicesOf(recorded);
  const opened = await openPlugins({
    source: folder,
    environment,
    ...(plugin !== undefined && { plugin }),
  });
  try {
    const [location] = opened.plugins;
    if (!location) throw new ConvertError(`${folder} has no plugin.`);
    return versionOf((await readPlugin(location, options)).version, []);
  } finally {
    opened.close();
  }
}
