/** The port through which remote servers get credentials; implemented by OAuth and the Google sign-ins. */
import type { ResolvedServer } from './config.js';

export type SignInState = 'authenticated' | 'expired' | 'not_authenticated';

/** For `/mcp auth`. */
export interface McpSignIn {
  /** A new sign-in, whatever is stored. Connect the server again afterwards. */
  authenticate(server: ResolvedServer, signal: AbortSignal): Promise<void>;
  /** Undefined: there is no sign-in for this server. */
  stateOf(server: ResolvedServer): Promise<SignInState | undefined>;
}

export interface AuthProviderPort extends Partial<McpSignIn> {
  /** Headers to add to each request; they replace configured ones of the same name. Empty: no credentials are known. */
  headers(server: ResolvedServer): Promise<Record<string, string>>;
  /** Parameters to add to the address of each request, for servers that take a token there. */
  query?(server: ResolvedServer): Promise<Record<string, string>>;
  /**
   * The server answered 401, or 403 because the token lacks a right (`insufficient_scope`).
   * @param wwwAuthenticate the header of that name
   * @returns true when the request is worth another try
   */
  onUnauthorized(server: ResolvedServer, wwwAuthenticate: string | undefined): Promise<boolean>;
}
