/** Credentials of one server. */

export interface McpGrant {
  headers: Record<string, string>;
  /** Parameters of the address, for servers that take the token there. */
  query?: Record<string, string>;
}

export interface McpCredentials {
  /** Empty: none are known. */
  grant(signal: AbortSignal): Promise<McpGrant>;
  /**
   * The server refused the last ones.
   * @returns true when there are others now
   */
  refused(wwwAuthenticate: string | undefined, signal: AbortSignal): Promise<boolean>;
}

export const NO_GRANT: McpGrant = { headers: {} };
