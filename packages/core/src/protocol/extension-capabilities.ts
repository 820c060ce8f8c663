/** What hooks and MCP servers of an extension may use (`capabilities` of its manifest); absent there: no restriction. */
export interface ExtensionCapabilities {
  files: { read: readonly string[]; write: readonly string[] };
  /** Host names; empty: no network. */
  network: readonly string[];
  /** Programs by name or absolute path, beside the one that the hook or server itself names. */
  executables: readonly string[];
}
