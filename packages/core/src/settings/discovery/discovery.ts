/**
 * Finds what a folder would load if it were trusted. Only reads, never runs anything and never fails: unreadable files
 * are among the errors. Loaded on first use.
 */
import { messageOf } from '../../base/errors.js';
import { geminiHome, type Variables } from '../../platform/environment.js';
import { realPathOf } from '../../platform/files/real-path.js';
import { discoverAgents } from './agents.js';
import { discoverCommands } from './commands.js';
import { type DiscoveryContext, readersAbove } from './context.js';
import { discoverContextFiles } from './context-files.js';
import { discoverEnvFiles } from './env.js';
import { discoverExtensions } from './extensions.js';
import { FolderReader } from './folder-reader.js';
import { discoverHooks } from './hooks.js';
import { discoverMcpServers } from './mcp-servers.js';
import { discoverPolicies } from './policies.js';
import { discoverSandboxFiles } from './sandbox-files.js';
import { discoverSettings, readWorkspaceSettings } from './settings.js';
import { discoverSkills } from './skills.js';
import type { DiscoveryResults } from './types.js';

export type { DiscoveredPolicy, DiscoveryResults } from './types.js';

export async function discoverFolder(folder: string, env: Variables): Promise<DiscoveryResults> {
  const root = realPathOf(folder);
  const home = realPathOf(geminiHome(env));
  const reader = new FolderReader(root);
  // ~/.gemini belongs to the user and is loaded from any working directory.
  if (root === home) return { ...nothing(), contextFiles: discoverContextFiles(inHome(reader)) };

  const settings = readWorkspaceSettings(reader);
  const context: DiscoveryContext = { folder: reader, above: readersAbove(root, home), settings };
  const group = <T>(discover: (context: DiscoveryContext) => T | Promise<T>, none: T) =>
    guarded(reader, () => discover(context), none);

  const results = {
    commands: await group(discoverCommands, []),
    mcps: await group(discoverMcpServers, []),
    hooks: await group(discoverHooks, []),
    skills: await group(discoverSkills, []),
    agents: await group(discoverAgents, []),
    settings: await group(discoverSettings, []),
    contextFiles: await group(discoverContextFiles, []),
    ...(await group(discoverPolicies, { policies: [], loadedPolicies: [] })),
    envFiles: await group(discoverEnvFiles, []),
    extensions: await group(discoverExtensions, []),
  };
  await group(discoverSandboxFiles, undefined);
  const readers = [reader, ...context.above];
  return {
    ...results,
    securityWarnings: readers.flatMap(({ warnings }) => warnings),
    discoveryErrors: readers.flatMap(({ errors }) => [...errors.keys()]),
    problems: readers.flatMap(({ errors }) => [...errors.values()]),
  };
}

/** An error in one group must not hide the others, nor keep the user from answering. */
async function guarded<T>(reader: FolderReader, discover: () => T | Promise<T>, none: T): Promise<T> {
  try {
    return await discover();
  } catch (error) {
    reader.error('.', `could not be looked at in full: ${messageOf(error)}`);
    return none;
  }
}

function inHome(folder: FolderReader): DiscoveryContext {
  return { folder, above: [], settings: {} };
}

function nothing(): DiscoveryResults {
  return {
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
}
