/** Warns about files that change the sandbox, and so what a sandboxed command can reach. */
import type { DiscoveryContext } from './context.js';

export function discoverSandboxFiles({ folder }: DiscoveryContext): void {
  const names = folder.names('.gemini').filter((name) => name.startsWith('sandbox'));
  if (folder.hasEntry('.gemini/policies/sandbox.toml')) names.push('policies/sandbox.toml');
  for (const name of names) folder.warn(`${folder.name(`.gemini/${name}`)} changes the sandbox.`);
}
