/** Loads the functions for agent files on first use. */

export type AgentFilesModule = typeof import('./agent-files.js');

export function loadAgentFiles(): Promise<AgentFilesModule> {
  return import('./agent-files.js');
}
