/** A test bed with the reference server that has prompts, resources, forms and sampling. */
import { registryServer, testRig } from '../test-utils.js';

/** A trusted project with this server, called `everything`, and other settings. */
export function everythingRig(settings: object = {}, files: Record<string, string> = {}) {
  const all = { mcpServers: { everything: registryServer('everything', 'stdio') }, ...settings };
  return testRig({ files: { '.gemini/settings.json': JSON.stringify(all), ...files } });
}
