/** The resources of MCP servers, as tools and prompts use them. The MCP client implements it. */

export interface McpResourceEntry {
  server: string;
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
}

export interface McpResourceContent {
  uri: string;
  mimeType?: string;
  text?: string;
  /** Base64. */
  blob?: string;
}

export interface McpResources {
  /** Of all servers; empty while none offers any. */
  list(): readonly McpResourceEntry[];
  /** Names of the servers that are connected. */
  servers(): readonly string[];
  /** Also for addresses that a server does not list. @throws what the server answered */
  read(server: string, uri: string, signal: AbortSignal): Promise<McpResourceContent[]>;
}

export interface McpResourceHost {
  /** Undefined while no server is configured. */
  getMcpResources(): McpResources | undefined;
}
