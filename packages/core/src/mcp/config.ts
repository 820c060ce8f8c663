/** How an MCP server is configured, and what is decided about it before it is started. */
import { LONGEST_TIMER_MS } from '../base/longest-timer.js';
import type { ExtensionCapabilities } from '../protocol/extension-capabilities.js';

/** `oauth` of a server. */
export interface MCPOAuthConfig {
  /** Sign in when the server asks for it, without `/mcp auth`. */
  enabled?: boolean;
  clientId?: string;
  clientSecret?: string;
  authorizationUrl?: string;
  issuer?: string;
  tokenUrl?: string;
  scopes?: string[];
  audiences?: string[];
  redirectUri?: string;
  tokenParamName?: string;
  registrationUrl?: string;
}

export type AuthProviderType = 'dynamic_discovery' | 'google_credentials' | 'service_account_impersonation';

/** The fields of one server, as settings, extensions and agents write them. */
export interface McpServerFields {
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  readonly url?: string | undefined;
  /** `stdio` is accepted and means nothing: `command` decides. */
  readonly type?: 'sse' | 'http' | 'stdio' | undefined;
  readonly httpUrl?: string | undefined;
  readonly tcp?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds for connecting and for each request. */
  readonly timeout?: number | undefined;
  readonly trust?: boolean | undefined;
  readonly description?: string | undefined;
  readonly includeTools?: readonly string[] | undefined;
  readonly excludeTools?: readonly string[] | undefined;
  readonly disabled?: boolean | undefined;
  readonly oauth?: MCPOAuthConfig | undefined;
  readonly authProviderType?: AuthProviderType | undefined;
  readonly targetAudience?: string | undefined;
  readonly targetServiceAccount?: string | undefined;
}

/** The same for programs that build a configuration in code. */
export class MCPServerConfig implements McpServerFields {
  constructor(
    readonly command?: string,
    readonly args?: string[],
    readonly env?: Record<string, string>,
    readonly cwd?: string,
    readonly url?: string,
    readonly type?: 'sse' | 'http',
    readonly tcp?: string,
    readonly timeout?: number,
    readonly trust?: boolean,
    readonly description?: string,
    readonly includeTools?: string[],
    readonly excludeTools?: string[],
    readonly oauth?: MCPOAuthConfig,
    readonly httpUrl?: string,
    readonly headers?: Record<string, string>,
    readonly disabled?: boolean,
    readonly authProviderType?: AuthProviderType,
    readonly targetAudience?: string,
    readonly targetServiceAccount?: string,
  ) {}
}

/** Why a server is not started. The first five are the published kinds. */
export type ServerBlockKind =
  | 'admin'
  | 'allowlist'
  | 'excludelist'
  | 'session'
  | 'enablement'
  /** `disabled: true` in its configuration. */
  | 'disabled'
  /** The folder is not trusted. */
  | 'untrusted'
  /** The configuration cannot be used. */
  | 'unusable';

export interface ServerBlock {
  kind: ServerBlockKind;
  /** For the user: why, and what to do. */
  reason: string;
}

/** The extension that brings a server. */
export interface ServerExtension {
  name: string;
  /** Values of its settings, for its own servers only. */
  settings?: Readonly<Record<string, string>>;
  /** Absolute: the folder with its manifest. */
  extensionPath?: string;
  /** Absent: no restriction. */
  capabilities?: ExtensionCapabilities;
}

/** One server after all sources are merged. */
export interface ResolvedServer {
  /** As configured; identifies the server everywhere. */
  name: string;
  config: McpServerFields;
  extension?: ServerExtension;
  /** Absent: the server may start. */
  block?: ServerBlock;
}

/** Limit for connecting and for each request, where the server sets none. */
const DEFAULT_TIMEOUT_MS = 600_000;
/** How long a first turn waits for a server without a limit of its own. */
export const FIRST_TURN_LIMIT_MS = 30_000;

export function requestTimeout({ timeout }: McpServerFields): number {
  return timeout && timeout > 0 ? Math.min(timeout, LONGEST_TIMER_MS) : DEFAULT_TIMEOUT_MS;
}

export type TransportKind = 'http' | 'sse' | 'websocket' | 'stdio';

/** How a server is reached; undefined: it only overrides a server of an extension. */
export function transportKindOf({
  httpUrl,
  url,
  type,
  tcp,
  command,
}: McpServerFields): TransportKind | undefined {
  if (httpUrl) return 'http';
  if (url) return type === 'sse' ? 'sse' : 'http';
  if (tcp) return 'websocket';
  return command ? 'stdio' : undefined;
}

/** The address or command line, for display; it must still be cleaned. */
export function targetOf({ httpUrl, url, tcp, command, args = [] }: McpServerFields): string {
  return httpUrl || url || tcp || [command ?? '', ...args].join(' ').trim();
}
