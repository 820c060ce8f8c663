/** What MCP servers are started from: parameters of the engine as sources of servers. Loaded with the first server. */
import type { McpServerFields } from '../mcp/config.js';
import type { McpParts } from '../mcp/create.js';
import { SECRET_WORDS } from '../platform/redaction/secret-patterns.js';
import { isAllowed } from '../settings/trust/untrusted.js';
import type { CompleteParameters } from './parameters.js';
import type { McpSessionParts } from './prepare-mcp.js';

export type McpParameters = Pick<
  CompleteParameters,
  | 'interactive'
  | 'shell'
  | 'environmentRedaction'
  | 'mcpServers'
  | 'mcp'
  | 'mcpEnabled'
  | 'adminMcp'
  | 'extensionServers'
  | 'sessionServers'
>;

export interface McpEngineParts
  extends Pick<
    McpParts,
    'environment' | 'targetDir' | 'sandbox' | 'auth' | 'globalDir' | 'notice' | 'noticeOver'
  > {
  parameters: () => McpParameters;
  isTrusted: () => boolean;
  session: McpSessionParts;
  /** Called with keys and tokens in the configuration, so that they are never shown. */
  onSecret: (secret: string) => void;
}

export function mcpParts({
  parameters,
  isTrusted,
  onSecret,
  ...rest
}: Omit<McpEngineParts, 'session'>): McpParts {
  const said = new Set<string>();
  const notice = (message: string) => {
    if (!said.has(message)) rest.notice(message);
    said.add(message);
  };
  const { noticeOver } = rest;
  const over = (message: string) => {
    said.delete(message);
    noticeOver?.(message);
  };
  return {
    ...rest,
    notice,
    ...(noticeOver && { noticeOver: over }),
    isInteractive: parameters().interactive,
    hasScreen: parameters().shell?.hasScreen === true,
    redaction: () => parameters().environmentRedaction,
    sources: () => {
      const { mcpServers, mcp, mcpEnabled, adminMcp, extensionServers, sessionServers } = parameters();
      const { serverCommand, allowed, excluded } = mcp;
      for (const secret of secretsIn({ ...mcpServers, ...sessionServers })) onSecret(secret);
      return {
        settings: mcpServers as Record<string, McpServerFields>,
        ...(serverCommand && { serverCommand }),
        ...(sessionServers && { session: sessionServers }),
        ...(extensionServers && { extensions: extensionServers }),
        admin: adminMcp,
        rules: { adminEnabled: mcpEnabled, excluded, ...(allowed && { allowed }) },
        isAllowedInFolder: isAllowed('mcp_servers', { trusted: isTrusted() }),
        notice,
      };
    },
  };
}

/** Values written out in the configuration; variables are known already. */
export function secretsIn(servers: Readonly<Record<string, McpServerFields>>): string[] {
  return Object.values(servers)
    .flatMap(({ env = {}, headers = {} }) => [...Object.entries(env), ...Object.entries(headers)])
    .filter(([name, value]) => {
      const isNamed = SECRET_WORDS.some((word) => name.toUpperCase().includes(word));
      return isNamed && value.length >= MIN_SECRET && !value.includes('$');
    })
    .map(([, value]) => value);
}

/** Shorter values occur everywhere. */
const MIN_SECRET = 8;
