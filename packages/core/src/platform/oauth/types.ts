/** What a sign-in at an OAuth 2.1 server needs and gives. The caller knows the server's addresses. */

export interface OAuthServer {
  authorizationUrl: string;
  tokenUrl: string;
  /** Dynamic client registration (RFC 7591). */
  registrationUrl?: string;
  /** `token_endpoint_auth_methods_supported`; absent: unknown. */
  tokenAuthMethods?: readonly string[];
  /** Of its metadata; compared with the issuer that a redirect names (RFC 9207). */
  issuer?: string;
  /** `scopes_supported`; absent: unknown. */
  scopes?: readonly string[];
}

export interface OAuthClient {
  clientId: string;
  /** Absent: a public client, secured by PKCE alone. */
  clientSecret?: string;
}

/** A client that was registered dynamically, for this redirect URI. */
export interface RegisteredClient {
  client: OAuthClient;
  redirectUri: string;
}

export interface OAuthRequest {
  /** Named in questions and messages: the agent or server that wants the token. */
  service: string;
  server: OAuthServer;
  /** Absent: a new client is registered. */
  client?: OAuthClient;
  /** Where the user can set a client of their own; named where the server registers none. */
  clientSetting?: string;
  /** Used instead of a new one if its redirect URI can be listened on. */
  registered?: RegisteredClient;
  scopes?: readonly string[];
  audiences?: readonly string[];
  /** The protected resource (RFC 8707). */
  resource?: string;
  /** One of this machine is listened on; for any other the user pastes the address that the browser ends at. */
  redirectUri?: string;
}

export interface OAuthTokens {
  accessToken: string;
  refreshToken?: string;
  /** Milliseconds since 1970; absent: unknown. */
  expiresAt?: number;
  tokenType: string;
  scope?: string;
}

/** Questions of a sign-in. Absent: the user cannot be asked, and a sign-in that needs it fails. */
export interface OAuthPrompts {
  /** Before a browser opens; false cancels. `host`: where the user will sign in. */
  confirm(service: string, host: string, signal: AbortSignal): Promise<boolean>;
  /** Always shown: the browser may be on another machine. */
  showUrl(service: string, url: string): void;
  /** False: no browser could be started. */
  openBrowser(url: string): Promise<boolean>;
  /** The pasted code or address; undefined cancels. The signal aborts when the browser brought the code. */
  askCode(service: string, problem: string | undefined, signal: AbortSignal): Promise<string | undefined>;
}
