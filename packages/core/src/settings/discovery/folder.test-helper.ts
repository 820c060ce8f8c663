/** For tests: an untrusted folder outside of the home directory. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { onTestFinished } from 'vitest';
import { type DiscoveryResults, discoverFolder } from './discovery.js';

export const NOTHING: DiscoveryResults = {
  commands: [],
  mcps: [],
  hooks: [],
  skills: [],
  agents: [],
  settings: [],
  contextFiles: [],
  policies: [],
  loadedPolicies: [],
  envFiles: [],
  extensions: [],
  securityWarnings: [],
  discoveryErrors: [],
  problems: [],
};

export function foreignFolder() {
  const root = tempDir();
  onTestFinished(root.cleanup);
  const folder = join(root.path, 'project');
  mkdirSync(folder);
  return {
    folder,
    put(path: string, content: string | Uint8Array | object): void {
      const target = join(folder, path);
      mkdirSync(dirname(target), { recursive: true });
      const isData = typeof content === 'string' || content instanceof Uint8Array;
      writeFileSync(target, isData ? content : JSON.stringify(content));
    },
    discover: (home = join(root.path, 'home')) => discoverFolder(folder, { GEMINI_CLI_HOME: home }),
  };
}
