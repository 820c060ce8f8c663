/** Puts the parts of MCP together. Loaded only when a server is configured. */
import { join } from 'node:path';
import { rightsLoader } from '../platform/sandbox/rights/create-rights.js';
import type { McpClientParts } from './mcp-client.js';
import { McpClientManager } from './mcp-client-manager.js';
import { PinFile } from './pins/pin-file.js';
import { RememberedPins } from './pins/tool-pins.js';
import type { LoadRules } from './servers/can-load.js';
import { ServerEnablement } from './servers/enablement.js';
import { resolveServers, type ServerSources } from './servers/resolve-servers.js';
import { type TransportParts, transportsOf } from './transport/open-transport.js';

export interface McpParts extends TransportParts {
  /** Called again on every refresh. */
  sources: () => Omit<ServerSources, 'rules'> & {
    rules: Omit<LoadRules, 'disabledForGood' | 'disabledInSession'>;
  };
  globalDir: string;
  isInteractive: boolean;
  /** The user has `/mcp`. */
  hasScreen?: boolean;
  /** The agent whose own servers these are; absent: those of the session. */
  agentName?: string;
  notice: (message: string) => void;
  noticeOver?: (message: string) => void;
}

export interface CreatedMcp {
  manager: McpClientManager;
  enablement: ServerEnablement;
  /** Lower-case names of the servers that the user disabled for this session; `refresh` applies a change. */
  disabledInSession: Set<string>;
  close(): Promise<void>;
}

export function createMcp(parts: McpParts): CreatedMcp {
  const { globalDir, isInteractive, hasScreen = false, notice, noticeOver, agentName } = parts;
  const enablement = new ServerEnablement(globalDir);
  const disabledInSession = new Set<string>();
  const saving = new Set<Promise<void>>();
  const pins = new RememberedPins(new PinFile(join(globalDir, 'mcp-pins.json')), {
    isInteractive,
    onSaved: (work) => {
      saving.add(work);
      void work.finally(() => saving.delete(work));
    },
  });
  const rights = parts.rights ?? rightsLoader({ variables: parts.environment.variables });
  const transports: McpClientParts['transports'] = (server) => transportsOf(server, { ...parts, rights });
  const manager = new McpClientManager({
    resolve: async () => {
      const { rules, ...sources } = parts.sources();
      const disabledForGood = enablement.disabled();
      return resolveServers({ ...sources, rules: { ...rules, disabledForGood, disabledInSession } });
    },
    transports,
    pins,
    notice,
    ...(noticeOver && { noticeOver }),
    isInteractive,
    hasScreen,
    ...(agentName !== undefined && { agentName }),
  });
  return {
    manager,
    enablement,
    disabledInSession,
    close: async () => {
      await manager.stop();
      await Promise.all(saving);
    },
  };
}
