/** The MCP servers of the session that the panel uses; tests pass their own. */
import { type McpServerRow, mcpRow } from '../../../output/mcp-servers.js';
import type { DialogServices } from '../dialog.js';

export interface McpPort {
  list(): Promise<McpServerRow[]>;
  /** @returns a function that ends it */
  onChange(listener: () => void): () => void;
  /** For good. @returns why the server stays off all the same */
  setEnabled(name: string, enabled: boolean): Promise<string | undefined>;
  restart(name: string): Promise<void>;
}

export function mcpPort({ config }: Pick<DialogServices, 'config'>): McpPort {
  const manager = config?.getMcpClientManager();
  const signIn = config?.getMcpSignIn();
  return {
    list: () =>
      Promise.all(
        (manager?.servers() ?? []).map(async (view) =>
          mcpRow(
            view,
            (text) => config?.getRedactor().redact(text) ?? text,
            await signIn?.stateOf(view.server).catch(() => undefined),
          ),
        ),
      ),
    onChange: (listener) => manager?.onChange(listener) ?? (() => {}),
    setEnabled: async (name, enabled) => config?.setMcpServerEnabled(name, enabled, { isSession: false }),
    restart: async (name) => manager?.restart(name),
  };
}
