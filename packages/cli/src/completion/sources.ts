/** The completion sources of a session, in the order they are asked. */
import { type Config, type LoadedSettings, listBranches, setting, type Variables } from '@gemini-cli/core';
import type { CommandContext, SlashCommand } from '../commands/types.js';
import { atSource, workspaceIndex } from './at-path.js';
import type { FileIndex } from './file-index.js';
import { programsOnPath } from './programs.js';
import { shellSource } from './shell.js';
import { slashSource } from './slash.js';
import type { CompletionSource, Suggestion } from './types.js';

export interface SessionSourcesHost {
  /** Undefined until the engine runs. */
  config(): Config | undefined;
  settings(): LoadedSettings;
  commands(): readonly SlashCommand[];
  commandContext(): CommandContext;
  isShellMode(): boolean;
  cwd: string;
  env: Variables;
  /** Agents and resources offered after `@`. */
  extras?(): readonly Suggestion[];
}

export interface SessionSources {
  sources: CompletionSource[];
  /** Called when tools may have changed files: the next `@` gathers paths again. */
  filesChanged(): void;
  /** Starts to gather paths before the user types `@`. */
  warmUp(): void;
}

export function sessionSources(host: SessionSourcesHost): SessionSources {
  let made: { config: Config; index: FileIndex } | undefined;
  const index = () => {
    const config = host.config();
    if (!config) return undefined;
    if (made?.config !== config) made = { config, index: workspaceIndex(config, host.settings().merged) };
    return made.index;
  };
  const merged = () => host.settings().merged;
  return {
    sources: [
      shellSource({
        isShellMode: () => host.isShellMode(),
        cwd: () => host.cwd,
        programs: programsOnPath(host.env),
        branches: (signal) => listBranches(host.cwd, host.env, signal),
      }),
      slashSource({ commands: () => host.commands(), context: () => host.commandContext() }),
      atSource({
        index,
        cwd: () => host.cwd,
        isFuzzy: () => setting(merged(), 'context.fileFiltering.enableFuzzySearch'),
        isRecursive: () => setting(merged(), 'context.fileFiltering.enableRecursiveFileSearch'),
        timeoutMs: () => setting(merged(), 'context.fileFiltering.searchTimeout'),
        ...(host.extras && { extras: host.extras }),
      }),
    ],
    filesChanged: () => made?.index.invalidate(),
    warmUp: () => index()?.ensure(),
  };
}
