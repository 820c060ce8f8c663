/** `@server:uri` and `@server` in a prompt: resources of MCP servers, and hints to use a server's tools. */
import {
  type Config,
  type FoundResource,
  findResource,
  type McpResources,
  type Part,
  resourceParts,
  UserError,
  visibleName,
} from '@gemini-cli/core';

export interface AtServers extends Pick<McpResources, 'read'> {
  /** The resource that a reference means. */
  find(reference: string): FoundResource | undefined;
  /** The server with this name. */
  named(word: string): string | undefined;
  /** The names by which the model calls the server's tools. */
  toolsOf(server: string): readonly string[];
}

/** Undefined while no server is configured. */
export function atServers(
  config: Pick<Config, 'getMcpResources' | 'getMcpToolNames'>,
): AtServers | undefined {
  const resources = config.getMcpResources();
  if (!resources) return undefined;
  return {
    find: (reference) => findResource(resources, reference),
    named: (word) => {
      const wanted = word.trim().toLowerCase();
      return resources.servers().find((name) => name.toLowerCase().replace(/^@/, '') === wanted);
    },
    toolsOf: (server) => config.getMcpToolNames(server),
    read: (...request) => resources.read(...request),
  };
}

/** @throws what the server answered */
export async function resourceContents(
  servers: Pick<AtServers, 'read'>,
  { server, uri }: FoundResource,
  signal: AbortSignal,
): Promise<Part[]> {
  const contents = await servers.read(server, uri, signal);
  const parts = resourceParts(
    contents,
    (mimeType, bytes) => `[Binary resource content ${mimeType}, ${bytes} bytes]`,
  );
  if (parts.length === 0) throw new UserError(`The resource ${visibleName(uri)} is empty.`);
  return parts;
}

const MAX_TOOLS = 50;

/** Tells the model which tools the user's `@server` means. */
export function serverNote(names: readonly string[], servers: Pick<AtServers, 'toolsOf'>): string {
  const lines = names.map((name) => {
    const tools = servers.toolsOf(name).slice(0, MAX_TOOLS);
    return `The user wants the tools of the MCP server "${visibleName(name)}" to be used: ${tools.join(', ')}.`;
  });
  return `\n<system_note>\n${lines.join('\n')}\n</system_note>`;
}
